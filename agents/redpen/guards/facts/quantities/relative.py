"""Days and parts of days that hang on today: tomorrow, next week, tonight, by Christmas, Q2."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import MENTIONED, Kind, Reading
from redpen.guards.facts.quantities.calendar import (
    HOW_LATE,
    MONTHS,
    PARTS_OF_DAY,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    month_name,
    weekday_at,
    year_after,
)
from redpen.guards.facts.quantities.times import (
    HALF_OF_PART,
    NAMED_TIMES,
    TIME_LEADS,
    Found,
    time_at,
    zone_at,
)

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_MEALS = frozenset({"lunch", "dinner", "supper", "tea"})
_MEAL_PREPOSITIONS = frozenset({"by", "before", "after", "until", "till", "around", "at", "over"})
_SHIFTS = frozenset("other next last previous coming following upcoming this past".split())
_PERIODS = frozenset("week month quarter year weekend fortnight decade".split())
_EDGES = frozenset({"end", "close", "start", "beginning", "middle", "rest", "remainder"})
_PART_PREPOSITIONS = frozenset({"in", "by", "during", "before", "until", "to", "from"})
_DEADLINES = frozenset("at before by until till around once after".split())
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_ENDED = frozenset("out over up through done".split())
CLOSING = frozenset("hour day shift week month quarter year".split())
"""Spans that somebody may want to be done by the end of."""
AFTER_CLOSING = frozenset("is has ends closes runs after before".split())
"""What follows them then."""

FEASTS = word_set("quantities_relative", "feasts")
"""Feasts and seasons, by which something may be promised."""

_FIXED_FEASTS = {
    "new year eve": (12, 31),
    "new year day": (1, 1),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "halloween": (10, 31),
}
_FEAST_PREPOSITIONS = word_set("quantities_relative", "feast_prepositions")
_NOON = 720
RELATIVE_DAYS = frozenset({"today", "tomorrow", "yesterday"})
NAMED_SPANS = word_set("quantities_relative", "named_spans")
HOURS_OF_BUSINESS = frozenset({"closing", "opening"})
"""What begins a time of day that only a house knows: before closing time."""
_LONG_SPANS = frozenset({"eow", "eom", "weekend", "midweek"})


def relative_at(pieces: Pieces, index: int) -> Found | None:
    """Read a day or part of a day that hangs on today: tomorrow, next week, tonight, end of day, Q2."""
    word = pieces.low[index]
    if word in _SHIFTS:
        return _shifted(pieces, index)
    if word in _EDGES:
        return _edge(pieces, index)
    if word in PARTS_OF_DAY or word in _MEALS:
        return _part_of_day(pieces, index)
    if word in HOURS_OF_BUSINESS:
        return _of_house(pieces, index)
    return _closing(pieces, index) if word in CLOSING else _named(pieces, index)


def _of_house(pieces: Pieces, index: int) -> Found | None:
    """Read "before closing time", which only the house knows."""
    low = pieces.low
    led = index > 0 and low[index - 1] in TIME_LEADS and low[index + 1] == "time"
    return ((Reading(kind="time", value=f"{low[index]} time"),), index + 2) if led else None


def _closing(pieces: Pieces, index: int) -> Found | None:
    """Read "before the month is out", "by month end" and "the day after"."""
    low = pieces.low
    word = low[index]
    before = index - 1
    if word == "quarter" and before >= 0 and low[before] in _QUARTERS:
        return (Reading(kind="date", value=f"q{_QUARTERS[low[before]]}"),), index + 1
    if before > 0 and low[before] in ("the", "this"):
        before -= 1
    if before == index - 2 and low[index - 1] == "the" and low[index + 1] in ("after", "before"):
        return (Reading(kind="date", value=f"{word} {low[index + 1]}"),), index + 2
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
        with_part = word != "today" and following in PARTS_OF_DAY
        return (Reading(kind="date", value=word),), index + (2 if with_part else 1)
    if word in NAMED_TIMES:
        zone, end = zone_at(pieces, index + 1)
        end += low[end] == "tonight"
        return (Reading(kind="time", value=Fraction(NAMED_TIMES[word]), unit=zone),), end
    if word in NAMED_SPANS:
        return (Reading(kind="date" if word in _LONG_SPANS else "time", value=word),), index + 1
    if word in FEASTS or word == "new":
        return _feast(pieces, index)
    if word == "q" and following in ("1", "2", "3", "4") and pieces.glued(index):
        year, end = year_after(pieces, index + 2)
        return (Reading(kind="date", value=f"q{following}{f' {year}' if year else ''}"),), end
    return None


def _feast(pieces: Pieces, index: int) -> Found | None:
    """Read "by Christmas", "in spring" and "before the new year"."""
    low = pieces.low
    before = index - 1 - (index > 0 and low[index - 1] == "the")
    if before < 0 or low[before] not in _FEAST_PREPOSITIONS or _is_code(pieces, index):
        return None
    new = low[index] == "new"
    if new and low[index + 1] not in ("year", "years"):
        return None
    end = index + 1 + new
    name = "new year" if new else low[index]
    if low[end] in ("eve", "day"):
        name, end = f"{name} {low[end]}", end + 1
    month_and_day = _FIXED_FEASTS.get(name)
    value = (None, *month_and_day) if month_and_day else name
    return (Reading(kind="date", value=value),), end


def _is_code(pieces: Pieces, index: int) -> bool:
    """Whether capitals in running text make a code of a word ("the discount code SPRING")."""
    after = pieces.raw[index + 1]
    shouted = pieces.raw[index - 1].isupper() or (pieces.is_word[index + 1] and after.isupper())
    return pieces.raw[index].isupper() and not shouted


def _shifted(pieces: Pieces, index: int) -> Found | None:
    """Read next week, last Friday, this morning, the following day."""
    word, following = pieces.low[index], pieces.low[index + 1]
    reading = None
    if word == "other" and (not index or pieces.low[index - 1] != "the"):
        return None
    if word == "this":
        exact = _dated_or_timed(pieces, index)
        if exact is not None:
            return exact
    # Whose week it is changes no day, but what is done "this week" may be allowed by "this week's boxes".
    owns = word == "this" and pieces.raw[index + 1].lower().endswith(("'s", "’s"))
    unit = MENTIONED if owns else ""
    if following in _PERIODS or (following == "day" and word != "this"):
        reading = Reading(kind="date", value=f"{word} {following}", unit=unit)
    elif following in WEEKDAYS:
        reading = Reading(kind="date", value=WEEKDAYS[following])
    elif following in PARTS_OF_DAY:
        reading = Reading(kind="time", value=f"{word} {following}", unit=unit)
    return ((reading,), index + 2) if reading else None


def _dated_or_timed(pieces: Pieces, index: int) -> Found | None:
    """Read "this Friday, 8 May" and "this morning at 05:20" as one date and one time of day."""
    following = pieces.low[index + 1]
    if following in WEEKDAYS or following in SHORT_WEEKDAYS:
        dated = weekday_at(pieces, index + 1)
        return dated if dated is not None and isinstance(dated[0][0].value, tuple) else None
    return _clock_of_part(pieces, index) if following in HALF_OF_PART else None


def _clock_of_part(pieces: Pieces, index: int) -> Found | None:
    place = index + 2 + (pieces.low[index + 2] == ",")
    found = time_at(pieces, place + 1) if pieces.low[place] in TIME_LEADS else None
    if found is None:
        return None
    early = HALF_OF_PART[pieces.low[index + 1]] == "am"
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
    if before == "-" or before in HOW_LATE:
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
    if low[place] in _PERIODS or low[place] in PARTS_OF_DAY:
        return (Reading(kind="date", value=f"{low[index]} of {low[place]}"),), place + 1
    if low[place] in MONTHS and pieces.raw[place][0].isupper():
        _, end = year_after(pieces, place + 1)
        return (Reading(kind="date", value=f"{low[index]} of {month_name(low[place])}"),), end
    return None
