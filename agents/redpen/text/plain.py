"""Characters made plain in a text: number signs set apart, flags and numerals spelt, look-alikes Latin."""

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
    """Return what sort of sign a character is, and how it reads where nothing around it counts."""
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
def _alone(char: str) -> str:
    """Return how a character reads whatever stands around it, where that is one character; else nothing."""
    sort, plain = _form(char)
    return plain if sort == "other" and len(plain) == 1 and char not in LOOK_ALIKES and char != "\r" else ""


def plain_at_once(text: str) -> str | None:
    """Return a text made plain sign for sign; None where a sign needs a look at what stands around it."""
    signs = {ord(char): _alone(char) for char in set(text) if not (" " <= char <= "~" or char in "\n\t")}
    return text.translate(signs) if all(signs.values()) else None


def plain_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that make characters plain, in order and without overlap."""
    if text.isascii() and text.isprintable():
        return
    spared = {} if text.isascii() else _look_alike_words(text, _mostly_latin(text))
    base = ""
    last = 0
    for match in _UNUSUAL.finditer(text):
        index, char = match.start(), match.group()
        if index < last:
            continue
        if index > last:
            base = text[index - 1]
        sort, plain = _form(char)
        last, instead = _plain(text, index, base, sort, spared.get(index) or plain)
        if instead and sort != "mark":
            base = instead[-1]
        if instead != char:
            yield index, last, instead


def _plain(text: str, index: int, base: str, sort: _Sort, plain: str) -> tuple[int, str]:
    """Return the end of the sign at ``index``, all that goes with it included, and how it reads there."""
    char, last = text[index], index + 1
    match sort:
        case "other":
            # A carriage return and the line feed after it are one line end.
            return last, "" if char == "\r" and text.startswith("\n", last) else plain
        case "number" | "raised":
            return last, _number_sign(text, index, base, plain, raised=sort == "raised")
        case "mark":
            # Over a Latin letter, a digit or a space a mark is decoration; other scripts need theirs.
            keep = base != "" and not base.isascii() and base.isalpha() and not is_latin(base)
            return last, char if keep else ""
        case "roman":
            return _roman(text, index, base)
        case "flag":
            return _flag(text, index)
        case _:
            assert_never(sort)


def _number_sign(text: str, index: int, base: str, plain: str, *, raised: bool) -> str:
    """Set a number sign off from the digits beside it: 10² is not 102, 5½ is five and a half."""
    if "/" not in plain and index > 0 and is_number_sign(text[index - 1]):
        return plain
    if raised and base.isalnum():
        return f"^{plain}"
    before = " " if base.isdigit() else ""
    following = text[index + 1 : index + 2]
    after = " " if following.isascii() and following.isdigit() else ""
    return f"{before}{plain}{after}"


def _roman(text: str, index: int, base: str) -> tuple[int, str]:
    """Return the end of a row of Roman numeral signs, and its number; its letters where it is in a word."""
    end = index
    while end < len(text) and end < index + _LONGEST_NUMERAL and is_roman(text[end]):
        end += 1
    letters = "".join(map(fold_char, text[index:end]))
    if base.isalnum() or text[end : end + 1].isalnum():
        return end, letters
    return end, str(roman_value(letters.upper()))


def _flag(text: str, index: int) -> tuple[int, str]:
    """Return the end of a flag spelt in tag characters and the two-letter flag of its country."""
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

    A word takes part when it holds a Latin letter or a digit beside them, or when all of it looks Latin
    and the text around does too; a word of another script stays as it is.
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
