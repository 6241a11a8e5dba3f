"""Joins letters that are written apart, as a reader does: r e s o l v e d, r.e.s.o.l.v.e.d., E U."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.vocabulary import PREFIX_CHARS, SHORT, SHORTEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Vocabulary

_LONGEST_WORD = 20
_FEWEST_WITH_UNKNOWN = 30
"""A shorter run that cannot be split into known words is one word: a name, or an unknown word."""
_FEWEST = 3
_MOST_FIGURES = 3
_FEWEST_UNKNOWN = 4

_HINT = lazy_pattern(r"[ \t\-._·•|/+~,:*\n(]\w[ \t\-._·•|/+~,:*]{1,3}\w[ \t\-._·•|/+~,:*]")
_HINT_AT_START = lazy_pattern(r"\w[ \t\-._·•|/+~,:*]{1,3}\w[ \t\-._·•|/+~,:*]")
_TWO_CAPITALS = lazy_pattern(r"(?P<first>[EU])(?<![\w.'-].)[ \t](?P<second>[USK])(?![\w'-])")
"""Regions with a name of two letters."""
_GAP = r"(?:[ \t]{1,3}|[\-._·•|/+~,:*])"
_SINGLES = lazy_pattern(rf"(?<![^\W_])(?<!')[^\W_]{_GAP}[^\W_](?![^\W_])(?>(?:{_GAP}[^\W_](?![^\W_']))+)")
_WORD_GAP = lazy_pattern(r"[ \t]{2,3}|[^\sA-Za-z0-9](?:(?<=[A-Za-z].)(?=\d)|(?<=\d.)(?=[A-Za-z]))")
_GAPS = lazy_pattern(_GAP)
_SIGNS = frozenset("-._·•|/+~,:*")
_WIDE = lazy_pattern(r"[ \t]{1,3}")


def spaced_letter_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join single letters, those of each pattern in order.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: words that the letters may spell; letters that spell none of them become one word.
    """
    if not (_HINT.search(text) or _HINT_AT_START.match(text)):
        return
    yield from _single_letter_edits(text, words)
    yield from ((m.start(), m.end(), m["first"] + m["second"]) for m in _TWO_CAPITALS.finditer(text))


def _single_letter_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join single letters: r e s o l v e d, r.e.s.o.l.v.e.d."""
    for match in _SINGLES.finditer(text):
        run = match.group()
        gaps = _gaps_of(run)
        edits: list[Edit] = []
        # Digits separated by the same sign throughout do not show where a word ends.
        has_word_gaps = len(gaps) > 1 and not run[::2].isdigit()
        if has_word_gaps and (between := _word_gap(run, gaps)).search(run):
            edits = _joined_parts(match.start(), run, between, words)
        if not edits and (joined := _joined(run, gaps, words)) is not None:
            edits = [(match.start(), match.end(), joined)]
        yield from edits


def _gaps_of(run: str) -> set[str]:
    """Return the separators between the single letters of a run."""
    if run[::2].isalnum():
        # Each gap is one character; on a run of maximum length slicing is ten times as fast as the pattern.
        return set(run[1::2])
    return set(_GAPS.findall(run))


def _word_gap(run: str, gaps: set[str]) -> re.Pattern[str]:
    """Return the pattern of the gaps between words, where a run has several: the wider kind, or the rarer."""
    if any(map(str.isdigit, run)) or not gaps & _SIGNS:
        return _WORD_GAP
    if gaps & _SIGNS != gaps:
        return _WIDE
    return re.compile(re.escape(min(sorted(gaps), key=run.count)))


def _joined_parts(start: int, run: str, gap: re.Pattern[str], words: Vocabulary) -> list[Edit]:
    edits: list[Edit] = []
    place = 0
    for part in gap.split(run):
        place = run.index(part, place)
        gaps = _gaps_of(part)
        joined = _joined(part, gaps, words) if gaps else None
        if joined is not None:
            edits.append((start + place, start + place + len(part), joined))
        place += len(part)
    return edits


def _joined(run: str, gaps: set[str], words: Vocabulary) -> str | None:
    # Runs with digits such as 1.2.3, 4/5/6 and 1-2-3 are versions, dates and ranges.
    if gaps != {" "} and any(map(str.isdigit, run)):
        return None
    letters = "".join(filter(str.isalnum, run))
    digits = sum(map(str.isdigit, letters))
    if (digits == len(letters) and digits > _MOST_FIGURES) or len(letters) < _FEWEST:
        return None
    if letters.lower() in words or (digits == len(letters) and digits):
        return letters
    parts = _split_into_words(letters, words)
    if parts is not None:
        return " ".join(parts)
    return letters if len(letters) >= _FEWEST_UNKNOWN and len(gaps) == 1 else None


def _split_into_words(letters: str, words: Vocabulary) -> list[str] | None:
    """Split letters that were all separated in the same way into words.

    Args:
        letters: the letters without their gaps.
        words: the known words.

    Returns:
        The fewest words, with adjacent letters outside words joined; None if most letters are outside words.
    """
    lowered, count = letters.lower(), len(letters)
    costs, ends, unknown = [0] * (count + 1), [0] * count, [0] * (count + 1)
    prefixes, prose, names = words.prefixes, words.prose, words.names
    for start in range(count - 1, -1, -1):
        # A letter outside words costs more than any word that it may begin.
        cost, best, unknown_letters = costs[start + 1] + _LONGEST_WORD, -1, unknown[start + 1] + 1
        begins = lowered[start : start + PREFIX_CHARS] in prefixes or lowered[start].isdecimal()
        farthest = start + (_LONGEST_WORD if begins else PREFIX_CHARS - 1)
        for end in range(min(count, farthest), start, -1):
            if costs[end] + 1 < cost:
                piece = lowered[start:end]
                known = piece in prose or piece in names if end - start >= SHORTEST else piece in SHORT
                if known or piece.isdecimal():
                    cost, best, unknown_letters = costs[end] + 1, end, unknown[end]
        costs[start], ends[start], unknown[start] = cost, best, unknown_letters
    if unknown[0] * 2 > count or (unknown[0] and count <= _FEWEST_WITH_UNKNOWN):
        return None
    return _cut_at(letters, ends)


def _cut_at(letters: str, ends: list[int]) -> list[str]:
    """Cut letters into words; an end of -1 marks a letter outside words, and such letters are joined."""
    words: list[str] = []
    place = 0
    while place < len(letters):
        end = place
        while end < len(letters) and ends[end] < 0:
            end += 1
        end = end if end > place else ends[place]
        words.append(letters[place:end])
        place = end
    return words
