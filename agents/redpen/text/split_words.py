"""Joins split words as a reader does: r e s o l v e d, re-solved, resol ved, words split at a line end."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.spaced_letters import spaced_letter_edits

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import ScannedWords, Vocabulary

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
_HYPHENED = lazy_pattern(r"(?<![\w-])[A-Za-z]{1,20}+(?>(?:-[A-Za-z]{1,20}+){1,12})(?![\w-])")
_GLUED_HINT = lazy_pattern(r"[._·•|/+~](?<=[A-Za-z].)[A-Za-z]")
_GLUED = lazy_pattern(
    r"(?<![\w@:/.-])[A-Za-z]{1,20}+(?P<sign>[._·•|/+~])[A-Za-z]{1,20}+(?>(?:(?P=sign)[A-Za-z]{1,20}+){0,12})"
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
_LIST_ITEM = lazy_pattern(r"(?:^|\n)[ \t]{0,8}\d{1,2}[.)] ")
_WRAPPED_NAME = lazy_pattern(
    r"(?<![\w'-])(?P<first>[A-Z][a-z]{1,20}+)(?P<wrap>[ \t]{0,8}\n[ \t]{0,8})"
    r"(?=(?P<second>[A-Z][a-z]{1,20}+))"
)
_WRAPPED_CODE = lazy_pattern(
    r"(?<=\d)[ \t]{0,8}\n[ \t]{0,8}(?=(?:US|USD|EUR|GBP|UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|AM|PM)(?!\w))"
)


def split_word_edits(text: str, words: Vocabulary, scanned: ScannedWords) -> Iterator[Edit]:
    """Yield the edits that join split words, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: the known words.
        scanned: the words of the text.
    """
    edits = joint_edits(text, words)
    if scanned.unknown:
        edits += _blank_edits(text, words, scanned)
    # Of two edits that start at the same place, the longer one covers the whole word.
    edits.sort(key=lambda edit: (edit[0], -edit[1]))
    last = 0
    for start, end, replacement in edits:
        if start >= last:
            yield start, end, replacement
            last = end


def joint_edits(text: str, words: Vocabulary) -> list[Edit]:
    """Return the edits that join words split by signs, single blanks or line ends, in no order."""
    edits = [*spaced_letter_edits(text, words)]
    if _DIGITS_HINT.search(text):
        edits += ((m.start(1), m.end(1), m[1].replace(" ", "")) for m in _SPACED_DIGITS.finditer(text))
    if "-" in text:
        edits += _hyphen_edits(text, words)
    if _GLUED_HINT.search(text):
        edits += _sign_edits(text, words)
    if "\n" in text:
        edits += _line_end_edits(text, words)
    return edits


def may_hold_split_word(found: list[str], unknown: Container[str], words: Vocabulary) -> bool:
    """Whether adjacent words may form a known word that was split by blanks.

    Args:
        found: the words of a text in lower case, in order.
        unknown: the unknown ones.
        words: the known words.
    """
    rows: list[str] = []
    around = [*_NO_NEIGHBOURS, *found, *_NO_NEIGHBOURS]
    windows = {
        tuple(around[at : at + 2 * _MOST_PIECES - 1]) for at, word in enumerate(found) if word in unknown
    }
    for a, b, c, word, d, e, f in windows:
        # Written out, because a plain text spends most of its time here.
        left, right = f"{c}{word}", f"{word}{d}"
        rows += (left, f"{b}{left}", f"{a}{b}{left}", f"{left}{d}", f"{b}{left}{d}")
        rows += (right, f"{right}{e}", f"{right}{e}{f}", f"{c}{right}{e}")
    return words.contains_any(rows)


def _hyphen_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
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
            # Some known words have a hyphen: follow-up.
            yield from () if match.group().lower() in words else _joined_pieces(match, words)


def _joined_pieces(match: re.Match[str], words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join the pieces of a hyphenated word that form a known one."""
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


