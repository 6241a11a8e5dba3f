"""Words set apart, put together as a reader does: r e s o l v e d, re-solved, resol ved, a broken line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.singles import single_edits

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Loose, Vocabulary

_LONGEST_PIECE = 20
_MOST_PIECES = 4
_LONGEST_RUN = 120
_SHORTEST_JOINED = 4
_UNIT_LETTERS = frozenset("smhdw")
_NO_NEIGHBOURS = ["\n"] * (_MOST_PIECES - 1)

_DIGITS_HINT = lazy_pattern(r"[0-9] [0-9]")
_SPACED_DIGITS = lazy_pattern(
    r"(\d(?<![\w.,:/-].)(?<!\d .)(?: \d){1,3})"
    r"(?= ?(?:%|percent|per cent|min|hour|second|day|week|dollar|euro|pound))",
    re.IGNORECASE,
)
_HYPHENED = lazy_pattern(r"(?<![\w-])[A-Za-z]{1,20}+(?:-[A-Za-z]{1,20}+){1,12}+(?![\w-])")
_GLUED_HINT = lazy_pattern(r"[._·•|/+~](?<=[A-Za-z].)[A-Za-z]")
_GLUED = lazy_pattern(
    r"(?<![\w@:/.-])[A-Za-z]{1,20}+(?P<sign>[._·•|/+~])[A-Za-z]{1,20}+(?:(?P=sign)[A-Za-z]{1,20}+){0,12}+"
    r"(?![\w@/-]|[.:]\w)"
)
_PIECE = lazy_pattern(r"(?<![\w'-])[A-Za-z]{1,20}+(?![\w'-])")

_WRAPPED_HYPHEN = lazy_pattern(
    r"(?<![A-Za-z])(?P<first>[A-Za-z]{1,20}+)(?P<cut>-[ \t]{0,8}\n[ \t]{0,8})(?P<second>[a-z]{1,20}+)"
    r"|(?<=\d)(?P<kept>-[ \t]{0,8}\n[ \t]{0,8})(?=[a-z])"
)
_WRAPPED = lazy_pattern(r"(?<=[\w,;])[ \t]{0,8}\n[ \t]{0,8}(?=[a-z][\w']*+(?![\w.)]))")
_WRAPPED_AFTER = lazy_pattern(
    r"(?<![\w'-])(?i:a|an|the|of|in|on|at|by|to|for|from|with|within|about|around|after|before|until|than|"
    r"our|your|their|its|this|these|and|or|but|every|each|per|any|some|hardly|nearly|almost|only|over|under|"
    r"is|are|was|were|be|been|has|have|had|will|not|no|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|,)(?P<wrap>[ \t]{0,8}\n[ \t]{0,8})(?=[A-Z0-9$€£])"
)
_WRAPPED_NAME = lazy_pattern(
    r"(?<![\w'-])(?P<first>[A-Z][a-z]{1,20}+)(?P<wrap>[ \t]{0,8}\n[ \t]{0,8})"
    r"(?=(?P<second>[A-Z][a-z]{1,20}+))"
)
_WRAPPED_CODE = lazy_pattern(
    r"(?<=\d)[ \t]{0,8}\n[ \t]{0,8}(?=(?:US|USD|EUR|GBP|UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|AM|PM)(?!\w))"
)


def apart_edits(text: str, words: Vocabulary, loose: Loose) -> Iterator[Edit]:
    """Yield the edits that put words together, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: what a word may come to.
        loose: the words of the text, and those of them that are none by themselves.
    """
    edits = joint_edits(text, words)
    if loose.strange:
        edits += _cut(text, words, loose)
    # Of two that begin at one place the longer one is the whole word.
    edits.sort(key=lambda edit: (edit[0], -edit[1]))
    last = 0
    for start, end, instead in edits:
        if start >= last:
            yield start, end, instead
            last = end


def joint_edits(text: str, words: Vocabulary) -> list[Edit]:
    """Return the edits that put together what signs, single blanks or line ends part, in no order."""
    edits = [*single_edits(text, words)]
    if _DIGITS_HINT.search(text):
        edits += ((m.start(1), m.end(1), m[1].replace(" ", "")) for m in _SPACED_DIGITS.finditer(text))
    if "-" in text:
        edits += _hyphened(text, words)
    if _GLUED_HINT.search(text):
        edits += _glued(text, words)
    if "\n" in text:
        edits += _wrapped(text, words)
    return edits


def may_be_cut(found: list[str], strange: Container[str], words: Vocabulary) -> bool:
    """Whether neighbours may make up a known word that was cut by blanks: the others need no closer look.

    Args:
        found: the words of a text in lower case, in order.
        strange: those of them that are none by themselves.
        words: what they may come to.
    """
    rows: list[str] = []
    around = [*_NO_NEIGHBOURS, *found, *_NO_NEIGHBOURS]
    windows = {
        tuple(around[at : at + 2 * _MOST_PIECES - 1]) for at, word in enumerate(found) if word in strange
    }
    for a, b, c, word, d, e, f in windows:
        # Written out, since most of the time that a plain text takes goes here.
        left, right = f"{c}{word}", f"{word}{d}"
        rows += (left, f"{b}{left}", f"{a}{b}{left}", f"{left}{d}", f"{b}{left}{d}")
        rows += (right, f"{right}{e}", f"{right}{e}{f}", f"{c}{right}{e}")
    return words.may_hold(rows)


def _hyphened(text: str, words: Vocabulary) -> Iterator[Edit]:
    place = text.find("-")
    done = 0
    while place >= 0:
        start = place
        while start > done and place - start < _LONGEST_PIECE and text[start - 1].isalpha():
            start -= 1
        match = _HYPHENED.match(text, start)
        place = text.find("-", match.end() if match else place + 1)
        if match is not None:
            done = match.end()
            # Some words are written with a hyphen: follow-up.
            yield from () if match.group().lower() in words else _unhyphened(match, words)


def _unhyphened(match: re.Match[str], words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join the pieces of a hyphened word that make up a known one."""
    pieces = match.group().split("-")
    if len(pieces) == 2 and pieces[0].lower() == "re" and len(pieces[1]) > 3:
        yield match.start(), match.end(), "".join(pieces)
        return
    place, first = match.start(), 0
    while first < len(pieces):
        end = place + len(pieces[first])
        for last in range(len(pieces), first + 1, -1):
            joined = "".join(pieces[first:last])
            if joined.lower() in words:
                end = place + len(joined) + last - first - 1
                yield place, end, joined
                first = last - 1
                break
        place, first = end + 1, first + 1


