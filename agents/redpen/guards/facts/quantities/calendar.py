"""Read dates in every usual form, and days and parts of days relative to today: tomorrow, Q2."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Date, Kind, Reading
from redpen.guards.facts.phrases import phrases_of
from redpen.guards.facts.quantities.numbers import is_year
from redpen.guards.facts.quantities.times import Found, clock_readings, half_day, time_at, zone_at
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from datetime import date

    from redpen.guards.facts.quantities.pieces import Pieces

_NAMES = [name for name in vocab.MONTHS if name not in vocab.short_months or name == "may"]
_TENS_OF_DAYS = ("twenty", "thirty")
_DAYS = {"first": 1, "second": 2} | {word: value for word, value in vocab.ORDINALS.items() if value <= 30}
_IN_DIGITS = lazy_pattern(r"(\d{1,4})([-/.])(\d{1,4})\2(\d{1,4})(?!\d)(?:[Tt](?=\d))?")
_DOTTED = lazy_pattern(r"([0-3]?\d)\.([0-3]?\d)(?=\.(?!\d))")
_FOLLOWING = lazy_pattern(r"^(?:following|coming|upcoming) ")
_NOON = 720
_LAST_HOUR = 23


def date_at(pieces: Pieces, index: int) -> Found | None:
    """Read the date that begins at a piece, if any: digits, month names, weekdays."""
    word = pieces.low[index]
    if pieces.digits(index):
        return _in_digits(pieces, index) or _dotted(pieces, index) or _day_first(pieces, index)
    if word in vocab.MONTHS:
        return _month_first(pieces, index)
    if word in vocab.WEEKDAYS or word in vocab.SHORT_WEEKDAYS:
        return None if pieces.low[index - 1] in vocab.salutations else weekday_at(pieces, index)
    return _day_first(pieces, index) if word in _DAYS or word in _TENS_OF_DAYS else None


def dates(year: int | None, first: int, second: int) -> tuple[Reading, ...]:
    """Return the readings of two numbers as month and day, in either order."""
    orders = dict.fromkeys(((first, second), (second, first)))
    fitting = (order for order in orders if 1 <= order[0] <= 12 and 1 <= order[1] <= 31)
    return tuple(Reading(kind="date", value=(year, month, day)) for month, day in fitting)


def _in_digits(pieces: Pieces, index: int) -> Found | None:
    """Read 2026-03-06, 06.03.2026 and 3/6/26."""
    found = _IN_DIGITS.match(pieces.text, pieces.starts[index])
    if found is None:
        return None
    first, second, last = found[1], int(found[3]), found[4]
    if is_year(first):
        readings = dates(int(first), second, int(last))[:1]
    elif is_year(last) or len(last) == len("26"):
        readings = dates(int(last) + (0 if is_year(last) else 2000), int(first), second)
    else:
        readings = ()
    return (readings, pieces.index_at(found.end())) if readings else None


def _dotted(pieces: Pieces, index: int) -> Found | None:
    """Read 19.04., which may be a time of day or a number at the end of a sentence too."""
    found = _DOTTED.match(pieces.text, pieces.starts[index])
    readings = dates(None, int(found[1]), int(found[2])) if found else ()
    if found is None or not readings:
        return None
    number = Reading(kind="number", value=Fraction(pieces.low[index]))
    hour, minute = int(found[1]), int(found[2])
    clock = clock_readings(hour, minute, "") if hour <= _LAST_HOUR else ()
    return (*readings, *clock, number), pieces.index_at(found.end(2))


def _day_at(pieces: Pieces, index: int) -> tuple[int, int] | None:
    """Read a day of the month, ordinal or not: day and end."""
    low = pieces.low
    word = low[index]
    if word.isdecimal() and len(word) <= 2 and 1 <= int(word) <= 31:
        return int(word), index + 1 + (low[index + 1] in vocab.rank_endings)
    unit = pieces.past_hyphen(index + 1)
    if word in _TENS_OF_DAYS and _DAYS.get(low[unit], 31) <= 9:
        return vocab.TENS[word] + _DAYS[low[unit]], unit + 1
    return (_DAYS[word], index + 1) if word in _DAYS else None


def _year_after(pieces: Pieces, index: int) -> tuple[int | None, int]:
    """Read the year that follows a day or a month: 2026, '26, of this year; the year, if given, and end."""
    low = pieces.low
    place = index + (low[index] in (",", "of", "."))
    if low[place : place + 2] == ["this", "year"]:
        return None, place + 2
    if low[place] == "'" and low[place + 1].isdecimal() and len(low[place + 1]) == len("26"):
        return 2000 + int(low[place + 1]), place + 2
    return (int(low[place]), place + 1) if is_year(low[place]) else (None, index)


def _day_first(pieces: Pieces, index: int) -> Found | None:
    """Read 6 March, the sixth of March and "the first of next month"."""
    low = pieces.low
    day = _day_at(pieces, index)
    if day is None:
        return None
    place = day[1] + (low[day[1]] in ("of", "-"))
    month = low[place].removesuffix("'s")
    if low[place] == "/" and low[place + 1].isdecimal() and low[place + 2] in vocab.MONTHS:
        # "17/18 October".
        return (Reading(kind="date", value=(None, vocab.MONTHS[low[place + 2]], day[0])),), place
    if month in ("the", "this", "next") and low[place + 1] == "month":
        value = f"{day[0]} of next month" if month == "next" else (None, None, day[0])
        return (Reading(kind="date", value=value),), place + 2
    if month not in vocab.MONTHS or (month in vocab.months_and_words and not pieces.is_capital(place)):
        return _bare_day(pieces, index, *day)
    year, end = _year_after(pieces, place + 1)
    return (Reading(kind="date", value=(year, vocab.MONTHS[month], day[0])),), end


