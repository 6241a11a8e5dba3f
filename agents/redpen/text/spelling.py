"""Normalises the spelling of words and numbers: custorners, aII, soooo, fIxEd, XII minutes, .034."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.text.digit_letters import digit_letter_edits
from redpen.text.folding import roman_value
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import ScannedWords, Vocabulary

_POINT = lazy_pattern(r"[.](?<=[ (=~\n].)(?=\d)")
"""The point of a decimal fraction without a leading zero: .034."""
_DEFANGED = lazy_pattern(r"(?<!\w)(?i:hxxp)(?=s?://)")
_ROMAN = lazy_pattern(r"[IVXLC](?<![A-Za-z].)[IVXLC]{1,7}(?= ?(?:min|hour|second|day|week|per ?cent|%))")
_CAPITAL_HINT = lazy_pattern(r"[A-Z](?:(?<=[a-z].)|[A-Z]{5})")
_SHOUT = lazy_pattern(r"[A-Z]{6}")
_INNER_CAPITAL = lazy_pattern(r"[A-Z](?<=[A-Za-z].)")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CAPITALS = lazy_pattern(r"(?<![\w./:@#$'-])[A-Za-z]{3,40}+(?![\w/:@#]|\.\w)")
_SWINGS = lazy_pattern(r"[a-z]?(?:[A-Z][a-z]){1,20}[A-Z]?|[a-z][A-Z]{2,40}")
_SHORTEST_SHOUT = 6
_BEFORE_NAME = lazy_pattern(
    r"(?:(?<![a-z])(?:with|by|from|at|via|through|and|of|for|our|vendor|provider|partner|supplier|processor|"
    r"bank|carrier|host|colleagues)|(?<![A-Za-z])[A-Z][a-z]{2,20})[ \t]\Z"
)
_MONTHS = frozenset({"march", "may", "august", "mar"})
"""Months that are other words in lower case."""
_DAY_AFTER = lazy_pattern(r"[ \t]\d")
_VOWELS = frozenset("AEIOU")

_DRAWN_ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_STRETCHED = lazy_pattern(r"([a-z])\1{2,40}")
_FALSE_L = lazy_pattern(r"l[^aeiouly]")
_LOOK_HINT = lazy_pattern(r"rn|vv|cl|(?<![^ ])l[^aeiouly]|([a-z])\1\1")
_PIECE = lazy_pattern(r"(?<![\w'-])[A-Za-z]{2,40}+(?![\w-])")


def spelling_edits(text: str, words: Vocabulary, scanned: ScannedWords) -> Iterator[Edit]:
    """Yield the edits that normalise spellings, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
        words: the known words; a word that cannot be read as one of them is kept.
        scanned: the words of the text.
    """
    edits = sign_edits(text, words)
    if scanned.unknown:
        edits += _look_alike_edits(text, words, scanned)
    edits.sort()
    last = 0
    for start, end, replacement in edits:
        if start >= last:
            yield start, end, replacement
            last = end


def sign_edits(text: str, words: Vocabulary) -> list[Edit]:
    """Return the edits of words and numbers with digits, signs or capitals in them, in no order."""
    edits = [*digit_letter_edits(text, words)]
    edits += ((m.start(), m.end(), "0.") for m in _POINT.finditer(text))
    if "xx" in text:
        edits += ((m.start(), m.end(), "http") for m in _DEFANGED.finditer(text))
    edits += ((m.start(), m.end(), str(roman_value(m.group()))) for m in _ROMAN.finditer(text))
    if _CAPITAL_HINT.search(text):
        edits += _capital_edits(text, words)
    return edits


def may_hold_look_alike(unknown: Iterable[str], words: Vocabulary) -> bool:
    """Whether any of some unknown words in lower case looks like a known one, or is a stretched one."""
    return _LOOK_HINT.search(" ".join(unknown)) is not None and any(
        _resembled_word(word, words) for word in unknown
    )


def _capital_edits(text: str, words: Vocabulary) -> Iterator[Edit]:
    for match in _with_capitals(text):
        word = match.group()
        replacement = word
        if word.isupper():
            before = text[max(0, match.start() - 22) : match.start()]
            if _BEFORE_NAME.search(before) and _is_shouted_name(word, words) and not _shouts(text):
                replacement = word.capitalize()
        else:
            replacement = _lowered(word, words)
            if replacement.islower() and _DAY_AFTER.match(text, match.end()) and replacement in _MONTHS:
                replacement = replacement.capitalize()
        if replacement != word:
            yield match.start(), match.end(), replacement


def _with_capitals(text: str) -> Iterator[re.Match[str]]:
    """Yield the words that have a capital after their first letter."""
    done = 0
    for hint in _INNER_CAPITAL.finditer(text):
        start = hint.start()
        if start < done:
            continue
        while start > done and text[start - 1] in _LETTERS:
            start -= 1
        done = hint.end()
        while done < len(text) and text[done] in _LETTERS:
            done += 1
        match = _CAPITALS.match(text, start)
        if match is not None:
            yield match


def may_shout(text: str) -> bool:
    """Whether a text has words in capitals, which are names unless the whole text is in capitals."""
    return _SHOUT.search(text) is not None


@lru_cache(maxsize=8)
def _shouts(text: str) -> bool:
    """Whether most letters of a text are capitals."""
    return sum(map(str.isupper, text)) * 2 > sum(map(str.isalpha, text))


def _is_shouted_name(word: str, words: Vocabulary) -> bool:
    """Whether a word in capitals is a name, not an abbreviation."""
    vowels = sum(char in _VOWELS for char in word)
    return len(word) >= _SHORTEST_SHOUT and vowels > 1 and not words.is_word(word.lower())


def _lowered(word: str, words: Vocabulary) -> str:
    """Return a word with inner capitals in normal case; a name of two words (CedarPay) is kept."""
    for with_l in (word[0] + word[1:].replace("I", "l"), word.replace("I", "l")):
        if with_l != word and with_l.lower() in words and word.lower() not in words:
            return with_l
    if not _SWINGS.fullmatch(word) or word.removesuffix("s").isupper():
        return word
    if len(word) > 3 and sum(map(str.isupper, word[1:])) < 2 and not word[0].islower():
        return word
    if word.lower() in words.prose:
        return word.lower() if word[0].islower() else word.capitalize()
    # A word with one capital may be a brand.
    branded = sum(map(str.isupper, word)) < 2 and word.lower() not in words
    return word if branded else word.capitalize()


def _look_alike_edits(text: str, words: Vocabulary, scanned: ScannedWords) -> Iterator[Edit]:
    """Yield the edits of unknown words that look like known ones (lt, custorners) or are stretched."""
    readings = {word: seen for word in scanned.unknown if (seen := _resembled_word(word, words))}
    if not readings:
        return
    for match in _PIECE.finditer(text):
        word = match.group()
        seen = readings.get(word.lower())
        if seen is not None:
            # An initial small l may stand for a capital I.
            capital = word[0].isupper() or (word[0] == "l" and seen[0] == "i")
            yield match.start(), match.end(), seen.capitalize() if capital else seen


def _resembled_word(word: str, words: Vocabulary) -> str | None:
    """Return the known word that an unknown one looks like, or None."""
    ways = [word.replace(drawn, read) for drawn, read in _DRAWN_ALIKE if drawn in word and len(word) > 4]
    if _FALSE_L.match(word):
        ways.append(f"i{word[1:]}")
    if len(word) > 3 and _STRETCHED.search(word):
        ways += (_STRETCHED.sub(r"\1", word), _STRETCHED.sub(r"\1\1", word))
    return next((way for way in ways if way in words), None)
