"""Times of day, in every usual form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.quantities.numbers import TENS, TIME, UNITS

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


_SURE_LEADS = frozenset("at by until till til since to".split())
_ENDS = frozenset({"", ".", ",", ";", "!", "?", ")"})
_STANDS = word_set("quantities_clock", "stands")
"""Words before a number that something stands at."""

_HOURS = frozenset({"h", "hr", "hrs", "hours"})
_AFTER_HOUR = frozenset({":", "h", "hrs", "hours"})
"""What alone shows that digits before it may be an hour."""
_LAST_HOUR = 23


def loose_time_at(pieces: Pieces, index: int) -> Found | None:
    """Read the time of day that begins at a piece and is not written as one.

    Args:
        pieces: the text.
        index: where it may begin; a date or a time in a usual form does not begin here.

    Returns:
        The readings, that as a number or duration included where it may be one, and the index of the piece
        after.
    """
    low = pieces.low
    before = low[index - 1] if index else ""
    led = before in TIME_LEADS or (before == "of" and index > 1 and low[index - 2] == "as")
    if not pieces.digits(index):
        found = _in_words(pieces, index, led=led)
    elif led or before == "to" or low[index + 1] in _AFTER_HOUR:
        found = _in_digits(pieces, index, led=led)
    else:
        return None
    return found or (_bare_hour(pieces, index) if led else None)


def _bare_hour(pieces: Pieces, index: int) -> Found | None:
    """Read "until nine" and "at 5"; a rate that stands at 5 is no time."""
    low = pieces.low
    word, before, earlier = low[index], low[index - 1], low[index - 2] if index > 1 else ""
    hour = int(word) if word.isdecimal() and len(word) <= 2 else UNITS.get(word, 0)
    after = index + 1
    if not 0 < hour <= _LAST_HOUR or before not in _SURE_LEADS or before in ("by", "to"):
        return None
    if low[after] == "h" and pieces.glued_before(after) and not pieces.digits(after + 1):
        lasting = Reading(kind="duration", value=hour * TIME["hour"])
        return (*clock_readings(hour, 0, ""), lasting), after + 1
    if (
        hour > 12
        or pieces.is_word[after]
        or low[after] not in _ENDS
        or (before == "at" and earlier in _STANDS)
    ):
        return None
    return clock_readings(hour, 0, ""), after


def _in_words(pieces: Pieces, index: int, *, led: bool) -> Found | None:
    """Read "half five", "nine fifteen" and "five oh five"."""
    low = pieces.low
    if low[index] == "half":
        hour, end = UNITS.get(low[index + 1], 0), index + 2
        minutes = 30
    else:
        hour = UNITS.get(low[index], 0)
        minutes, end = _minutes(pieces, pieces.past_hyphen(index + 1))
    if not (0 < hour <= 12 and minutes):
        return None
    half, after = half_day(pieces, end)
    if half:
        return clock_readings(hour, minutes, half), after
    if not led or low[end] == "-" or not ends_time(pieces, end):
        return None
    return clock_readings(hour, minutes, ""), end


def _minutes(pieces: Pieces, index: int) -> tuple[int, int]:
    """Read the minutes of a spoken time: fifteen, forty-five, oh five; 0 for none."""
    low = pieces.low
    word = low[index]
    if word in ("oh", "o") and 0 < UNITS.get(low[index + 1], 0) < 10:
        return UNITS[low[index + 1]], index + 2
    if word in TENS and TENS[word] < 60:
        unit = pieces.past_hyphen(index + 1)
        more = UNITS.get(low[unit], 0)
        return (TENS[word] + more, unit + 1) if 0 < more < 10 else (TENS[word], index + 1)
    return (UNITS[word], index + 1) if 10 <= UNITS.get(word, 0) < 20 else (0, index)


def _in_digits(pieces: Pieces, index: int, *, led: bool) -> Found | None:
    """Read 1730, 0915 hours, 17.30 and 09h15."""
    low = pieces.low
    word = low[index]
    if word.isdecimal() and len(word) == 4:
        return _four_digits(pieces, index, led=low[index - 1] in _SURE_LEADS)
    led = led or (index > 0 and low[index - 1] == "to")
    hour, dot, minutes = word.partition(".")
    if led and dot and _is_clock(hour, minutes) and ends_time(pieces, index + 1):
        number = Reading(kind="number", value=Fraction(word))
        return (number, *clock_readings(int(hour), int(minutes), "")), index + 1
    if not (
        word.isdecimal() and low[index + 1] in (":", "h") and pieces.glued(index) and pieces.glued(index + 1)
    ):
        return None
    if not _is_clock(word, low[index + 2]) or not (led or word[0] == "0"):
        return None
    end = index + 3
    if low[index + 1] == ":" and low[end] not in _HOURS:
        return None
    lasting = Fraction(int(word) * 60 + int(low[index + 2])) * TIME["minute"]
    readings = clock_readings(int(word), int(low[index + 2]), "", padded=word[0] == "0")
    return (*readings, Reading(kind="duration", value=lasting)), end + (low[end] in _HOURS)


def _is_clock(hour: str, minutes: str) -> bool:
    plain = hour.isdecimal() and minutes.isdecimal() and len(hour) <= 2 and len(minutes) == 2
    return plain and int(hour) <= _LAST_HOUR and int(minutes) < 60


def _four_digits(pieces: Pieces, index: int, *, led: bool) -> Found | None:
    low = pieces.low
    word = low[index]
    military = low[index + 1] in ("hours", "hrs", "h") and (word[0] == "0" or led)
    if not _is_clock(word[:2], word[2:]) or not (military or (led and ends_time(pieces, index + 1))):
        return None
    times = clock_readings(int(word[:2]), int(word[2:]), "", padded=word[0] == "0")
    if military:
        return times, index + 2
    if word[0] == "0":
        return times, index + 1
    number = Reading(kind="number", value=Fraction(int(word)))
    if 1900 <= int(word) <= 2199:
        return (number, Reading(kind="date", value=(int(word), None, None)), *times), index + 1
    return (*times, number), index + 1


Found = tuple[tuple[Reading, ...], int]
"""The readings and the index of the piece after."""

TIME_LEADS = frozenset("at by until till til since from before after around about".split())
"""Words before a time of day."""

_HALVES = {"half": 30, "quarter": 15}
_AROUND = frozenset({"past", "to", "after", "before"})
HALF_OF_PART = {"morning": "am", "afternoon": "pm", "evening": "pm"}
NAMED_TIMES = {"noon": 720, "midday": 720, "midnight": 0}
ZONES = word_map("quantities_times", "zones")


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
    return _hours(pieces, index)


def _hours(pieces: Pieces, index: int) -> Found | None:
    """Read hours and minutes with what follows them: a half of the day, a zone, "o'clock", "noon"."""
    low = pieces.low
    word = low[index]
    hour, minute, end, written = _clock(pieces, index)
    if hour is None:
        return None
    if low[end] in ("o'clock", "oclock"):
        end, written = end + 1, True
    elif low[end] in NAMED_TIMES and hour == 12 and not minute:
        return (Reading(kind="time", value=Fraction(NAMED_TIMES[low[end]])),), end + 1
    led = written or (index > 0 and low[index - 1] in TIME_LEADS)
    half, after = half_day(pieces, end) if led or low[end] not in ("this", "tonight") else ("", end)
    if half and (1 <= hour <= 12 or (half == "pm" and written and hour < 24)) and minute < 60:
        zone, after = zone_at(pieces, after)
        return clock_readings(hour, minute, half, zone=zone), after
    zone, zoned = zone_at(pieces, end)
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


def half_day(pieces: Pieces, index: int) -> tuple[str, int]:
    """Read am or pm in any spelling: which, and end."""
    low = pieces.low
    if low[index] in ("am", "pm"):
        return low[index], index + 1
    if low[index] in ("a", "p") and low[index + 1] == "." and low[index + 2] == "m" and pieces.glued(index):
        return f"{low[index]}m", index + 3 + (low[index + 3] == "." and pieces.glued(index + 2))
    if low[index] == "tonight" or low[index : index + 2] == ["at", "night"]:
        return "pm", index + (1 if low[index] == "tonight" else 2)
    place = index + 1 + (low[index] == "in" and low[index + 1] == "the")
    led = low[index] == "this" or place == index + 2
    half = HALF_OF_PART.get(low[place], "") if led else ""
    return (half, place + 1) if half else ("", index)


def zone_at(pieces: Pieces, index: int) -> tuple[str, int]:
    """Read the time zone at a piece: its canonical name, empty for none, and end."""
    low = pieces.low
    word = low[index]
    if word in ZONES and (pieces.raw[index].isupper() or word in ("eastern", "central", "pacific", "local")):
        end = index + 1
        if low[end] in ("+", "-") and low[end + 1].isdecimal() and pieces.glued(end):
            return f"{ZONES[word]}{low[end]}{low[end + 1]}", end + 2
        return ZONES[word], end + (low[end] == "time")
    # "10:00-20:00" are opening hours; a zone west of Greenwich stands after a timestamp.
    timed = index > 4 and (low[index - 4] == "t" or (low[index - 4] == ":" and pieces.digits(index - 5)))
    stamped = word == "+" or (word == "-" and timed)
    if stamped and pieces.glued_before(index) and low[index + 2] == ":" and pieces.glued(index):
        return f"utc{word}{low[index + 1]}:{low[index + 3]}", index + 4
    return "", index


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
