"""Dates and times of day, in every usual form."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.quantities_numbers import ORDINALS, TENS, UNITS
from redpen.guards.quantities_units import CODES, CURRENCY_WORDS, SIGNS, TIME
from redpen.guards.readings import Kind, Reading

if TYPE_CHECKING:
    from redpen.guards.quantities_lexer import Pieces

Found = tuple[tuple[Reading, ...], int]
"""The readings and the index of the piece after."""

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
_DATE_PREPOSITIONS = frozenset(
    "in by since until till during from of early late mid last next on before after this through for".split()
)
_DAYS = {"first": 1, "second": 2} | {word: value for word, value in ORDINALS.items() if value <= 30}
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_MEALS = frozenset({"lunch", "dinner", "supper", "tea"})
_MEAL_PREPOSITIONS = frozenset({"by", "before", "after", "until", "till", "around", "at", "over"})
_SHIFTS = frozenset("other next last previous coming following upcoming this past".split())
_PERIODS = frozenset("week month quarter year weekend fortnight decade".split())
_EDGES = frozenset({"end", "close", "start", "beginning", "middle", "rest", "remainder"})
_PART_PREPOSITIONS = frozenset({"in", "by", "during", "before", "until"})
_DEADLINES = frozenset("before by until till around".split())
_ENDED = frozenset("out over up through done".split())
CLOSING = frozenset("hour day shift week month quarter year".split())
"""Spans that somebody may want to be done by the end of."""

FEASTS = frozenset(
    "christmas xmas easter thanksgiving halloween diwali ramadan eid hanukkah passover holidays spring summer "
    "autumn winter".split()
)
"""Feasts and seasons, by which something may be promised."""

_FEAST_PREPOSITIONS = frozenset("by before until till in over this next after around come".split())
_HOW_LATE = frozenset("early late mid".split())
_NOON = 720
_PARTS_OF_DAY = frozenset("morning afternoon evening night".split())
_HALF_OF_PART = {"morning": "am", "afternoon": "pm", "evening": "pm"}
TIME_LEADS = frozenset("at by until till til since from before after around about".split())
"""Words before a time of day."""
RELATIVE_DAYS = frozenset({"today", "tomorrow", "yesterday"})
_HALVES = {"half": 30, "quarter": 15}
_AROUND = frozenset({"past", "to", "after", "before"})
NAMED_TIMES = {"noon": 720, "midday": 720, "midnight": 0}
NAMED_SPANS = frozenset(
    "tonight overnight eod cob eob eow eom weekend teatime lunchtime dinnertime suppertime bedtime breakfast "
    "sunset sundown sunrise daybreak dawn dusk nightfall midmorning midafternoon midweek".split()
)
_LONG_SPANS = frozenset({"eow", "eom", "weekend", "midweek"})
_ZONES = {
    zone: canonical
    for canonical, zones in (
        ("utc", "utc gmt z zulu"),
        ("et", "et est edt eastern"),
        ("ct", "ct cst cdt central"),
        ("mt", "mt mst mdt mountain"),
        ("pt", "pt pst pdt pacific"),
        ("cet", "cet cest"),
        ("eet", "eet eest"),
        ("wet", "wet west bst"),
        ("ist", "ist"),
        ("jst", "jst"),
        ("sgt", "sgt"),
        ("aet", "aest aedt aet"),
        ("brt", "brt"),
        ("local", "local"),
    )
    for zone in zones.split()
}
AFTER_DIGITS = frozenset(
    {
        *MONTHS,
        *_SUFFIXES,
        *_ZONES,
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
        found = _weekday(pieces, index)
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


def _year_after(pieces: Pieces, index: int) -> tuple[int | None, int]:
    low = pieces.low
    place = index + 1 if low[index] in (",", "of", ".") else index
    year = _full_year(low[place])
    if year is not None and not (low[place + 1] in ("%", ":") or low[place + 1] in TIME):
        return year, place + 1
    if low[place] in ("'", "’") and pieces.glued(place) and len(low[place + 1]) == 2 and low[place + 1].isdecimal():
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
    if pieces.low[place - 1] == "of" and month in ("the", "this", "next") and pieces.low[place + 1] == "month":
        shift = " of next month" if month == "next" else None
        return (Reading(kind="date", value=f"{day[0]}{shift}" if shift else (None, None, day[0])),), place + 2
    if month not in MONTHS or (month in _WORDS_TOO and not pieces.raw[place][0].isupper()):
        return None
    end = place + 1
    if month in _SHORT_MONTHS and pieces.low[end] == "." and pieces.glued_before(end):
        end += 1 if pieces.low[end + 1].isdecimal() else 0
    year, end = _year_after(pieces, end)
    return (Reading(kind="date", value=(year, MONTHS[month], day[0])),), end


def _month_first(pieces: Pieces, index: int) -> Found | None:
    low = pieces.low
    month = MONTHS[low[index]]
    place = index + 1
    if low[index] in _SHORT_MONTHS and low[place] == "." and pieces.glued_before(place):
        place += 1
    place = place + 1 if low[place] == "the" else place
    year, end = _year_after(pieces, place)
    if year is not None:
        return (Reading(kind="date", value=(year, month, None)),), end
    day = _day_at(pieces, place)
    plain_word = low[index] in _WORDS_TOO
    if day is not None and not (plain_word and not pieces.raw[index][0].isupper()):
        clock = low[day[1]] == ":" and pieces.digits(day[1] + 1) and pieces.glued(day[1])
        if low[day[1]] == "%" or clock or (low[day[1]] in TIME and low[place] not in _DAYS):
            return None
        year, end = _year_after(pieces, day[1])
        return (Reading(kind="date", value=(year, month, day[0])),), end
    before = low[index - 1] if index else ""
    hyphen = before == "-" and index > 1 and pieces.glued_before(index)
    before = low[index - 2] if hyphen else before
    ordinary = low[index] in _SHORT_MONTHS or plain_word
    if not pieces.raw[index][0].isupper() or (ordinary and before not in _DATE_PREPOSITIONS):
        return None
    if before in _HOW_LATE:
        return (Reading(kind="date", value=f"{before} {_NAMES[month - 1]}"),), index + 1
    return (Reading(kind="date", value=(None, month, None)),), index + 1


def _weekday(pieces: Pieces, index: int) -> Found | None:
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
    if low[index + 1] in _PARTS_OF_DAY:
        return (Reading(kind="date", value=f"{name} {low[index + 1]}"),), index + 2
    return (Reading(kind="date", value=name),), index + 1


def relative_at(pieces: Pieces, index: int) -> Found | None:
    """Read a day or part of a day that hangs on today: tomorrow, next week, tonight, end of day, Q2."""
    word = pieces.low[index]
    if word in _SHIFTS:
        return _shifted(pieces, index)
    if word in _EDGES:
        return _edge(pieces, index)
    if word in _PARTS_OF_DAY or word in _MEALS:
        return _part_of_day(pieces, index)
    return _closing(pieces, index) if word in CLOSING else _named(pieces, index)


def _closing(pieces: Pieces, index: int) -> Found | None:
    """Read "before the month is out" and "by month end"."""
    low = pieces.low
    word = low[index]
    before = index - 1
    if before > 0 and low[before] in ("the", "this"):
        before -= 1
    if before < 0 or low[before] not in _DEADLINES:
        return None
    end = pieces.past_hyphen(index + 1)
    if low[end] == "end" and not pieces.is_word[end + 1]:
        end += 1
    elif before < index - 1 and low[index + 1] in ("is", "has") and low[index + 2] in _ENDED:
        end = index + 3
    elif before < index - 1 and low[index + 1] in ("ends", "closes", "runs"):
        end = index + 2 + (low[index + 2] == "out")
    else:
        return None
    kind: Kind = "time" if word in ("day", "hour", "shift") else "date"
    return (Reading(kind=kind, value="eod" if word == "day" else f"end of {word}"),), end


def _named(pieces: Pieces, index: int) -> Found | None:
    """Read a single word or code: tomorrow, noon, tonight, EOD, Q2."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word in RELATIVE_DAYS:
        with_part = word != "today" and following in _PARTS_OF_DAY
        return (Reading(kind="date", value=word),), index + (2 if with_part else 1)
    if word in NAMED_TIMES:
        zone, end = _zone(pieces, index + 1)
        return (Reading(kind="time", value=Fraction(NAMED_TIMES[word]), unit=zone),), end
    if word in NAMED_SPANS:
        return (Reading(kind="date" if word in _LONG_SPANS else "time", value=word),), index + 1
    if word in FEASTS:
        led = index > 0 and low[index - 1 - (low[index - 1] == "the")] in _FEAST_PREPOSITIONS
        return ((Reading(kind="date", value=word),), index + 1) if led else None
    if word == "new" and following in ("year", "years", "year's"):
        led = index > 0 and low[index - 1 - (low[index - 1] == "the")] in _FEAST_PREPOSITIONS
        return ((Reading(kind="date", value="new year"),), index + 2) if led else None
    if word == "q" and following in ("1", "2", "3", "4") and pieces.glued(index):
        year, end = _year_after(pieces, index + 2)
        return (Reading(kind="date", value=f"q{following}{f' {year}' if year else ''}"),), end
    return None


