"""Replaces characters by plain ones: number signs, flags, Roman numerals, look-alikes of Latin letters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, assert_never

from redpen.text.folding import (
    LOOK_ALIKES,
    fold_char,
    is_latin,
    is_mark,
    is_number_sign,
    is_raised,
    is_roman,
    roman_value,
)
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit

_UNUSUAL = lazy_pattern(r"[^\x20-\x7e\n\t]")
_WORD = lazy_pattern(r"[^\W_]+")
_LATIN = lazy_pattern(r"[A-Za-z]")
_FLAG_OFFSET = 0x1F1E6 - ord("a")
_TAG_BASE = 0xE0000
_BLACK_FLAG = "\U0001f3f4"
_LONGEST_NUMERAL = 12


_Sort = Literal["flag", "mark", "roman", "number", "raised", "other"]


@lru_cache(maxsize=4096)
def _form(char: str) -> tuple[_Sort, str]:
    """Return the sort of a character, and its plain form regardless of its surroundings."""
    if char == _BLACK_FLAG:
        return "flag", char
    if is_mark(char):
        return "mark", ""
    if is_roman(char):
        return "roman", char
    if is_number_sign(char):
        return ("raised" if is_raised(char) else "number"), fold_char(char)
    return "other", fold_char(char)


@lru_cache(maxsize=4096)
def _context_free_form(char: str) -> str:
    """Return the plain form of a character, if it is one character in any surroundings; else empty."""
    sort, plain = _form(char)
    return plain if sort == "other" and len(plain) == 1 and char not in LOOK_ALIKES and char != "\r" else ""


def translated_at_once(text: str) -> str | None:
    """Return a text in plain characters; None if the form of a character depends on its surroundings."""
    signs = {
        ord(char): _context_free_form(char)
        for char in set(text)
        if not (" " <= char <= "~" or char in "\n\t")
    }
    return text.translate(signs) if all(signs.values()) else None


def plain_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that replace characters by plain ones, in order and without overlap."""
    if text.isascii() and text.isprintable():
        return
    look_alikes = {} if text.isascii() else _look_alike_words(text, _mostly_latin(text))
    base = ""
    last = 0
    for match in _UNUSUAL.finditer(text):
        index, char = match.start(), match.group()
        if index < last:
            continue
        if index > last:
            base = text[index - 1]
        sort, plain = _form(char)
        last, replacement = _replacement(text, index, base, sort, look_alikes.get(index) or plain)
        if replacement and sort != "mark":
            base = replacement[-1]
        if replacement != char:
            yield index, last, replacement


def _replacement(text: str, index: int, base: str, sort: _Sort, plain: str) -> tuple[int, str]:
    """Return the end of the sign at ``index`` with all its characters, and its plain form there."""
    char, last = text[index], index + 1
    match sort:
        case "other":
            # A carriage return and the line feed after it are one line end.
            return last, "" if char == "\r" and text.startswith("\n", last) else plain
        case "number" | "raised":
            return last, _number_sign(text, index, base, plain, raised=sort == "raised")
        case "mark":
            # Marks over Latin letters, digits and spaces are decoration; letters of other scripts need them.
            keep = base != "" and not base.isascii() and base.isalpha() and not is_latin(base)
            return last, char if keep else ""
        case "roman":
            return _roman(text, index, base)
        case "flag":
            return _flag(text, index)
        case _:
            assert_never(sort)


def _number_sign(text: str, index: int, base: str, plain: str, *, raised: bool) -> str:
    """Return a number sign, separated from the digits beside it: 10² is not 102, 5½ is five and a half."""
    if "/" not in plain and index > 0 and is_number_sign(text[index - 1]):
        return plain
    if raised and base.isalnum():
        return f"^{plain}"
    before = " " if base.isdigit() else ""
    following = text[index + 1 : index + 2]
    after = " " if following.isascii() and following.isdigit() else ""
    return f"{before}{plain}{after}"


def _roman(text: str, index: int, base: str) -> tuple[int, str]:
    """Return the end of a run of Roman numeral signs, and its number, or its letters if it is in a word."""
    end = index
    while end < len(text) and end < index + _LONGEST_NUMERAL and is_roman(text[end]):
        end += 1
    letters = "".join(map(fold_char, text[index:end]))
    if base.isalnum() or text[end : end + 1].isalnum():
        return end, letters
    return end, str(roman_value(letters.upper()))


def _flag(text: str, index: int) -> tuple[int, str]:
    """Return the end of a flag written in tag characters, and the flag of its country."""
    end = index + 1
    letters = ""
    while end < len(text) and end <= index + 8 and _TAG_BASE < ord(text[end]) < _TAG_BASE + 0x80:
        letters += chr(ord(text[end]) - _TAG_BASE)
        end += 1
    if len(letters) < 2 or not letters[:2].isalpha():
        return index + 1, _BLACK_FLAG
    return end, "".join(chr(_FLAG_OFFSET + ord(letter)) for letter in letters[:2].lower())


def _mostly_latin(text: str) -> bool:
    others = sum(1 for char in text if not char.isascii() and char.isalpha() and char not in LOOK_ALIKES)
    return others * 3 < len(_LATIN.findall(text))


def _look_alike_words(text: str, latin: bool) -> dict[int, str]:
    """Return, by place, the Latin letters that look-alikes stand for.

    Only words that also contain a Latin letter or a digit are changed, and words of look-alikes alone in a
    Latin text; a word of another script is kept.
    """
    found: dict[int, str] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii():
            continue
        places = [place for place, char in enumerate(word) if char in LOOK_ALIKES]
        if not places:
            continue
        foreign = sum(1 for char in word if not char.isascii() and char.isalpha() and not is_latin(char))
        mixed = any(fold_char(char).isascii() and char.isalnum() for char in word)
        if mixed or (latin and foreign == len(places)):
            found.update((match.start() + place, LOOK_ALIKES[word[place]]) for place in places)
    return found