def _glued(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join the pieces of words with other signs in them: re.solved, re_solved."""
    done = start = last = 0
    sign = ""
    for hint in _GLUED_HINT.finditer(text):
        place = hint.start()
        # Of a long row of pieces each is walked over once: the next sign goes on from the one before.
        known = last if text[place] == sign else place
        sign, last = text[place], place
        while place > known and _is_part(text[place - 1], sign):
            place -= 1
        if place > known or known == last:
            start = place
            while start > 0 and last - start < _LONGEST_RUN and _is_part(text[start - 1], sign):
                start -= 1
        start = max(start, done, last - _LONGEST_RUN)
        match = _GLUED.match(text, start)
        if match is None:
            continue
        done = match.end()
        pieces = match.group().split(match["sign"])
        joined = "".join(pieces)
        if len(joined) < _SHORTEST_JOINED or joined.lower() not in words:
            continue
        if not all(words.whole(piece.lower()) for piece in pieces):
            yield match.start(), match.end(), joined


def _is_part(char: str, sign: str) -> bool:
    return char == sign or char.isalpha()


def _wrapped(text: str, words: Vocabulary) -> Iterator[Edit]:
    for match in _WRAPPED_HYPHEN.finditer(text):
        if match["kept"]:
            yield match.start(), match.end(), "-"
            continue
        first, second = match["first"].lower(), match["second"]
        compound = first + second not in words and words.whole(first) and words.whole(second)
        yield *match.span("cut"), "-" if compound else ""
    yield from ((m.start(), m.end(), " ") for m in _WRAPPED.finditer(text))
    yield from ((m.start(), m.end(), " ") for m in _WRAPPED_CODE.finditer(text))
    yield from ((*m.span("wrap"), " ") for m in _WRAPPED_AFTER.finditer(text))
    for match in _WRAPPED_NAME.finditer(text):
        if {match["first"].lower(), match["second"].lower()} <= words.names:
            yield *match.span("wrap"), " "


def _cut(text: str, words: Vocabulary, loose: Loose) -> Iterator[Edit]:
    """Yield the edits that join words cut in pieces by blanks: resol ved, guaran teed."""
    found, strange = loose
    if all(_window(found, at, words) is None for at, word in enumerate(found) if word in strange):
        return
    pieces = list(_PIECE.finditer(text))
    lowered = [piece.group().lower() for piece in pieces]
    done = 0
    for at, word in enumerate(lowered):
        window = _window(lowered, at, words) if at >= done and word in strange else None
        if window is None or window[0] < done:
            continue
        first, last = window
        parts = pieces[first:last]
        if lowered[first] in _UNIT_LETTERS and _follows_number(text, parts[0].start()):
            continue
        between = (text[a.end() : b.start()] for a, b in pairwise(parts))
        alike = (
            all(part.group().islower() for part in parts[1:])
            or text[parts[0].start() : parts[-1].end()].isupper()
        )
        if alike and all(0 < len(gap) <= 3 and gap.strip(" \t") == "" for gap in between):
            yield parts[0].start(), parts[-1].end(), "".join(part.group() for part in parts)
            done = last


def _follows_number(text: str, start: int) -> bool:
    """Whether digits and a blank stand before a place: the letter there is a unit ("11 h old")."""
    return text[max(0, start - 3) : start].rstrip(" \t")[-1:].isdigit()


def _window(found: list[str], at: int, words: Vocabulary) -> tuple[int, int] | None:
    """Return the longest row of neighbours with the word at a place that makes up a known word."""
    for length in range(_MOST_PIECES, 1, -1):
        for first in range(max(0, at - length + 1), at + 1):
            row = found[first : first + length]
            joined = "".join(row)
            if len(row) < length or len(joined) < _SHORTEST_JOINED or joined not in words:
                continue
            if sum(len(word) == 1 for word in row) <= 1:
                return first, first + length
    return None