def _shifted(pieces: Pieces, index: int) -> Found | None:
    """Read next week, last Friday, this morning, the following day."""
    word, following = pieces.low[index], pieces.low[index + 1]
    reading = None
    if word == "other" and (not index or pieces.low[index - 1] != "the"):
        return None
    if word == "this" and following in _HALF_OF_PART:
        clock = _clock_of_part(pieces, index)
        if clock is not None:
            return clock
    if word == "this" and (following in WEEKDAYS or following in SHORT_WEEKDAYS):
        dated = _weekday(pieces, index + 1)
        if dated is not None and isinstance(dated[0][0].value, tuple):
            return dated
    if following in _PERIODS or (following == "day" and word != "this"):
        reading = Reading(kind="date", value=f"{word} {following}")
    elif following in WEEKDAYS:
        reading = Reading(kind="date", value=WEEKDAYS[following])
    elif following in _PARTS_OF_DAY:
        reading = Reading(kind="time", value=f"{word} {following}")
    return ((reading,), index + 2) if reading else None


def _clock_of_part(pieces: Pieces, index: int) -> Found | None:
    """Read "this morning at 05:20" as one time of day."""
    place = index + 2 + (pieces.low[index + 2] == ",")
    found = time_at(pieces, place + 1) if pieces.low[place] in TIME_LEADS else None
    if found is None:
        return None
    early = _HALF_OF_PART[pieces.low[index + 1]] == "am"
    fitting = tuple(r for r in found[0] if isinstance(r.value, Fraction) and (r.value < _NOON) == early)
    return (fitting, found[1]) if fitting else None


