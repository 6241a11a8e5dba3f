"""Times of day that only the words around them show: half five, nine fifteen, at 1730, by 17.30."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.quantities.numbers import TENS, UNITS
from redpen.guards.facts.quantities.times import TIME_LEADS, Found, clock_readings, ends_time, half_day
from redpen.guards.facts.quantities.units import TIME

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
