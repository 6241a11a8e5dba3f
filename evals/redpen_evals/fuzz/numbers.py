"""Numbers written in every usual way; written apart from the guards, which have to read them back."""

from __future__ import annotations

from fractions import Fraction

LARGEST = 999_999
"""Largest number that is written in words."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_DOZENS = {12: "a dozen", 24: "two dozen", 36: "three dozen"}


def in_words(number: int) -> str:
    """Return a number in words.

    Args:
        number: 0 to ``LARGEST``.

    Raises:
        ValueError: the number is out of bounds.
    """
    if not 0 <= number <= LARGEST:
        raise ValueError(f"{number} is not between 0 and {LARGEST}")
    if number < 20:
        return _UNITS[number]
    if number < 100:
        tens, unit = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_UNITS[unit]}" if unit else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_UNITS[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    link = " and" if 0 < rest < 100 else ""
    return f"{in_words(thousands)} thousand" + (f"{link} {in_words(rest)}" if rest else "")


def decimal(number: Fraction) -> str:
    """Return a number in digits, exactly; raises ValueError where four decimals do not hold it."""
    text = f"{float(number):.4f}".rstrip("0").rstrip(".")
    if Fraction(text) != number:
        raise ValueError(f"{number} needs more than four decimals")
    return text


def decimal_words(number: Fraction) -> str:
    """Return a number in words, the decimals digit by digit: ``three point four``."""
    whole, _, decimals = decimal(number).partition(".")
    spoken = in_words(int(whole))
    return f"{spoken} point {' '.join(_UNITS[int(digit)] for digit in decimals)}" if decimals else spoken


def ordinal(number: int) -> str:
    """Return the ordinal of a day: ``1st``, ``12th``, ``23rd``."""
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINAL_ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def count_spellings(number: int) -> tuple[str, ...]:
    """Return a whole number in digits, grouped, in words, in thousands and in dozens.

    Args:
        number: 0 to ``LARGEST``.
    """
    found = [str(number), in_words(number)]
    if number >= 1000:
        found.append(f"{number:,}")
        if number % 100 == 0:
            found.append(f"{decimal(Fraction(number, 1000))}k")
        if number % 100 == 0 and number % 1000 and number < 10_000:
            found.append(f"{in_words(number // 100)} hundred")
    if number in _DOZENS:
        found.append(_DOZENS[number])
    return tuple(found)