def _part_of_day(pieces: Pieces, index: int) -> Found | None:
    """Read "by morning" and "in the evening"; a good morning is none."""
    low = pieces.low
    before = low[index - 1] if index else ""
    if low[index] in _MEALS:
        found = before in _MEAL_PREPOSITIONS
        return ((Reading(kind="time", value=low[index]),), index + 1) if found else None
    if low[index + 1 : index + 3] == ["before", "last"]:
        return (Reading(kind="date", value=f"{low[index]} before last"),), index + 3
    place = index - 1
    if before == "-" or before in _HOW_LATE:
        place -= 1 + (before == "-")
    led = place >= 0 and low[place] in (("by",) if place == index - 1 else (*_PART_PREPOSITIONS, "the"))
    led = led or low[max(0, index - 3) : index] == ["course", "of", "the"]
    if led or (index > 1 and before == "the" and low[index - 2] in _PART_PREPOSITIONS):
        return (Reading(kind="time", value=low[index]),), index + 1
    return None


def _edge(pieces: Pieces, index: int) -> Found | None:
    low = pieces.low
    place = pieces.past_hyphen(index + 1)
    if low[place] != "of":
        return None
    place = pieces.past_hyphen(place + 1)
    place = pieces.past(place, ("the", "this", "next", "our", "today", "today's"), 3)
    if low[place] in ("business", "working") and low[place + 1] in ("day", "hours"):
        place += 1
    if low[place] in ("day", "hours", "business", "play", "shift"):
        return (Reading(kind="time", value="eod"),), place + 1
    if low[place] in _PERIODS or low[place] in _PARTS_OF_DAY:
        return (Reading(kind="date", value=f"{low[index]} of {low[place]}"),), place + 1
    if low[place] in MONTHS and pieces.raw[place][0].isupper():
        _, end = _year_after(pieces, place + 1)
        return (Reading(kind="date", value=f"{low[index]} of {_NAMES[MONTHS[low[place]] - 1]}"),), end
    return None


