"""Words set apart, put together as a reader does: r e s o l v e d, re-solved, resol ved, a broken line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from redpen.text.singles import single_edits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Loose, Vocabulary

_LONGEST_PIECE = 20
_MOST_PIECES = 4
_LONGEST_RUN = 120
_SHORTEST_JOINED = 4

_DIGITS_HINT = re.compile(r"[0-9] [0-9]")
_SPACED_DIGITS = re.compile(
    r"(?<![\w.,:/-])(?<!\d )(\d(?: \d){1,3})"
    r"(?= ?(?:%|percent|per cent|min|hour|second|day|week|dollar|euro|pound))",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"(?<![\w-])[A-Za-z]{1,20}+(?:-[A-Za-z]{1,20}+){1,12}+(?![\w-])")
_GLUED_HINT = re.compile(r"[._·•|/+~](?<=[A-Za-z].)[A-Za-z]")
_GLUED = re.compile(
    r"(?<![\w@:/.-])[A-Za-z]{1,20}+(?P<sign>[._·•|/+~])[A-Za-z]{1,20}+(?:(?P=sign)[A-Za-z]{1,20}+){0,12}+"
    r"(?![\w@/-]|[.:]\w)"
)
_PIECE = re.compile(r"(?<![\w'-])[A-Za-z]{1,20}+(?![\w'-])")

_WRAPPED_HYPHEN = re.compile(
    r"(?<![A-Za-z])(?P<first>[A-Za-z]{1,20}+)(?P<cut>-[ \t]{0,8}\n[ \t]{0,8})(?P<second>[a-z]{1,20}+)"
    r"|(?<=\d)(?P<kept>-[ \t]{0,8}\n[ \t]{0,8})(?=[a-z])"
)
_WRAPPED = re.compile(r"(?<=[\w,;])[ \t]{0,8}\n[ \t]{0,8}(?=[a-z][\w']*+(?![\w.)]))")
_WRAPPED_AFTER = re.compile(
    r"(?<![\w'-])(?i:a|an|the|of|in|on|at|by|to|for|from|with|within|about|around|after|before|until|than|"
    r"our|your|their|its|this|these|and|or|but|every|each|per|any|some|hardly|nearly|almost|only|over|under|"
    r"is|are|was|were|be|been|has|have|had|will|not|no|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|,)(?P<wrap>[ \t]{0,8}\n[ \t]{0,8})(?=[A-Z0-9$€£])"
)
_WRAPPED_NAME = re.compile(
    r"(?<![\w'-])(?P<first>[A-Z][a-z]{1,20}+)(?P<wrap>[ \t]{0,8}\n[ \t]{0,8})"
    r"(?=(?P<second>[A-Z][a-z]{1,20}+))"
)
_WRAPPED_CODE = re.compile(
    r"(?<=\d)[ \t]{0,8}\n[ \t]{0,8}(?=(?:US|USD|EUR|GBP|UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|AM|PM)(?!\w))"
)


def apart_edits(text: str, words: Vocabulary, loose: Loose) -> Iterator[Edit]:
    """Yield the edits that put words together, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: what a word may come to.
        loose: the words of the text, and those of them that are none by themselves.
    """
    edits: list[Edit] = []
    edits += single_edits(text, words)
    if _DIGITS_HINT.search(text):
        edits += ((m.start(1), m.end(1), m[1].replace(" ", "")) for m in _SPACED_DIGITS.finditer(text))
    if "-" in text:
        edits += _hyphened(text, words)
    if _GLUED_HINT.search(text):
        edits += _glued(text, words)
    if "\n" in text:
        edits += _wrapped(text, words)
    if loose.strange:
        edits += _cut(text, words, loose)
    # Of two that begin at one place the longer one is the whole word.
    edits.sort(key=lambda edit: (edit[0], -edit[1]))
    last = 0
    for start, end, instead in edits:
        if start >= last:
            yield start, end, instead
            last = end


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
    done = 0
    for hint in _GLUED_HINT.finditer(text):
        sign = hint.group()[0]
        start = hint.start()
        while (
            start > done
            and hint.start() - start < _LONGEST_RUN
            and (text[start - 1].isalpha() or text[start - 1] == sign)
        ):
            start -= 1
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
        window = _window(lowered, at, words) if word in strange else None
        if window is None or window[0] < done:
            continue
        first, last = window
        parts = pieces[first:last]
        between = (text[a.end() : b.start()] for a, b in pairwise(parts))
        alike = (
            all(part.group().islower() for part in parts[1:])
            or text[parts[0].start() : parts[-1].end()].isupper()
        )
        if alike and all(0 < len(gap) <= 3 and gap.strip(" \t") == "" for gap in between):
            yield parts[0].start(), parts[-1].end(), "".join(part.group() for part in parts)
            done = last


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
