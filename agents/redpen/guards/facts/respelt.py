"""Recognise allowed identifiers and phone numbers in other spellings: spaced, joined, in part."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHORTEST_TAIL = 2
_SHORTEST_ALONE = 3
_PHONE_DIGITS = range(7, 18)
_LONGEST_PHONE = 60
_LONGEST_LETTERS = 120
_CODE = lazy_pattern(r"([a-z0-9_]*?[a-z][a-z0-9_]*?_?)(\d+)")
_NOT_DIGITS = lazy_pattern(r"\D")


def short_names(identifier: str) -> Iterator[str]:
    """Yield the other names of an identifier: its parts joined, its number alone.

    Its parts are joined by underscores, as in all identifiers: ``inc_90417`` is ``inc90417`` and ``90417``.
    """
    yield identifier.replace("_", "")
    _, number = _cut(identifier)
    if len(number) >= _SHORTEST_TAIL:
        yield number


@lru_cache(maxsize=512)
def _cut(identifier: str) -> tuple[str, str]:
    """Return the letters of an identifier without underscores, and its number; empty if it has none."""
    if identifier.isdecimal() and len(identifier) >= _SHORTEST_ALONE:
        return "", identifier
    match = _CODE.fullmatch(identifier)
    return (match[1].replace("_", ""), match[2]) if match else ("", "")


def is_number_of(text: str, start: int, end: int, identifiers: Iterable[str]) -> bool:
    """Whether digits in a text are the number of an identifier, alone or after its letters."""
    digits = text[start:end].lower()
    if text[end : end + 1] in ("-", "_") and text[end + 1 : end + 2].isalnum():
        return False
    for name in identifiers:
        letters, number = _cut(name)
        if not number or number != digits:
            continue
        if _ends_with(text[max(0, start - _LONGEST_LETTERS) : start], letters):
            return True
        before = text[max(0, start - 20) : start].rstrip(" #:")
        word = before[before.rfind(" ") + 1 :]
        if len(digits) >= _SHORTEST_ALONE and not (
            word.isupper() or before[-1:] in ("-", "_", "–", "/", ".")
        ):
            return True
    return False


def _ends_with(before: str, letters: str) -> bool:
    """Whether a text ends with letters as a separate word, with at most marks between them."""
    marks = f"[{re.escape(''.join(sorted(vocab.identifier_marks)))}]{{0,3}}"
    spelt = "".join(letter + marks for letter in letters)
    return re.search(rf"(?<![^\W_]){spelt}\Z", before, re.IGNORECASE) is not None


def phone_in(text: str, start: int, end: int, regions: Iterable[str]) -> str:
    """Return the phone number that contains some digits of a text, as ``same_phone`` does; empty if none."""
    first, last = max(0, start - _LONGEST_PHONE), end + _LONGEST_PHONE
    while start > first and text[start - 1] in vocab.in_phone:
        start -= 1
    while end < last and text[end : end + 1] in vocab.in_phone:
        end += 1
    return "" if start == first > 0 or end == last else same_phone(text[start:end].strip(" .-/"), regions)


def same_phone(number: str, regions: Iterable[str]) -> str:
    """Return the canonical form of a phone number, without marks and prefixes.

    Args:
        number: as written, or its digits.
        regions: the canonical regions whose prefixes may be omitted.

    Returns:
        Its digits, with a leading plus for a foreign prefix. Empty if it is not a phone number.
    """
    digits = _NOT_DIGITS.sub("", number)
    if len(digits) not in _PHONE_DIGITS:
        return ""
    codes = [vocab.CALLING_CODES[region] for region in regions if region in vocab.CALLING_CODES]
    if "+" in number or digits.startswith("00"):
        digits = digits.removeprefix("00")
        code = next((code for code in codes if digits.startswith(code)), "")
        return digits.removeprefix(code).lstrip("0") if code else f"+{digits}"
    if "1" in codes and len(digits) == 11 and digits[0] == "1":
        return digits[1:]
    return digits.lstrip("0")
