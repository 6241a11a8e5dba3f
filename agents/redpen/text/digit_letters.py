"""Replaces digits and signs that stand for letters in words: res0lved, b@ck, c4us3d."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Vocabulary

_HINT = lazy_pattern(
    r"[0-9@$!|](?:[A-Za-z]{2}|(?<=[A-Za-z]{2}.)|[A-Za-z](?<=[A-Za-z]..)|(?<=[A-Za-z].)[0-9@$!|])"
)
_PIECE = lazy_pattern(r"(?<![\w./:@#$])[A-Za-z0-9@$!|]{3,30}+(?![\w/:@#]|\.\w)")
_RUN = lazy_pattern(r"[A-Za-z0-9@$!|]++")
_SIGNS = frozenset("@$!|")
_SMALL = lazy_pattern(r"(?<![\w./:@#$-])(?:[a-z][013]|[013][a-z])(?![\w/:@#%-]|\.\w)")
_LETTERS = {
    "0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "gb", "7": "t", "8": "b", "9": "g",
    "@": "a", "$": "s", "!": "il", "|": "li"
}  # fmt: skip
_MOST_WAYS = 64
_INSIDE = lazy_pattern(r"[a-z]{1,20}(?:[0134578][a-z]{1,20}){1,6}", re.IGNORECASE)
_FEWEST_LETTERS = 4
_FARTHEST_COUNT = 30
_COUNT = lazy_pattern(r"(?<!\w)\d[\w.,]{0,12} (?:[A-Z][A-Za-z]{1,10} )?\Z")
_BETWEEN = lazy_pattern(r"[A-Za-z][0-9@$!|]{1,30}+[A-Za-z]")
_NUMBERED = lazy_pattern(
    r"(?P<word>[a-z]{1,30})(?P<after>[0-9]{1,30})|[0-9]{1,30}(?P<counted>[a-z]{1,30})", re.IGNORECASE
)


def digit_letter_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    """Yield the edits that replace digits and signs by letters, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: the known words. A word with a number (node5) is edited only in a text that has an edit
            without doubt.
    """
    sure: list[Edit] = []
    unsure: list[Edit] = []
    readings: dict[tuple[str, bool], tuple[str, str, bool] | None] = {}
    done = 0
    for hint in _HINT.finditer(text):
        start = hint.start()
        if start < done:
            continue
        run = _RUN.match(text, start)
        while start > done and (text[start - 1].isalnum() or text[start - 1] in _SIGNS):
            start -= 1
        # Each run of such characters is visited once, however many of them are digits.
        done = run.end() if run else start
        match = _PIECE.match(text, start)
        if match is None:
            continue
        done = match.end()
        key = match.group(), _continues(text, match)
        if key not in readings:
            readings[key] = _reading(*key, words)
        reading = readings[key]
        if reading is not None:
            piece, spelt, numbered = reading
            doubtful = numbered and not _is_counted(text, match, piece)
            (unsure if doubtful else sure).append((match.start(), match.start() + len(piece), spelt))
    if sure:
        unsure += (
            (found.start(), found.end(), word)
            for found in _SMALL.finditer(text)
            for word in _ways(found.group())
            if words.is_word(word)
        )
        yield from sorted((*sure, *unsure))


def _continues(text: str, match: re.Match[str]) -> bool:
    """Whether a final ``!`` or ``|`` of a piece does not end its sentence: a small letter follows."""
    end = match.end()
    return text[end - 1] in "!|" and text[end : end + 1] == " " and text[end + 1 : end + 2].islower()


def _reading(piece: str, continues: bool, words: Vocabulary) -> tuple[str, str, bool] | None:
    """Return the part of a piece that spells a word, the word, and whether it is a word with a number.

    The part is the piece itself, or the piece without a final ``!`` or ``|``; None if neither spells a word.
    """
    for part in dict.fromkeys((piece, piece.rstrip("!|"))):
        if part[-1:] in ("!", "|") and not continues:
            continue
        if any(map(str.isalpha, part)) and not part.isalpha() and (spelt := _spelt(part, words)) is not None:
            return part, spelt, _is_numbered(part, words)
    return None


def _is_numbered(piece: str, words: Vocabulary) -> bool:
    numbered = _NUMBERED.fullmatch(piece)
    return numbered is not None and words.is_word((numbered["word"] or numbered["counted"]).lower())


def _is_counted(text: str, match: re.Match[str], piece: str) -> bool:
    """Whether a number before a piece shows that it is a plural: 6 hour5, 145 US dollar5."""
    before = text[max(0, match.start() - _FARTHEST_COUNT) : match.start()]
    return piece[-1] == "5" and _COUNT.search(before) is not None


def _spelt(piece: str, words: Vocabulary) -> str | None:
    """Return the word that a piece spells; None if its digits and signs do not stand for letters."""
    short = len(piece) < _FEWEST_LETTERS and piece[-1] not in "03"
    if not short or _BETWEEN.search(piece) or not any(map(str.isdigit, piece)):
        for word in _ways(piece):
            if word.lower() in words:
                return word
    letters = sum(map(str.isalpha, piece))
    return next(_ways(piece)) if letters >= _FEWEST_LETTERS and _INSIDE.fullmatch(piece) else None


def _ways(piece: str) -> Iterator[str]:
    """Yield the words that a piece may spell, at most 64 of them."""
    choices = [_LETTERS.get(char, char) for char in piece]
    ways = 1
    for at, choice in enumerate(choices):
        ways *= len(choice)
        if ways > _MOST_WAYS:
            choices[at] = choice[0]
    yield from map("".join, product(*choices))