def _zone(pieces: Pieces, index: int) -> tuple[str, int]:
    low = pieces.low
    word = low[index]
    if word in _ZONES and (pieces.raw[index].isupper() or word in ("eastern", "central", "pacific", "local")):
        end = index + 1
        if low[end] in ("+", "-") and low[end + 1].isdecimal() and pieces.glued(end):
            return f"{_ZONES[word]}{low[end]}{low[end + 1]}", end + 2
        return _ZONES[word], end + (low[end] == "time")
    if word in ("+", "-") and pieces.glued_before(index) and low[index + 2] == ":" and pieces.glued(index):
        return f"utc{word}{low[index + 1]}:{low[index + 3]}", index + 4
    return "", index


def half_day(pieces: Pieces, index: int) -> tuple[str, int]:
    """Read am or pm in any spelling: which, and end."""
    low = pieces.low
    if low[index] in ("am", "pm"):
        return low[index], index + 1
    if low[index] in ("a", "p") and low[index + 1] == "." and low[index + 2] == "m" and pieces.glued(index):
        return f"{low[index]}m", index + 3 + (low[index + 3] == "." and pieces.glued(index + 2))
    if low[index] == "this" and low[index + 1] in _HALF_OF_PART:
        return _HALF_OF_PART[low[index + 1]], index + 2
    if low[index] == "tonight":
        return "pm", index + 1
    if low[index] in ("in", "at") and low[index + 1] in ("the", "night"):
        if low[index + 2] == "morning":
            return "am", index + 3
        if low[index + 2] in ("afternoon", "evening") or low[index + 1] == "night":
            return "pm", index + 3 - (low[index + 1] == "night")
    return "", index


def time_at(pieces: Pieces, index: int) -> Found | None:
    """Read the time of day that begins at a piece: 14:30, 2:30 pm, 5pm, five o'clock, half past two."""
    low = pieces.low
    word = low[index]
    minutes, place = _spoken_minutes(pieces, index)
    place = pieces.past_hyphen(place) if minutes else place
    if minutes and low[place] in _AROUND:
        found = _around(pieces, minutes, place)
        if found is not None:
            return found
    if word in _HALVES or word in ("a", "an"):
        return None
    hour, minute, end, written = _clock(pieces, index)
    if hour is None:
        return None
    if low[end] in ("o'clock", "oclock"):
        end, written = end + 1, True
    elif low[end] in NAMED_TIMES and hour == 12 and not minute:
        return (Reading(kind="time", value=Fraction(NAMED_TIMES[low[end]])),), end + 1
    half, after = half_day(pieces, end)
    if low[end] in ("this", "tonight") and not (written or (index and low[index - 1] in TIME_LEADS)):
        half = ""
    if half and (1 <= hour <= 12 or (half == "pm" and written and hour < 24)) and minute < 60:
        zone, after = _zone(pieces, after)
        return clock_readings(hour, minute, half, zone=zone), after
    zone, zoned = _zone(pieces, end)
    if not written and zone and zone != "local" and word.isdecimal() and len(word) == 4:
        hour, minute, written = int(word[:2]), int(word[2:]), True
    if not written or hour > 24 or minute > 59:
        return None
    return clock_readings(hour, minute, "", zone=zone, padded=word[0] == "0"), zoned


def clock_readings(
    hour: int, minute: int, half: str, *, zone: str = "", padded: bool = False
) -> tuple[Reading, ...]:
    """Return the times of day that hours and minutes may be.

    Args:
        hour: 0 to 24.
        minute: 0 to 59.
        half: ``am``, ``pm`` or nothing.
        zone: time zone, empty for none.
        padded: whether the hour is written with a zero before, which nobody does in the afternoon.
    """
    values = [hour % 24 * 60 + minute]
    if half and hour <= 12:
        values = [(hour % 12 + (12 if half == "pm" else 0)) * 60 + minute]
    elif hour <= 12 and not padded:
        values.append((hour + 12) % 24 * 60 + minute)
    return tuple(Reading(kind="time", value=Fraction(value), unit=zone) for value in values)


