"""Letters set apart one by one, put together as a reader does: r e s o l v e d, r.e.s.o.l.v.e.d., E U."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.vocabulary import BEGINNING, SHORT, SHORTEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Vocabulary

_LONGEST_WORD = 20
_FEWEST_WITH_STRANGE = 30
"""Shorter rows that no words make up are one word: a name, or one that is not known."""
_FEWEST = 3
_MOST_FIGURES = 3
_FEWEST_UNKNOWN = 4

_HINT = lazy_pattern(r"[ \t\-._·•|/+~,:*\n(]\w[ \t\-._·•|/+~,:*]{1,3}\w[ \t\-._·•|/+~,:*]")
_HINT_AT_START = lazy_pattern(r"\w[ \t\-._·•|/+~,:*]{1,3}\w[ \t\-._·•|/+~,:*]")
_TWO_CAPITALS = lazy_pattern(r"(?P<first>[EU])(?<![\w.'-].)[ \t](?P<second>[USK])(?![\w'-])")
"""The regions that two letters name."""
_GAP = r"(?:[ \t]{1,3}|[\-._·•|/+~,:*])"
_SINGLES = lazy_pattern(rf"(?<![^\W_])(?<!')[^\W_]{_GAP}[^\W_](?![^\W_])(?:{_GAP}[^\W_](?![^\W_']))++")
_WORD_GAP = lazy_pattern(r"[ \t]{2,3}|[^\sA-Za-z0-9](?:(?<=[A-Za-z].)(?=\d)|(?<=\d.)(?=[A-Za-z]))")
_GAPS = lazy_pattern(_GAP)
_SIGNS = frozenset("-._·•|/+~,:*")
_WIDE = lazy_pattern(r"[ \t]{1,3}")


def single_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join single letters, in order of their patterns.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: what the letters may come to; what comes to none of them is one word.
    """
    if not (_HINT.search(text) or _HINT_AT_START.match(text)):
        return
    yield from _singles(text, words)
    yield from ((m.start(), m.end(), m["first"] + m["second"]) for m in _TWO_CAPITALS.finditer(text))


def _singles(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join single letters: r e s o l v e d, r.e.s.o.l.v.e.d."""
    for match in _SINGLES.finditer(text):
        run = match.group()
        gaps = _gaps_of(run)
        edits: list[Edit] = []
        # Single digits with one sign between each two are all alike: nothing tells where a word ends.
        parted = len(gaps) > 1 and not run[::2].isdigit()
        if parted and (between := _between_words(run, gaps)).search(run):
            edits = _parts(match.start(), run, between, words)
        if not edits and (instead := _joined(run, gaps, words)) is not None:
            edits = [(match.start(), match.end(), instead)]
        yield from edits


def _gaps_of(run: str) -> set[str]:
    """Return what stands between the single letters of a run."""
    if run[::2].isalnum():
        # Each gap is one character: a row as long as a text may be takes a tenth of the time so.
        return set(run[1::2])
    return set(_GAPS.findall(run))


def _between_words(run: str, gaps: set[str]) -> re.Pattern[str]:
    """Return what parts the words of letters with several kinds of gaps: the wider kind, or the rarer."""
    if any(map(str.isdigit, run)) or not gaps & _SIGNS:
        return _WORD_GAP
    if gaps & _SIGNS != gaps:
        return _WIDE
    return re.compile(re.escape(min(sorted(gaps), key=run.count)))


def _parts(start: int, run: str, gap: re.Pattern[str], words: Vocabulary) -> list[Edit]:
    edits: list[Edit] = []
    place = 0
    for part in gap.split(run):
        place = run.index(part, place)
        gaps = _gaps_of(part)
        instead = _joined(part, gaps, words) if gaps else None
        if instead is not None:
            edits.append((start + place, start + place + len(part), instead))
        place += len(part)
    return edits


def _joined(run: str, gaps: set[str], words: Vocabulary) -> str | None:
    # 1.2.3, 4/5/6 and 1-2-3 are versions, dates and ranges; the letters decide what was spaced.
    if gaps != {" "} and any(map(str.isdigit, run)):
        return None
    letters = "".join(filter(str.isalnum, run))
    digits = sum(map(str.isdigit, letters))
    if (digits == len(letters) and digits > _MOST_FIGURES) or len(letters) < _FEWEST:
        return None
    if letters.lower() in words or (digits == len(letters) and digits):
        return letters
    parts = _parted(letters, words)
    if parts is not None:
        return " ".join(parts)
    return letters if len(letters) >= _FEWEST_UNKNOWN and len(gaps) == 1 else None


def _parted(letters: str, words: Vocabulary) -> list[str] | None:
    """Put the spaces back between the words of letters that were all set apart alike.

    Args:
        letters: the letters without their gaps.
        words: the words that they may be.

    Returns:
        The fewest words that make it up, letters in no word together as one; None when most are in none.
    """
    lowered, count = letters.lower(), len(letters)
    costs, ends, strange = [0] * (count + 1), [0] * count, [0] * (count + 1)
    beginnings, prose, names = words.beginnings, words.prose, words.names
    for start in range(count - 1, -1, -1):
        # A letter in no word costs more than any word that it might begin.
        least, best, left = costs[start + 1] + _LONGEST_WORD, -1, strange[start + 1] + 1
        begins = lowered[start : start + BEGINNING] in beginnings or lowered[start].isdecimal()
        farthest = start + (_LONGEST_WORD if begins else BEGINNING - 1)
        for end in range(min(count, farthest), start, -1):
            if costs[end] + 1 < least:
                piece = lowered[start:end]
                known = piece in prose or piece in names if end - start >= SHORTEST else piece in SHORT
                if known or piece.isdecimal():
                    least, best, left = costs[end] + 1, end, strange[end]
        costs[start], ends[start], strange[start] = least, best, left
    if strange[0] * 2 > count or (strange[0] and count <= _FEWEST_WITH_STRANGE):
        return None
    return _cut_at(letters, ends)


def _cut_at(letters: str, ends: list[int]) -> list[str]:
    """Cut letters into words; an end of -1 is a letter in no word, and such letters stay together."""
    found: list[str] = []
    place = 0
    while place < len(letters):
        end = place
        while end < len(letters) and ends[end] < 0:
            end += 1
        end = end if end > place else ends[place]
        found.append(letters[place:end])
        place = end
    return found
