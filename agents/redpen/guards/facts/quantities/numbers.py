"""Read numbers in digits and words."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.facts import vocab
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.facts.fact import Reading
    from redpen.guards.facts.quantities.pieces import Pieces


_MOST_WORDS = 24
_MOST_DECIMALS = 6
MAX_DIGITS = 15
"""A longer number cannot be read and is a violation."""


_CAPITAL_SCALES = {"M": 10**6, "B": 10**9, "T": 10**12}
_LIMIT = 10**MAX_DIGITS
_GROUPS = lazy_pattern(r"\d{1,3}(?:([,.'’_])\d{3})(?:\1\d{3}){0,4}")


class Measure(NamedTuple):
    """A number with its unit: the readings and the index of the piece after.

    ``silent`` marks words that look like a quantity but state none (``100% certain``).
    """

    readings: tuple[Reading, ...]
    end: int
    silent: bool = False


class Number(NamedTuple):
    """A number read from a text.

    Attributes:
        value: its exact value; None for one that cannot be read (too long, odd separators).
        end: index of the piece after it.
        other: the value of its second reading (``1.200``), if it has one.
        digits: whether it is written in digits.
    """

    value: Fraction | None
    end: int
    other: Fraction | None = None
    digits: bool = False


def is_year(number: str) -> bool:
    """Whether digits may be a year."""
    return number.isdecimal() and len(number) == len("2026") and "1900" <= number < "2200"


@lru_cache(maxsize=2048)
def plain_number(piece: str) -> tuple[Fraction | None, Fraction | None]:
    """Read digits with ``.``, ``,``, an apostrophe or ``_`` between them: value, second reading."""
    if len(piece) > 2 * MAX_DIGITS or sum(map(str.isdecimal, piece)) > MAX_DIGITS:
        return None, None
    if piece.isdecimal():
        return Fraction(int(piece)), None
    if _GROUPS.fullmatch(piece) and not piece.startswith("0,"):
        # Thousands, but after one full stop perhaps three decimals (1.200).
        whole = Fraction(int(re.sub(r"\D", "", piece)))
        left, mark, right = piece.partition(".")
        if not mark or "." in right or right == "000":
            return whole, None
        return Fraction(piece), (None if left.startswith("0") else whole)
    for mark in ".,":
        head, found, tail = piece.rpartition(mark)
        if found and tail.isdecimal() and (head.isdecimal() or _GROUPS.fullmatch(head)):
            return Fraction(f"{re.sub(r'[^0-9]', '', head)}.{tail}"), None
    return None, None


def number_at(pieces: Pieces, index: int) -> Number | None:
    """Read the number that begins at a piece: digits, words, mixed, with scale and fraction.

    ``a`` and ``an`` begin a number before a scale, a dozen or a couple. Looks a bounded number of pieces
    ahead.
    """
    low = pieces.low
    word = low[index]
    if pieces.digits(index):
        return _with_part(pieces, _in_digits(pieces, index))
    place = index + 1 if word in vocab.articles else index
    if low[place] in vocab.PACKS and (low[place] != "score" or _is_score(low, place)):
        end = place + 2 if low[place] != "dozen" and low[place + 1] == "of" else place + 1
        if low[place] != "pair" or (place > index and end > place + 1):
            return Number(Fraction(vocab.PACKS[low[place]]), end)
    if low[place] in vocab.SCALES or (place == index and (word in vocab.UNITS or word in vocab.TENS)):
        return _with_part(pieces, _in_words(pieces, index))
    return None


def _is_score(low: list[str], place: int) -> bool:
    """Whether a score is twenty ("a score of our clubs"), not a result ("a score of 3", "the score")."""
    after = low[place + 2]
    return (
        low[place - 1] in vocab.articles
        and low[place + 1] == "of"
        and (after.endswith("s") or after in vocab.whose)
    )


def _in_digits(pieces: Pieces, index: int) -> Number:
    low = pieces.low
    written = low[index]
    end = index + 1
    if written.isdecimal() and len(written) <= 3 and written[0] != "0":
        while _spaced_group(pieces, end) and len(written) < MAX_DIGITS:
            written += low[end]
            end += 1
    value, other = plain_number(written)
    if value is None:
        return Number(None, end, digits=True)
    scale = 12 if low[end] == "dozen" else _scale_at(pieces, end)
    if scale > 1:
        end += 1
        value, other = value * scale, None if other is None else other * scale
        if value >= _LIMIT:
            return Number(None, end, digits=True)
    return Number(value, end, other, digits=True)


def _spaced_group(pieces: Pieces, index: int) -> bool:
    """Whether a piece is three digits after a single blank, as in 12 500."""
    low = pieces.low[index]
    gap = pieces.text[pieces.ends[index - 1] : pieces.starts[index]]
    return gap == " " and len(low) == 3 and low.isdecimal()


def _scale_at(pieces: Pieces, index: int) -> int:
    """Return the factor of a scale word or letter after digits; 1 if there is none."""
    word = pieces.low[index]
    if word in vocab.SCALES:
        return vocab.SCALES[word]
    stuck = pieces.glued(index) and (pieces.is_word[index + 1] or pieces.digits(index + 1))
    letter = pieces.glued_before(index) and not stuck
    if word in vocab.short_scales or (letter and word in vocab.GLUED_SCALES):
        return vocab.GLUED_SCALES[word]
    return _CAPITAL_SCALES.get(pieces.raw[index], 1) if letter else 1


def _in_words(pieces: Pieces, index: int) -> Number:
    """Read number words: each either adds to the number so far, scales it, or ends it."""
    low = pieces.low
    total = current = 0
    least = 10**18
    place = index
    if low[place] in vocab.articles:
        current, place = 1, place + 1
    begun = place > index
    for _ in range(_MOST_WORDS):
        after = pieces.past_hyphen(place) if begun else place
        if begun and low[after] == "and" and current % 100 == 0 and _counts_on(pieces, after + 1):
            after += 1
        word = low[after]
        small = vocab.UNITS.get(word, vocab.TENS.get(word))
        if small is not None:
            if begun and not _fits_on(current, small, total):
                break
            current += small
        elif word == "hundred" and current < 100:
            current = (current or 1) * 100
        elif word != "hundred" and word in vocab.SCALES and vocab.SCALES[word] < least:
            least = vocab.SCALES[word]
            total, current = total + (current or 1) * least, 0
        else:
            break
        begun = True
        place = after + 1
    if low[place] == "dozen":
        return Number(Fraction(total + current) * 12, place + 1)
    return _with_decimals(pieces, Fraction(total + current), place)


def _fits_on(current: int, small: int, total: int) -> bool:
    """Whether a unit or ten may follow: forty, five; two hundred, five; but not five, ten."""
    if not current:
        return total > 0
    room = 100 if current % 100 == 0 else 10 if current % 10 == 0 else 0
    return 0 < small < room


def _counts_on(pieces: Pieces, index: int) -> bool:
    word = pieces.low[index]
    return (word in vocab.UNITS or word in vocab.TENS) and not _part_follows(pieces, index)


def _with_decimals(pieces: Pieces, whole: Fraction, place: int) -> Number:
    """Add "point three four" to a number in words."""
    words = pieces.low[place + 1 : place + 1 + _MOST_DECIMALS] if pieces.low[place] == "point" else []
    digits = [str(vocab.UNITS[word]) for word in takewhile(lambda it: vocab.UNITS.get(it, 10) < 10, words)]
    if not digits:
        return Number(whole, place)
    return Number(whole + Fraction("0." + "".join(digits)), place + 1 + len(digits))


def _part_follows(pieces: Pieces, index: int) -> bool:
    return pieces.low[pieces.past_hyphen(index + 1)] in vocab.PARTS


def _with_part(pieces: Pieces, number: Number) -> Number:
    """Add the fraction that follows a whole number: five and a half, 5 1/2."""
    if number.value is None or number.value.denominator != 1:
        return number
    part = mixed_part_at(pieces, number.end)
    if part is None:
        return number
    scale = vocab.SCALES.get(pieces.low[part[1]])
    end = part[1] + (scale is not None)
    return Number((number.value + part[0]) * (scale or 1), end, digits=number.digits)


def mixed_part_at(pieces: Pieces, index: int, *, of_unit: bool = False) -> tuple[Fraction, int] | None:
    """Read ``and a half``, ``-and-three-quarters`` or ``1/2``, of a unit or a number: value and end."""
    low = pieces.low
    place = pieces.past_hyphen(index)
    if low[place] == "and":
        place = pieces.past_hyphen(place + 1)
        found = part_at(pieces, place)
        of_another = ("of", "the", "past") if low[place] == "half" else ("of",)
        return None if found is not None and low[found[1]] in of_another and not of_unit else found
    found = slash_at(pieces, index)
    return found if found is not None and found[0] < 1 else None


def slash_at(pieces: Pieces, index: int) -> tuple[Fraction, int] | None:
    """Read ``3/4``: value and end."""
    low = pieces.low
    above, below = low[index], low[index + 2]
    written = above.isdecimal() and low[index + 1] == "/" and below.isdecimal() and low[index + 3] != "/"
    if not written or not (pieces.glued(index) and pieces.glued(index + 1)):
        return None
    if len(above) > MAX_DIGITS or len(below) > MAX_DIGITS or not int(below) or low[index + 3] in vocab.MONTHS:
        return None
    return Fraction(int(above), int(below)), index + 3


def part_at(pieces: Pieces, index: int) -> tuple[Fraction, int] | None:
    """Read a fraction: half, a third, two-thirds, three quarters, one half, 3/4; value and end.

    The caller decides whether an ordinal word (``third``, ``fifth``) is a fraction or a rank.
    """
    low = pieces.low
    word = low[index]
    if word in ("half", "halves"):
        return Fraction(1, 2), index + 1
    if pieces.digits(index):
        return slash_at(pieces, index)
    if word in vocab.PARTS and low[index + 1] == "of" and low[index + 3] in vocab.TIME:
        # "Every third of an hour".
        return Fraction(1, vocab.PARTS[word]), index + 1
    article = word in vocab.articles
    top = 1 if article else vocab.UNITS.get(word, 0)
    if not 0 < top < 20:
        return None
    place = pieces.past_hyphen(pieces.past(index + 1, vocab.emphasis, 1) if article else index + 1)
    below = low[place]
    if below in vocab.PARTS and (top == 1) == (not below.endswith("s")):
        return Fraction(top, vocab.PARTS[below]), place + 1
    return (Fraction(1, 2), place + 1) if below == "half" and top == 1 else None
