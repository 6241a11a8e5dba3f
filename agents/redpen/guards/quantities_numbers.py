"""Numbers in digits, in words and in both, read exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redpen.guards.quantities_lexer import Pieces

MAX_DIGITS = 15
"""A longer number is unread, and so a violation."""

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {"nought": 0, "nil": 0}
TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
} | {"fourty": 40}
SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
GLUED_SCALES = {"k": 1000, "mn": 10**6, "mm": 10**6, "bn": 10**9, "tn": 10**12, "mil": 10**6}
PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourth": 4,
    "fourths": 4,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "sixths": 6,
    "seventh": 7,
    "sevenths": 7,
    "eighth": 8,
    "eighths": 8,
    "ninth": 9,
    "ninths": 9,
    "tenth": 10,
    "tenths": 10,
    "twentieth": 20,
    "twentieths": 20,
    "hundredth": 100,
    "hundredths": 100,
    "thousandth": 1000,
    "thousandths": 1000,
}
ORDINALS = {
    word: value
    for value, word in enumerate(
        "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
        "sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=3,
    )
} | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100, "thousandth": 1000}
ARTICLES = frozenset({"a", "an"})
PLURALS = {
    "dozens": 12,
    "scores": 20,
    "tens": 10,
    "hundreds": 100,
    "thousands": 1000,
    "millions": 10**6,
    "billions": 10**9,
    "trillions": 10**12,
}

_GROUPS = re.compile(r"\d{1,3}(?:([,.'’_])\d{3})(?:\1\d{3}){0,4}")


@dataclass(frozen=True, slots=True)
class Number:
    """A number read from a text.

    Attributes:
        value: its exact value; None for one that cannot be read (too long, odd separators).
        end: index of the piece after it.
        other: the value of its second reading (``1.200``), if it has one.
        decimals: digits after the decimal point as written.
        article: whether ``a`` or ``an`` alone stands for one.
        digits: whether it is written in digits.
    """

    value: Fraction | None
    end: int
    other: Fraction | None = None
    decimals: int = 0
    article: bool = False
    digits: bool = False


def plain_number(piece: str) -> tuple[Fraction | None, Fraction | None, int]:
    """Read digits with separators: value, second reading, decimals.

    Args:
        piece: digits with ``.``, ``,``, an apostrophe or ``_`` between them.
    """
    if len(piece) > 2 * MAX_DIGITS or sum(char.isdigit() for char in piece) > MAX_DIGITS:
        return None, None, 0
    if piece.isdigit():
        return Fraction(int(piece)), None, 0
    if _GROUPS.fullmatch(piece):
        whole = Fraction(int(re.sub(r"\D", "", piece)))
        mark = next(char for char in piece if not char.isdigit())
        left, _, right = piece.partition(mark)
        if mark not in ",." or right.count(mark):
            return whole, None, 0
        part = Fraction(f"{left}.{right}")
        if mark == "." or left.startswith("0"):
            return part, (whole if not left.startswith("0") else None), 3
        return whole, part, 0
    for mark in ".,":
        head, found, tail = piece.rpartition(mark)
        if found and tail.isdigit() and (head.isdigit() or _GROUPS.fullmatch(head)):
            return Fraction(f"{re.sub(r'[^0-9]', '', head)}.{tail}"), None, len(tail)
    return None, None, 0


def number_at(pieces: Pieces, index: int) -> Number | None:
    """Read the number that begins at a piece: digits, words, mixed, with scale and fraction.

    Args:
        pieces: the text.
        index: where it may begin; ``a`` and ``an`` begin one before a scale, a dozen, a couple or a unit.

    Returns:
        The number, or None when none begins here. Looks a bounded number of pieces ahead.
    """
    low = pieces.low
    if pieces.digits(index):
        return _with_part(pieces, _in_digits(pieces, index), index)
    word = low[index]
    if word in ARTICLES:
        following = low[index + 1]
        if following in SCALES:
            return _with_part(pieces, _in_words(pieces, index), index)
        if following == "dozen":
            return Number(Fraction(12), index + 2)
        if following == "couple":
            return Number(Fraction(2), index + 3 if low[index + 2] == "of" else index + 2)
        return None
    if word == "couple":
        return Number(Fraction(2), index + 2 if low[index + 1] == "of" else index + 1)
    if word == "dozen":
        return Number(Fraction(12), index + 1)
    if word in UNITS or word in TENS or word in SCALES:
        return _with_part(pieces, _in_words(pieces, index), index)
    return None


def _in_digits(pieces: Pieces, index: int) -> Number:
    low = pieces.low
    value, other, decimals = plain_number(low[index])
    end = index + 1
    if low[index].isdigit() and len(low[index]) <= 3 and low[index][0] != "0":
        joined = low[index]
        while _spaced_group(pieces, end) and len(joined) < MAX_DIGITS:
            joined += low[end]
            end += 1
        if end > index + 1:
            value = Fraction(int(joined))
    if value is None:
        return Number(None, end, digits=True)
    scale = _scale_at(pieces, end)
    if scale > 1:
        end += 1
        value, other, decimals = value * scale, None if other is None else other * scale, 0
        while low[end] in SCALES:
            value *= SCALES[low[end]]
            end += 1
    elif low[end] == "dozen":
        return Number(value * 12, end + 1, digits=True)
    if value >= 10**MAX_DIGITS:
        return Number(None, end, digits=True)
    return Number(value, end, other, decimals, digits=True)


def _spaced_group(pieces: Pieces, index: int) -> bool:
    low = pieces.low[index]
    return (
        len(low) == 3
        and low.isdigit()
        and pieces.starts[index] == pieces.ends[index - 1] + 1
        and pieces.text[pieces.ends[index - 1]] == " "
    )


def _scale_at(pieces: Pieces, index: int) -> int:
    """Return what a scale word or letter after digits multiplies by; 1 for none."""
    word = pieces.low[index]
    if word in SCALES:
        return SCALES[word]
    stuck = pieces.glued(index) and (pieces.is_word[index + 1] or pieces.digits(index + 1))
    if pieces.glued_before(index) and not stuck:
        if word in GLUED_SCALES:
            return GLUED_SCALES[word]
        return {"M": 10**6, "B": 10**9, "T": 10**12}.get(pieces.raw[index], 1)
    return 1


def _in_words(pieces: Pieces, index: int) -> Number:
    low = pieces.low
    total = current = 0
    spoken = False
    place = index
    if low[place] in ARTICLES:
        current, spoken, place = 1, True, place + 1
    least = 10**18
    digits_written = False
    for _ in range(24):
        after = pieces.past_hyphen(place) if spoken else place
        word = low[after]
        if spoken and word == "and" and current % 100 == 0 and (current or total):
            following = low[after + 1]
            if (following in UNITS or following in TENS) and not _part_follows(pieces, after + 1):
                after, word = after + 1, following
        if word in UNITS:
            if spoken and (current % 10 or (current % 100 and UNITS[word] > 9) or digits_written):
                break
            if spoken and current % 100 == 0 and current == 0 and total == 0:
                break
            current += UNITS[word]
            digits_written = UNITS[word] < 10
        elif word in TENS:
            if spoken and current % 100:
                break
            current += TENS[word]
            digits_written = False
        elif word == "hundred":
            if current >= 100:
                break
            current = (current or 1) * 100
            digits_written = False
        elif word in SCALES:
            if SCALES[word] >= least:
                break
            least = SCALES[word]
            total += (current or 1) * least
            current = 0
            digits_written = False
        else:
            break
        spoken = True
        place = after + 1
    value = Fraction(total + current)
    if low[place] == "point":
        text = ""
        while low[place + 1] in UNITS and UNITS[low[place + 1]] < 10 and len(text) < 6:
            text += str(UNITS[low[place + 1]])
            place += 1
        if text:
            return Number(value + Fraction(f"0.{text}"), place + 1, decimals=len(text))
    return Number(value, place)


def _part_follows(pieces: Pieces, index: int) -> bool:
    return pieces.low[pieces.past_hyphen(index + 1)] in PARTS


def _with_part(pieces: Pieces, number: Number, index: int) -> Number:
    """Add the fraction that follows a whole number: five and a half, 5 1/2."""
    if number.value is None or number.value.denominator != 1:
        return number
    part = mixed_part_at(pieces, number.end, digits=pieces.digits(index))
    if part is None:
        return number
    return Number(number.value + part[0], part[1], decimals=0, digits=number.digits)


def mixed_part_at(pieces: Pieces, index: int, *, digits: bool) -> tuple[Fraction, int] | None:
    """Read ``and a half``, ``-and-three-quarters`` or, after digits, ``1/2``: value and end."""
    low = pieces.low
    place = pieces.past_hyphen(index)
    if low[place] == "and":
        found = part_at(pieces, pieces.past_hyphen(place + 1))
        if found is not None and low[found[1]] != "of" and low[pieces.past_hyphen(place + 1)] != "half":
            return found
        if found is not None and low[pieces.past_hyphen(place + 1)] == "half" and low[found[1]] not in ("of", "the"):
            return found
        return None
    if digits and place == index and pieces.digits(index):
        found = slash_at(pieces, index)
        if found is not None and 0 < found[0] < 1 and found[0].denominator in (2, 3, 4, 5, 6, 8, 10):
            return found
    return None


def slash_at(pieces: Pieces, index: int) -> tuple[Fraction, int] | None:
    """Read ``3/4``: value and end."""
    low = pieces.low
    if not (low[index].isdigit() and low[index + 1] == "/" and low[index + 2].isdigit()):
        return None
    if not (pieces.glued(index) and pieces.glued(index + 1)) or low[index + 3] == "/":
        return None
    if len(low[index]) > MAX_DIGITS or len(low[index + 2]) > MAX_DIGITS or not int(low[index + 2]):
        return None
    return Fraction(int(low[index]), int(low[index + 2])), index + 3


def part_at(pieces: Pieces, index: int) -> tuple[Fraction, int] | None:
    """Read a fraction: half, a third, two-thirds, three quarters, one half, 3/4; value and end.

    Whether an ordinal word (``third``, ``fifth``) is a part or a rank is for the caller to see.
    """
    low = pieces.low
    word = low[index]
    if word in ("half", "halves"):
        return Fraction(1, 2), index + 1
    if pieces.digits(index):
        return slash_at(pieces, index)
    if word in ARTICLES or (word in UNITS and 0 < UNITS[word] < 20):
        top = 1 if word in ARTICLES else UNITS[word]
        place = pieces.past_hyphen(index + 1)
        below = low[place]
        if below in PARTS and (top == 1) == (not below.endswith("s") and below != "halves"):
            return Fraction(top, PARTS[below]), place + 1
        if below == "half" and top == 1:
            return Fraction(1, 2), place + 1
    return None
