"""Renderers: for each kind of fact, the common ways to write a value.

They are independent of the guards' grammar, so that parsing a rendering must return the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from redpen_evals.fuzz.sentences import DATA

LARGEST = 999_999
"""Largest number that can be written in words."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def in_words(number: int) -> str:
    """Return a number, 0 to ``LARGEST``, in words; raises ValueError for any other."""
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
    """Return a number in digits, exactly; raises ValueError if it needs more than four decimals."""
    text = f"{float(number):.4f}".rstrip("0").rstrip(".")
    if Fraction(text) != number:
        raise ValueError(f"{number} needs more than four decimals")
    return text


def decimal_words(number: Fraction) -> str:
    """Return a number in words, the decimals digit by digit: ``three point four``."""
    whole, _, decimals = decimal(number).partition(".")
    words = in_words(int(whole))
    return f"{words} point {' '.join(_UNITS[int(digit)] for digit in decimals)}" if decimals else words


def ordinal(number: int) -> str:
    """Return the ordinal of a day: ``1st``, ``12th``, ``23rd``."""
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINAL_ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def count_spellings(number: int) -> tuple[str, ...]:
    """Return a number, 0 to ``LARGEST``, in digits, grouped, in words, in thousands and in dozens."""
    spellings = [str(number), in_words(number)]
    if number >= 1000:
        spellings.append(f"{number:,}")
        if number % 100 == 0:
            spellings.append(f"{decimal(Fraction(number, 1000))}k")
        if number % 100 == 0 and number % 1000 and number < 10_000:
            spellings.append(f"{in_words(number // 100)} hundred")
    return (*spellings, *_NAMED["count"].get(number, ()))


_MONTHS = ("January February March April May June July August September October November December").split()
_NAMED: Mapping[str, Mapping[Any, list[str]]] = DATA["named_values"]

REGIONS: tuple[str, ...] = tuple(_NAMED["region"])
"""The regions that can be rendered; each is a new fact if only another one is allowed."""


def share(percent: Fraction) -> tuple[str, ...]:
    """Return a percentage, of at most two decimals, in digits and words, and by its name if it has one."""
    digits, words = decimal(percent), decimal_words(percent)
    return (
        f"{digits}%",
        f"{digits} %",
        f"{digits} percent",
        f"{digits} per cent",
        f"{digits} pct",
        f"{words} percent",
        f"{words} per cent",
        *_NAMED["share"].get(percent, ()),
    )


def duration(seconds: int) -> tuple[str, ...]:
    """Return a duration in seconds, minutes and hours, mixed and glued.

    It is of whole minutes, at least one, and less than a day; else it raises ValueError.
    """
    minutes, rest = divmod(seconds, 60)
    if rest or not minutes:
        raise ValueError(f"{seconds} seconds is not a positive number of whole minutes")
    plural = "s" if minutes > 1 else ""
    spellings = [
        f"{minutes} minute{plural}",
        f"{minutes} min",
        f"{minutes}min",
        f"{minutes} mins",
        f"{in_words(minutes)} minute{plural}",
        f"{seconds} seconds",
        *_NAMED["duration"].get(seconds, ()),
    ]
    hours, remainder = divmod(minutes, 60)
    if hours and remainder:
        unit = "hour" if hours == 1 else "hours"
        spellings += [
            f"{hours} {unit} {remainder} minutes",
            f"{hours} {unit} and {remainder} minutes",
            f"{hours}h{remainder:02}",
            f"{in_words(hours)} {unit} and {in_words(remainder)} minutes",
        ]
    elif hours == 1:
        spellings += ["an hour", "one hour", "1 hour", "1h"]
    elif hours:
        spellings += [f"{hours} hours", f"{in_words(hours)} hours", f"{hours}h", f"{hours} hrs"]
    return tuple(spellings)


def interval(seconds: int) -> tuple[str, ...]:
    """Return an interval, for use after *every*; arguments as for ``duration``."""
    return tuple(
        text.removeprefix("an ") if text in ("an hour", "an hour and a half") else text
        for text in (item.removeprefix("a ") for item in duration(seconds))
        if "half hour" not in text and not text.startswith("half an") and not text.startswith("couple")
    )


def day(value: date) -> tuple[str, ...]:
    """Return a date in ISO format, with the month's name, and in digits in either order."""
    month, number = _MONTHS[value.month - 1], value.day
    short = "Sept" if month == "September" else month[:3]
    return (
        value.isoformat(),
        f"{month} {number}, {value.year}",
        f"{number} {month} {value.year}",
        f"{month} {number}",
        f"{month} {ordinal(number)}",
        f"{number} {month}",
        f"the {ordinal(number)} of {month}",
        f"{short} {number}",
        f"{number} {short} {value.year}",
        f"{value.month:02}/{number:02}/{value.year}",
        f"{number:02}/{value.month:02}/{value.year}",
    )


def clock(minutes: int) -> tuple[str, ...]:
    """Return a time of day, in minutes since midnight, on the 24-hour and the 12-hour clock."""
    hours, rest = divmod(minutes, 60)
    half = "am" if hours < 12 else "pm"
    twelve = hours % 12 or 12
    spellings = [
        f"{hours:02}:{rest:02}",
        f"{twelve}:{rest:02} {half}",
        f"{twelve}:{rest:02}{half}",
        f"{twelve}:{rest:02} {half.upper()}",
        f"{twelve}:{rest:02} {half[0]}.m.",
    ]
    if not rest:
        spellings += [f"{twelve} {half}", f"{twelve}{half}", f"{twelve} {half[0]}.m."]
    return (*spellings, *_NAMED["time"].get(minutes, ()))


def money(dollars: int) -> tuple[str, ...]:
    """Return US dollars, at least 2: by sign, code and name, grouped, in words and in thousands."""
    forms = count_spellings(dollars)
    figures = [text for text in forms if text[0].isdigit()]
    words = [text for text in forms if not text[0].isdigit()]
    return (
        *(f"${text}" for text in figures),
        *(f"US${text}" for text in figures),
        *(f"{text} USD" for text in figures),
        *(f"USD {text}" for text in figures if not text.endswith("k")),
        *(f"{text} dollars" for text in (*figures, *words)),
        *(f"{text} US dollars" for text in figures),
    )


def multiplier(times: int) -> tuple[str, ...]:
    """Return a multiplier, for use before *the usual …*; ``times`` is at least 2."""
    return (f"{times}x", f"{times} times", f"{in_words(times)} times", *_NAMED["multiplier"].get(times, ()))


def identifier(name: str) -> tuple[str, ...]:
    """Return an identifier as it is and in capitals."""
    return tuple(dict.fromkeys((name, name.upper(), name.capitalize())))


def severity(level: int) -> tuple[str, ...]:
    """Return a severity label of the P scale, 0 to 5."""
    return (f"P{level}", f"p{level}", f"priority {level}", f"Priority {level}", f"priority {in_words(level)}")


def region(name: str) -> tuple[str, ...]:
    """Return the synonyms of a region of ``REGIONS``, for use after *in*."""
    return tuple(_NAMED["region"][name])


def contact(address: str) -> tuple[str, ...]:
    """Return an e-mail address as it is and with its domain in capitals."""
    user, _, domain = address.partition("@")
    return (address, f"{user}@{domain.upper()}")