def _sign_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that join words split by other signs: re.solved, re_solved."""
    done = start = last = 0
    sign = ""
    for hint in _GLUED_HINT.finditer(text):
        place = hint.start()
        # Each piece of a long row is visited once: the scan for a sign stops at the previous one.
        visited = last if text[place] == sign else place
        sign, last = text[place], place
        while place > visited and _is_part(text[place - 1], sign):
            place -= 1
        if place > visited or visited == last:
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
        if not all(words.is_word(piece.lower()) for piece in pieces):
            yield match.start(), match.end(), joined


def _is_part(char: str, sign: str) -> bool:
    return char == sign or char.isalpha()


def _line_end_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    for match in _WRAPPED_HYPHEN.finditer(text):
        if match["kept"]:
            yield match.start(), match.end(), "-"
            continue
        first, second = match["first"].lower(), match["second"]
        compound = first + second not in words and words.is_word(first) and words.is_word(second)
        yield *match.span("cut"), "-" if compound else ""
    yield from ((m.start(), m.end(), " ") for m in _WRAPPED.finditer(text))
    yield from ((m.start(), m.end(), " ") for m in _WRAPPED_CODE.finditer(text))
    items = {m.start() for m in _LIST_ITEM.finditer(text)}
    for match in _WRAPPED_AFTER.finditer(text):
        # The number of one of several items does not continue the line before.
        if len(items) < 2 or text.find("\n", match.start("wrap")) not in items:
            yield *match.span("wrap"), " "
    for match in _WRAPPED_NAME.finditer(text):
        if {match["first"].lower(), match["second"].lower()} <= words.names:
            yield *match.span("wrap"), " "


def _blank_edits(text: str, words: Vocabulary, scanned: ScannedWords) -> Iterator[Edit]:
    """Yield the edits that join words split by blanks: resol ved, guaran teed."""
    if next(_runs(scanned.words, scanned.unknown, words), None) is None:
        return
    pieces = list(_PIECE.finditer(text))
    lowered = [piece.group().lower() for piece in pieces]
    done = 0
    for first, last in _runs(lowered, scanned.unknown, words):
        if first < done:
            continue
        parts = pieces[first:last]
        if lowered[first] in _UNIT_LETTERS and _follows_number(text, parts[0].start()):
            continue
        if _is_letter_label(text, parts[0]) and words.is_word(lowered[first + 1]):
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
    """Whether a place follows digits and a blank, so that the letter there is a unit ("11 h old")."""
    return text[max(0, start - 3) : start].rstrip(" \t")[-1:].isdigit()


def _is_letter_label(text: str, piece: re.Match[str]) -> bool:
    """Whether a piece is a single capital letter inside of a sentence: "Concourse C"."""
    return (
        len(piece.group()) == 1
        and piece.group().isupper()
        and text[: piece.start()].rstrip(" ")[-1:].isalpha()
    )


def _runs(found: list[str], unknown: set[str], words: Vocabulary) -> Iterator[tuple[int, int]]:
    """Yield, as start and end, the longest run of words around each unknown word that forms a known one."""
    # A repeated text has few different neighbourhoods.
    seen: dict[tuple[str, ...], tuple[int, int] | None] = {}
    around = [*_NO_NEIGHBOURS, *found, *_NO_NEIGHBOURS]
    for at, word in enumerate(found):
        if word in unknown:
            near = tuple(around[at : at + 2 * _MOST_PIECES - 1])
            if near not in seen:
                seen[near] = _run(near, words)
            run = seen[near]
            if run is not None:
                yield at + run[0], at + run[1]


def _run(near: tuple[str, ...], words: Vocabulary) -> tuple[int, int] | None:
    """Return the longest run of words that contains the middle one and forms a known word, relative to it."""
    middle = len(near) // 2
    for length in range(_MOST_PIECES, 1, -1):
        for first in range(middle - length + 1, middle + 1):
            row = near[first : first + length]
            joined = "".join(row)
            if len(joined) < _SHORTEST_JOINED or joined not in words:
                continue
            if sum(len(word) == 1 for word in row) <= 1:
                return first - middle, first - middle + length
    return None
