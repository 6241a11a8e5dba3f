"""Dates, in every usual form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.quantities.numbers import CODES, CURRENCY_WORDS, ORDINALS, SIGNS, TENS, TIME
from redpen.guards.facts.quantities.times import NAMED_TIMES, ZONES, Found

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_NAMES = "january february march april may june july august september october november december".split()
MONTHS = (
    {name: number for number, name in enumerate(_NAMES, start=1)}
    | {name[:3]: number for number, name in enumerate(_NAMES, start=1)}
    | {"sept": 9}
)
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name: name for name in _DAY_NAMES} | {f"{name}s": name for name in _DAY_NAMES}
SHORT_WEEKDAYS = {name[:3]: name for name in _DAY_NAMES} | {
    "tues": "tuesday",
    "weds": "wednesday",
    "thur": "thursday",
    "thurs": "thursday",
}
_SHORT_MONTHS = frozenset(name[:3] for name in _NAMES) | {"sept"}
_WORDS_TOO = frozenset({"may", "march", "mar", "sun", "sat", "mon", "dec", "august", "wed", "jan", "jun"})
_DATE_PREPOSITIONS = word_set("quantities_calendar", "date_prepositions")
_DAYS = {"first": 1, "second": 2} | {word: value for word, value in ORDINALS.items() if value <= 30}
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
HOW_LATE = frozenset("early late mid".split())
PARTS_OF_DAY = frozenset("morning afternoon evening night".split())
AFTER_DIGITS = frozenset(
    {
        *MONTHS,
        *_SUFFIXES,
        *ZONES,
        "-",
        "/",
        "of",
        ":",
        "h",
        "am",
        "pm",
        "a",
        "p",
        "o'clock",
        "oclock",
        "past",
        "to",
    }
    | {"in", "at", "+", ".", "this", "tonight", *NAMED_TIMES}
)
"""What may follow digits that are part of a date or a time of day."""


def date_at(pieces: Pieces, index: int) -> Found | None:
    """Read the date that begins at a piece, if one does: digits, month names, weekdays."""
    word = pieces.low[index]
    found = None
    if pieces.digits(index):
        found = _digit_date(pieces, index) or _day_first(pieces, index)
    elif word in MONTHS:
        found = _month_first(pieces, index)
    elif word in WEEKDAYS or word in SHORT_WEEKDAYS:
        found = weekday_at(pieces, index)
    elif word in _DAYS or word in TENS:
        found = _day_first(pieces, index)
    return found


def dates(year: int | None, first: int, second: int) -> tuple[Reading, ...]:
    """Return the readings of two numbers as month and day, in either order."""
    found = []
    for month, day in ((first, second), (second, first)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            reading = Reading(kind="date", value=(year, month, day))
            if reading not in found:
                found.append(reading)
    return tuple(found)


def _full_year(piece: str) -> int | None:
    if piece.isdecimal() and len(piece) == 4 and 1900 <= int(piece) <= 2199:
        return int(piece)
    return None


def _digit_date(pieces: Pieces, index: int) -> Found | None:
    low = pieces.low
    piece = low[index]
    if piece.count(".") == 2:
        return _three(piece.split("."), index + 1)
    if piece.isdecimal() and len(piece) == 8:
        if low[index + 1] in CODES or low[index + 1] in CURRENCY_WORDS or (index and low[index - 1] in SIGNS):
            return None
        found = _three([piece[:4], piece[4:6], piece[6:]], index + 1)
        number = Reading(kind="number", value=Fraction(int(piece)))
        return ((*found[0], number), index + 1) if found else None
    mark = low[index + 1]
    parted = mark in ("-", "/") and low[index + 3] == mark
    if not parted or not all(pieces.glued(index + step) for step in range(4)):
        return None
    found = _three([piece, low[index + 2], low[index + 4]], index + 5)
    if found is not None and low[found[1]] == "t" and pieces.glued_before(found[1]):
        return found[0], found[1] + 1
    return found


def _three(parts: list[str], end: int) -> Found | None:
    if not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return None
    first, second, third = (int(part) for part in parts)
    year = _full_year(parts[0])
    if year is not None:
        if 1 <= second <= 12 and 1 <= third <= 31:
            return (Reading(kind="date", value=(year, second, third)),), end
        return None
    year = _full_year(parts[2]) or (2000 + third if len(parts[2]) == 2 else None)
    if year is None:
        return None
    found = dates(year, first, second)
    return (found, end) if found else None


def _day_at(pieces: Pieces, index: int) -> tuple[int, int] | None:
    """Read a day of the month, ordinal or not: day and end."""
    low = pieces.low
    word = low[index]
    if word.isdecimal() and len(word) <= 2 and 1 <= int(word) <= 31:
        end = index + 1
        if low[end] in _SUFFIXES and pieces.glued_before(end):
            end += 1
        return int(word), end
    if word in _DAYS:
        return _DAYS[word], index + 1
    if word in ("twenty", "thirty") and _DAYS.get(low[index + 2], 99) < 10:
        return TENS[word] + _DAYS[low[index + 2]], index + 3
    return None


def year_after(pieces: Pieces, index: int) -> tuple[int | None, int]:
    """Read the year that follows a day or a month: 2026, '26, of this year; the year, if said, and end."""
    low = pieces.low
    place = index + 1 if low[index] in (",", "of", ".") else index
    year = _full_year(low[place])
    if year is not None and not (low[place + 1] in ("%", ":") or low[place + 1] in TIME):
        return year, place + 1
    if (
        low[place] in ("'", "’")
        and pieces.glued(place)
        and len(low[place + 1]) == 2
        and low[place + 1].isdecimal()
    ):
        return 2000 + int(low[place + 1]), place + 2
    if low[place : place + 2] == ["this", "year"]:
        return None, place + 2
    return None, index


