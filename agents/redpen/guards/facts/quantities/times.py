"""Read times of day in every usual form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.phrases import phrases_of
from redpen.guards.facts.quantities.numbers import is_year
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Found = tuple[tuple[Reading, ...], int]
"""The readings and the index of the piece after."""

_HALVES = {"half": 30, "quarter": 15}
_IN_DIGITS = lazy_pattern(r"(\d{1,2})([:.hH])([0-5]\d)(?::\d\d(?:\.\d+)?)?(?!\d)")
_BARE = lazy_pattern(r"([01]?\d(?=\.)|[01]\d|2[0-3])\.?([0-5]\d)")
_NOON, _LAST_HOUR = 12, 23


def time_at(pieces: Pieces, index: int) -> Found | None:
    """Read the time of day that begins at a piece: 14:30, 2:30 pm, 5pm, five o'clock, half past two."""
    low = pieces.low
    minutes, place = _spoken_minutes(pieces, index + (low[index] in vocab.articles))
    place = pieces.past_hyphen(place)
    # "Racks 4 to 9" is not a time; "at 10 to 9" is one.
    led = low[index - 1] in vocab.time_leads and low[index - 1] != "from"
    shown = led or low[place] != "to" or not pieces.digits(index)
    # "Nine to eight" are opening hours.
    is_spoken = minutes % 5 == 0 or pieces.digits(index) or low[place - 1].startswith("min")
    shown = shown and (is_spoken or low[place] != "to")
    found = _around(pieces, minutes, place) if minutes and shown and low[place] in vocab.around else None
    return found or _hours(pieces, index)


def loose_time_at(pieces: Pieces, index: int) -> Found | None:
    """Read a time of day without the form of one ("at 5", "nine fifteen").

    The readings include a number or a duration if it may be one.
    """
    before = pieces.low[index - 1]
    led = before in vocab.time_leads
    if pieces.digits(index):
        found = _bare_digits(pieces, index, led=led or before == "to")
    else:
        found = _in_words(pieces, index, led=led)
    return found or (_bare_hour(pieces, index) if led else None)


def _bare_digits(pieces: Pieces, index: int, *, led: bool) -> Found | None:
    """Read 1730, 0915 hours and 17.30."""
    low = pieces.low
    word = low[index]
    found = _BARE.fullmatch(word)
    if found is None:
        return None
    dot, padded, sure = "." in word, word[0] == "0", low[index - 1] in vocab.sure_leads
    zone, end = zone_at(pieces, index + 1)
    times = clock_readings(int(found[1]), int(found[2]), "", zone=zone, padded=padded)
    number = Reading(kind="number", value=Fraction(word))
    if sure and not dot and low[end] in ("hours", "hrs", "h"):
        return times, end + 1
    led = led or low[index - 1] in ("between", "and")
    if not (led if dot else sure) or not (zone or ends_time(pieces, end)):
        return None
    if dot:
        times = (number, *times)
    elif is_year(word):
        times = (number, Reading(kind="date", value=(int(word), None, None)), *times)
    elif not padded:
        times = (*times, number)
    return times, end


def _bare_hour(pieces: Pieces, index: int) -> Found | None:
    """Read "until nine" and "at 5", but not "the rate stands at 5"."""
    low = pieces.low
    word, before, after = low[index], low[index - 1], index + 1
    hour = int(word) if word.isdecimal() and len(word) <= 2 else vocab.UNITS.get(word, 0)
    if not 0 < hour <= _LAST_HOUR or before not in vocab.sure_leads or before in ("by", "to"):
        return None
    if low[after] == "h":
        lasting = Reading(kind="duration", value=hour * vocab.TIME["hour"])
        return (*clock_readings(hour, 0, ""), lasting), after + 1
    if low[after] not in vocab.after_bare_hour or low[index - 2] in vocab.stands:
        return None
    return clock_readings(hour, 0, ""), after


def _in_words(pieces: Pieces, index: int, *, led: bool) -> Found | None:
    """Read "half five", "nine fifteen" and "five oh five"."""
    low = pieces.low
    if low[index] == "half":
        hour, minutes, end = vocab.UNITS.get(low[index + 1], 0), 30, index + 2
    else:
        hour = vocab.UNITS.get(low[index], 0)
        place = pieces.past_hyphen(index + 1)
        oh = low[place] in ("oh", "o")
        minutes, end = _spoken_minutes(pieces, place + oh)
    if not (0 < hour <= 12 and minutes):
        return None
    half, after = half_day(low, end)
    if not (half or (led and ends_time(pieces, end))):
        return None
    return clock_readings(hour, minutes, half), after


def _hours(pieces: Pieces, index: int) -> Found | None:
    """Read hours and minutes with what follows them: a half of the day, a zone, "o'clock", "noon"."""
    low = pieces.low
    clock = _clock(pieces, index)
    if clock is None:
        return None
    hour, minute, end, written = clock
    if low[end] in ("o'clock", "oclock"):
        end, written = end + 1, True
    elif low[end] in vocab.NAMED_TIMES and hour == 12:
        return (Reading(kind="time", value=Fraction(vocab.NAMED_TIMES[low[end]])),), end + 1
    half, after = half_day(low, end)
    if half == "am" and _NOON < hour <= _LAST_HOUR:
        # "Until 13:00 this morning" is said in the morning.
        half = ""
    if half and (1 <= hour <= _NOON or written):
        zone, after = zone_at(pieces, after)
        readings = clock_readings(hour, minute, half, zone=zone)
        if not written and low[end] in ("tonight", "this"):
            # "A table for six tonight" names no time of day.
            readings += (Reading(kind="number", value=Fraction(hour)),)
        return readings, after
    zone, zoned = zone_at(pieces, end)
    if zone and hour > 99:
        hour, minute, written = hour // 100, hour % 100, True
    if not written or hour > 24:
        return None
    return clock_readings(hour, minute, "", zone=zone, padded=low[index][0] == "0"), zoned