def _spoken_minutes(pieces: Pieces, index: int) -> tuple[int, int]:
    """Read the minutes before "past" and "to": half, a quarter, twenty-five minutes; 0 for none."""
    low = pieces.low
    place = index + 1 if low[index] in ("a", "an") else index
    word = low[place]
    if word in _HALVES:
        return _HALVES[word], place + 1
    if word.isdecimal() and len(word) <= 2:
        minutes, place = int(word), place + 1
    elif word in TENS:
        unit = pieces.past_hyphen(place + 1)
        more = UNITS.get(low[unit], 10)
        minutes, place = (TENS[word] + more, unit + 1) if more < 10 else (TENS[word], place + 1)
    elif word in UNITS:
        minutes, place = UNITS[word], place + 1
    else:
        return 0, index
    return (minutes if minutes < 60 else 0), pieces.past(place, ("minutes", "mins", "min"), 1)


def _clock(pieces: Pieces, index: int) -> tuple[int | None, int, int, bool]:
    """Read hours and minutes: hour, minute, end, and whether the writing alone shows a time of day."""
    word = pieces.low[index]
    if 0 < UNITS.get(word, 0) <= 12:
        return UNITS[word], 0, index + 1, False
    head, dot, tail = word.partition(".")
    if dot and len(head) <= 2 and len(tail) == 2 and (head + tail).isdecimal() and int(tail) < 60:
        return int(head), int(tail), index + 1, False
    if not word.isdecimal() or len(word) > 4:
        return None, 0, index, False
    mark, minutes = pieces.low[index + 1], pieces.low[index + 2]
    parted = mark in (":", "h") and pieces.glued(index) and pieces.glued(index + 1)
    if len(word) > 2 or not parted or not (minutes.isdecimal() and len(minutes) == 2):
        return int(word), 0, index + 1, False
    return _parted_clock(pieces, index)


def _parted_clock(pieces: Pieces, index: int) -> tuple[int | None, int, int, bool]:
    """Read 14:30, 14:30:00 and 17h30; 1h30 and 1:30 h are durations."""
    low = pieces.low
    end = index + 3
    if low[end] == ":" and low[end + 1][:1].isdecimal() and pieces.glued(end):
        end += 2
    lasting = low[end] in TIME and (low[index + 1] == "h" or low[end] not in ("s", "m", "d"))
    if lasting or (low[index + 1] == "h" and int(low[index]) <= 12):
        return None, 0, index, False
    return int(low[index]), int(low[index + 2]), end, True


def ends_time(pieces: Pieces, index: int) -> bool:
    """Whether what follows "ten to six" shows no unit: "ten to fifteen minutes" is a range."""
    low = pieces.low
    following = low[pieces.past_hyphen(index)]
    plain = not pieces.is_word[index] or following in (
        "o'clock",
        "am",
        "pm",
        "a",
        "p",
        "in",
        "at",
        "and",
        "today",
    )
    return plain and following not in ("%", "-", "/", "$") and not pieces.digits(index)


def _around(pieces: Pieces, minutes: int, place: int) -> Found | None:
    """Read what follows "half past", "quarter to", "ten past"."""
    low = pieces.low
    word = low[place + 1]
    if word in UNITS and 0 < UNITS[word] <= 12:
        hour = UNITS[word]
    elif word in NAMED_TIMES:
        hour = 12 if NAMED_TIMES[word] else 0
    elif word.isdecimal() and len(word) <= 2 and int(word) <= 24:
        hour = int(word)
    else:
        return None
    if low[place] == "to" and not ends_time(pieces, place + 2):
        return None
    if low[place] in ("to", "before"):
        hour, minutes = hour - 1, 60 - minutes
    half, end = half_day(pieces, place + 2)
    base = hour % 12 * 60 + minutes
    values = {"am": [base], "pm": [base + 720]}.get(half, [base, base + 720])
    return tuple(Reading(kind="time", value=Fraction(value)) for value in values), end


def weekday_of(value: tuple[int | None, int | None, int | None]) -> str:
    """Return the weekday of a full date; empty when a part is missing or the day does not exist."""
    year, month, day = value
    if year is None or month is None or day is None:
        return ""
    try:
        return _DAY_NAMES[date(year, month, day).weekday()]
    except ValueError:
        return ""