def _day_first(pieces: Pieces, index: int) -> Found | None:
    day = _day_at(pieces, index)
    if day is None:
        return None
    place = day[1] + (pieces.low[day[1]] in ("of", "-"))
    month = pieces.low[place]
    if (
        pieces.low[place - 1] == "of"
        and month in ("the", "this", "next")
        and pieces.low[place + 1] == "month"
    ):
        shift = " of next month" if month == "next" else None
        return (Reading(kind="date", value=f"{day[0]}{shift}" if shift else (None, None, day[0])),), place + 2
    if month not in MONTHS or (month in _WORDS_TOO and not pieces.raw[place][0].isupper()):
        return None
    end = place + 1
    if month in _SHORT_MONTHS and pieces.low[end] == "." and pieces.glued_before(end):
        end += 1 if pieces.low[end + 1].isdecimal() else 0
    year, end = year_after(pieces, end)
    return (Reading(kind="date", value=(year, MONTHS[month], day[0])),), end


def _month_first(pieces: Pieces, index: int) -> Found | None:
    low = pieces.low
    month = MONTHS[low[index]]
    place = index + 1
    if low[index] in _SHORT_MONTHS and low[place] == "." and pieces.glued_before(place):
        place += 1
    place = place + 1 if low[place] == "the" else place
    year, end = year_after(pieces, place)
    if year is not None:
        return (Reading(kind="date", value=(year, month, None)),), end
    day = _day_at(pieces, place)
    plain_word = low[index] in _WORDS_TOO
    if day is not None and not (plain_word and not pieces.raw[index][0].isupper()):
        clock = low[day[1]] == ":" and pieces.digits(day[1] + 1) and pieces.glued(day[1])
        if low[day[1]] == "%" or clock or (low[day[1]] in TIME and low[place] not in _DAYS):
            return None
        year, end = year_after(pieces, day[1])
        return (Reading(kind="date", value=(year, month, day[0])),), end
    before = low[index - 1] if index else ""
    hyphen = before == "-" and index > 1 and pieces.glued_before(index)
    before = low[index - 2] if hyphen else before
    ordinary = low[index] in _SHORT_MONTHS or plain_word
    if not pieces.raw[index][0].isupper() or (ordinary and before not in _DATE_PREPOSITIONS):
        return None
    if before in HOW_LATE:
        return (Reading(kind="date", value=f"{before} {_NAMES[month - 1]}"),), index + 1
    return (Reading(kind="date", value=(None, month, None)),), index + 1


def weekday_at(pieces: Pieces, index: int) -> Found | None:
    """Read the weekday at a piece, with the date that follows it."""
    low = pieces.low
    word = low[index]
    name = WEEKDAYS.get(word) or SHORT_WEEKDAYS[word]
    place = index + 1
    if (low[place] in (",", ".") and word in SHORT_WEEKDAYS) or low[place] in (",", "the", "("):
        place += 1
    following = (
        date_at(pieces, place) if not (low[place] in WEEKDAYS or low[place] in SHORT_WEEKDAYS) else None
    )
    if following is not None and isinstance(following[0][0].value, tuple):
        named = tuple(
            Reading(kind="date", value=r.value, unit=name) for r in following[0] if r.kind == "date"
        )
        return named, following[1]
    rank = _day_at(pieces, place)
    if rank is not None and (low[place] in _DAYS or rank[1] == place + 2) and low[rank[1]] != "of":
        return (Reading(kind="date", value=(None, None, rank[0]), unit=name),), rank[1]
    if word in SHORT_WEEKDAYS:
        before = low[index - 1] if index else ""
        if not pieces.raw[index][0].isupper() or before not in _DATE_PREPOSITIONS:
            return None
    if low[index + 1] in PARTS_OF_DAY:
        return (Reading(kind="date", value=f"{name} {low[index + 1]}"),), index + 2
    return (Reading(kind="date", value=name),), index + 1


def month_name(word: str) -> str:
    """Return the name of a month in full, from any of ``MONTHS``."""
    return _NAMES[MONTHS[word] - 1]


def weekday_of(value: tuple[int | None, int | None, int | None]) -> str:
    """Return the weekday of a full date; empty when a part is missing or the day does not exist."""
    from datetime import date

    year, month, day = value
    if year is None or month is None or day is None:
        return ""
    try:
        return _DAY_NAMES[date(year, month, day).weekday()]
    except ValueError:
        return ""