def _bare_day(pieces: Pieces, index: int, day: int, end: int) -> Found | None:
    """Read "the twenty-third"; "a twenty-second delay" is a duration."""
    low = pieces.low
    lasts = low[end - 1] == "second" and (pieces.is_word[end] or low[index - 1] != "the")
    if low[index] not in _TENS_OF_DAYS or lasts:
        return None
    rank = Reading(kind="number", value=Fraction(day), unit="rank")
    return (rank, Reading(kind="date", value=(None, None, day))), end


def _month_first(pieces: Pieces, index: int) -> Found | None:
    """Read March 6, March 2026 and "by mid March"."""
    low = pieces.low
    word, capital = low[index], pieces.is_capital(index)
    month = vocab.MONTHS[word]
    place = index + 1 + (word in vocab.short_months and low[index + 1] == ".")
    place += low[place] == "the"
    year, end = _year_after(pieces, place)
    day = _day_at(pieces, place)
    ordinary = word in vocab.months_and_words
    if day is not None and (capital or not ordinary):
        year, end = _year_after(pieces, day[1])
        return (Reading(kind="date", value=(year, month, day[0])),), end
    if year is not None:
        return (Reading(kind="date", value=(year, month, None)),), end
    before = low[index - 2] if low[index - 1] == "-" else low[index - 1]
    # "Your March bill": in running text, only the month has a capital.
    alone = not (low[index - 1] or low[index + 1])
    shown = alone or (pieces.is_word[index - 1] and pieces.raw[index - 1].islower())
    shown = shown or low[index - 1] in vocab.determiners
    if not capital or (ordinary and not shown and before not in vocab.date_prepositions):
        return None
    opens = word == "may" and pieces.broken(index - 1)
    if opens and pieces.is_word[index + 1] and not pieces.is_capital(index + 1):
        # "May happen: …".
        return None
    value = f"{before} {_NAMES[month - 1]}" if before in vocab.how_late else (None, month, None)
    return (Reading(kind="date", value=value),), index + 1


def weekday_at(pieces: Pieces, index: int) -> Found | None:
    """Read the weekday at a piece, with the date that follows it."""
    low = pieces.low
    word = low[index]
    short = word in vocab.SHORT_WEEKDAYS
    name = vocab.SHORT_WEEKDAYS[word] if short else vocab.WEEKDAYS[word]
    place = index + 1 + (low[index + 1] in (",", "the", "("))
    following = None if low[place] in vocab.WEEKDAYS else date_at(pieces, place)
    if following is not None and isinstance(following[0][0].value, tuple):
        named = (Reading(kind="date", value=reading.value, unit=name) for reading in following[0])
        return tuple(named), following[1]
    rank = _day_at(pieces, place)
    if rank is not None and (low[place] in _DAYS or rank[1] == place + 2):
        return (Reading(kind="date", value=(None, None, rank[0]), unit=name),), rank[1]
    if short and not (pieces.is_capital(index) and low[index - 1] in vocab.date_prepositions):
        return None
    part = low[index + 1] in vocab.parts_of_day
    return (Reading(kind="date", value=f"{name} {low[index + 1]}" if part else name),), index + 1 + part


def day_of(value: Date) -> date | None:
    """Return the day of a full date; None if a part is missing or the day does not exist."""
    from datetime import date

    try:
        return date(*(part or 0 for part in value))
    except ValueError:
        return None


def weekday_of(value: Date) -> str:
    """Return the weekday of a full date, else an empty string."""
    day = day_of(value)
    return "" if day is None else list(vocab.WEEKDAYS)[2 * day.weekday()]


def relative_at(pieces: Pieces, index: int) -> Found | None:
    """Read a day or part of a day relative to today: tomorrow, next week, tonight, end of day, Q2."""
    low = pieces.low
    word = low[index]
    if word in vocab.NAMED_TIMES:
        zone, end = zone_at(pieces, index + 1)
        end += low[end] == "tonight"
        return (Reading(kind="time", value=Fraction(vocab.NAMED_TIMES[word]), unit=zone),), end
    exact = _dated_or_timed(pieces, index) if word == "this" else None
    phrase = None if exact else phrases_of("days").find(low, index)
    if phrase is None:
        return exact
    kind: Kind = "time" if phrase.means.startswith("time:") else "date"
    name, end = _FOLLOWING.sub("next ", phrase.means[len("time:") :]), phrase.end
    last = low[end - 1]
    if last in vocab.MONTHS:
        month_name = _NAMES[vocab.MONTHS[last] - 1]
        name = f"mid {month_name}" if word == "middle" else f"{word} of {month_name}"
        end = _year_after(pieces, end)[1]
    month, dash, day = name.partition("-")
    # "This week's boxes" states no date, but it allows "this week".
    owns = word == "this" and pieces.raw[index + 1].lower().endswith(("'s", "’s"))
    value = (None, int(month), int(day)) if dash else vocab.WEEKDAYS.get(name, name)
    return (Reading(kind=kind, value=value, unit=MENTIONED if owns else ""),), end


def _dated_or_timed(pieces: Pieces, index: int) -> Found | None:
    """Read "this Friday, 8 May" and "this morning at 05:20" as one date and one time of day."""
    low = pieces.low
    if low[index + 1] in vocab.WEEKDAYS:
        return weekday_at(pieces, index + 1)
    half, place = half_day(low, index)
    place += low[place] == ","
    found = time_at(pieces, place + 1) if half and low[place] in vocab.time_leads else None
    if found is None:
        return None
    morning = half == "am"
    fitting = tuple(r for r in found[0] if isinstance(r.value, Fraction) and (r.value < _NOON) == morning)
    return (fitting, found[1]) if fitting else None