def _clock(pieces: Pieces, index: int) -> tuple[int, int, int, bool] | None:
    """Read 14:30, 14:30:00, 17h30, 9.15 and 5; 1h30 and 1:30 h are durations.

    Returns:
        Hours, minutes, the index of the piece after, and whether the form alone shows a time of day.
    """
    word = pieces.low[index]
    if 0 < vocab.UNITS.get(word, 0) <= 12:
        return vocab.UNITS[word], 0, index + 1, False
    found = _IN_DIGITS.match(pieces.text, pieces.starts[index])
    if found is None:
        whole = word.isdecimal() and len(word) <= 4
        return (int(word), 0, index + 1, False) if whole else None
    hour, end, hours = int(found[1]), pieces.index_at(found.end()), found[2] in "hH"
    following = pieces.low[end]
    if pieces.low[index - 1] in vocab.sure_leads:
        end += following in ("h", "hrs", "hours")
    elif following in vocab.TIME or (hours and hour <= 12):
        return None
    return hour, int(found[3]), end, found[2] != "."


def clock_readings(
    hour: int, minute: int, half: str, *, zone: str = "", padded: bool = False
) -> tuple[Reading, ...]:
    """Return the possible times of day of hours and minutes.

    Args:
        hour: 0 to 24.
        minute: 0 to 59.
        half: ``am``, ``pm`` or nothing.
        zone: time zone, empty for none.
        padded: whether the hour has a leading zero, so that it is not in the afternoon.
    """
    values = [hour % 24 * 60 + minute]
    if half:
        values = [(hour % 12 + (12 if half == "pm" else 0)) * 60 + minute]
    elif hour <= 12 and not padded:
        values.append((hour + 12) % 24 * 60 + minute)
    return tuple(Reading(kind="time", value=Fraction(value), unit=zone) for value in values)


def half_day(low: list[str], index: int) -> tuple[str, int]:
    """Read the half of the day at a piece (pm, p.m., in the morning): am, pm or nothing, and end."""
    found = phrases_of("half_days").find(low, index)
    return (found.means, found.end) if found else ("", index)


def zone_at(pieces: Pieces, index: int) -> tuple[str, int]:
    """Read the time zone at a piece: its canonical name, empty for none, and end."""
    word = pieces.low[index]
    if word not in vocab.ZONES or not (pieces.raw[index].isupper() or word in vocab.spelt_zones):
        return "", index
    return vocab.ZONES[word], index + 1 + (pieces.low[index + 1] == "time")


def _spoken_minutes(pieces: Pieces, place: int) -> tuple[int, int]:
    """Read minutes: half, quarter, 5, fifteen, twenty-five minutes; 0 for none, and end."""
    low = pieces.low
    word = low[place]
    if word in _HALVES:
        return _HALVES[word], place + 1
    minutes, end = vocab.UNITS.get(word, 0), place + 1
    if word.isdecimal() and len(word) <= 2:
        minutes = int(word)
    elif word in vocab.TENS:
        unit = pieces.past_hyphen(end)
        more = vocab.UNITS.get(low[unit], 10)
        minutes, end = (vocab.TENS[word] + more, unit + 1) if more < 10 else (vocab.TENS[word], end)
    return (minutes if minutes < 60 else 0), pieces.past(end, ("minutes", "mins", "min"), 1)


def ends_time(pieces: Pieces, index: int) -> bool:
    """Whether what follows "ten to six" shows no unit: "ten to fifteen minutes" is a range."""
    if pieces.low[index] == "-" and pieces.glued_before(index) and pieces.glued(index):
        return False
    following = pieces.low[pieces.past_hyphen(index)]
    plain = not pieces.is_word[index] or following in vocab.after_time or bool(zone_at(pieces, index)[0])
    return plain and following not in ("%", "-", "/", "$") and not pieces.digits(index)


def _around(pieces: Pieces, minutes: int, place: int) -> Found | None:
    """Read what follows "half past", "quarter to", "ten past"."""
    low = pieces.low
    word = low[place + 1]
    hour = int(word) if word.isdecimal() and len(word) <= 2 else vocab.UNITS.get(word, 0)
    # "A quarter to four" and "two minutes to noon" are times whatever follows.
    is_sure = low[place - 1] == "quarter" or low[place - 1].startswith("min")
    is_range = low[place] == "to" and not (is_sure or ends_time(pieces, place + 2))
    if not (hour or word in vocab.NAMED_TIMES) or is_range:
        return None
    if low[place] in ("to", "before"):
        hour, minutes = (hour or _NOON) - 1, 60 - minutes
    half, end = half_day(low, place + 2)
    zone, end = zone_at(pieces, end)
    base = hour % 12 * 60 + minutes
    values = {"am": [base], "pm": [base + 720]}.get(half, [base, base + 720])
    return tuple(Reading(kind="time", value=Fraction(value), unit=zone) for value in values), end
