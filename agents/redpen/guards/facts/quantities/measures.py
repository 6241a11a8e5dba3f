"""Read the units of numbers and compounds of units."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.phrases import phrases_of
from redpen.guards.facts.quantities.money import LETTER_SCALES, money_after
from redpen.guards.facts.quantities.numbers import Measure, Number, is_year, mixed_part_at, number_at
from redpen.guards.facts.subjects import stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_MAX_COMPOUND = 6
_LONGEST_COUNTED = 3
"""Maximum number of words of the noun in "one frost probe in five"."""
_MOST_DAYS = 31
_OF_TIME = ("long", "old", "plus", "ish")
"""Words joined to a unit of time that leave it one."""
_BEFORE_ONE = ("-", "a", "an", "per")
"""Words after which a unit of time is not that of a counted thing."""


def measure_at(pieces: Pieces, number: Number) -> Measure | None:
    """Read the unit after a number, if any."""
    value = number.value
    if value is None:
        return None
    low = pieces.low
    place = pieces.past_hyphen(number.end)
    # Most numbers count things, so the next word decides which rules are tried.
    word = low[place]
    found = _share(pieces, value, place)
    if word in LETTER_SCALES and pieces.glued_before(place):
        # The letter of "2.5m US dollars" is not a unit of time.
        found = found or money_after(pieces, value * LETTER_SCALES[word], place + 1)
    if word in vocab.duration_starts:
        found = found or _duration(pieces, value, place)
    if word in vocab.money_starts:
        found = found or money_after(pieces, value, place, number.other)
    if word in vocab.multiplier_starts:
        found = found or _multiplier(pieces, value, place)
    return found or _one_in(pieces, value, place) or _rank(pieces, value, place)


def _share(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read percent, per mille, basis points; "100% certain" states nothing."""
    low = pieces.low
    unit = phrases_of("share_units").find(low, place)
    if unit is None or (low[place] == "pc" and not pieces.digits(place - 1)):
        return None
    reading = Reading(kind="share", value=value / int(unit.means))
    return Measure((reading,), unit.end, value == 100 and low[pieces.past_hyphen(unit.end)] in vocab.sure)


def time_unit_at(pieces: Pieces, place: int) -> tuple[Fraction, int] | None:
    """Read a unit of time: seconds in it, and end. A single letter is one only after digits."""
    low = pieces.low
    start = place
    place = pieces.past(place, vocab.before_unit, 2)
    word = low[place]
    if word not in vocab.TIME or (
        word in vocab.glued_time and not (place == start and pieces.digits(place - 1))
    ):
        return None
    if word in vocab.glued_time and pieces.is_capital(place) and not pieces.glued_before(place):
        # "5,600 S2 robots".
        return None
    if pieces.is_capital(place) and pieces.digits(place + 1):
        # "Year 7 or Year 8".
        return None
    if word == "quarter" and low[place + 1] in ("of", "past", "to", "hour", "hours", "-"):
        return None
    if _begins_compound(pieces, place):
        return None
    return vocab.TIME[word], place + 1


def _begins_compound(pieces: Pieces, place: int) -> bool:
    """Whether a unit of time belongs to what is counted: "320 year-end letters", not "a 2 hour-long call"."""
    low = pieces.low
    is_joined = low[place + 1] == "-" and pieces.glued(place) and pieces.is_word[place + 2]
    return is_joined and low[place + 2] not in _OF_TIME and low[place - 1] not in _BEFORE_ONE


def _duration(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    low = pieces.low
    if low[place] == ":" and pieces.digits(place - 1):
        # 1:30 h and 12:30 minutes.
        unit = pieces.past_hyphen(place + 2)
        if not low[place + 1].isdecimal() or low[unit] not in vocab.clock_units:
            return None
        total = (value + Fraction(int(low[place + 1]), 60)) * vocab.TIME[low[unit]]
        return _lasting(total, unit + 1)
    if low[place] in vocab.EVERY_ONE and low[place - 1] == "-":
        return _lasting(value * vocab.EVERY_ONE[low[place]], place + 1)
    return _compound_measure(pieces, value, place)


def _lasting(seconds: Fraction, end: int) -> Measure:
    return Measure((Reading(kind="duration", value=seconds),), end)


def _compound_measure(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read the unit of time at a piece, with the smaller units after it."""
    unit = time_unit_at(pieces, place)
    return None if unit is None else _lasting(*compound(pieces, value * unit[0], *unit))


def compound(pieces: Pieces, total: Fraction, unit: Fraction, end: int) -> tuple[Fraction, int]:
    """Add what follows the first unit: 1 hour 30 minutes, an hour and a half, 1h30."""
    low = pieces.low
    for _ in range(_MAX_COMPOUND):
        if low[end] not in vocab.compound_starts and not pieces.digits(end):
            break
        part = mixed_part_at(pieces, end, of_unit=True)
        if part is not None:
            return total + part[0] * unit, part[1]
        smaller = _smaller(pieces, pieces.past(end, (",", "and", "plus"), 2), unit)
        if smaller is None:
            break
        if smaller[0] == total:
            # "Two days, 48 hours".
            return total, smaller[2]
        total, unit, end = total + smaller[0], smaller[1], smaller[2]
    return total, end


def _smaller(pieces: Pieces, place: int, unit: Fraction) -> tuple[Fraction, Fraction, int] | None:
    """Read the next, smaller part of a compound: seconds, its own unit in seconds, end."""
    low = pieces.low
    number = number_at(pieces, place)
    if number is None or number.value is None:
        return None
    end = number.end
    following = time_unit_at(pieces, pieces.past_hyphen(end))
    if following is not None and following[0] < unit:
        return number.value * following[0], following[0], following[1]
    # "One hour thirty" ends there; otherwise the number belongs to the next phrase.
    goes_on = pieces.is_word[end] or low[end] in vocab.goes_on or low[place - 1] in (",", "and")
    if unit != vocab.TIME["hour"] or not 10 <= number.value < 60 or goes_on:
        return None
    return number.value * 60, Fraction(60), end


def _multiplier(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read "twofold", "3x" and "2 times as long"; 4 times a day is every 6 hours."""
    low = pieces.low
    word, end = low[place], place + 1
    often = often_at(pieces, end)
    if often is not None and value:
        return _lasting(often[0] / value, often[1])
    # "Two times" is twice; other whole numbers of times may be counts.
    compares = low[end] in vocab.compared or (word == "times" and value == 2)
    stuck = pieces.glued(place) and pieces.is_word[end]
    fits = pieces.digits(place - 1) and not stuck if word == "x" else word == "fold" or compares
    return Measure((Reading(kind="multiplier", value=value),), end) if fits else None


def often_at(pieces: Pieces, place: int) -> tuple[Fraction, int] | None:
    """Read "a day", "per hour" and "daily" after a number of times: seconds, and end."""
    low = pieces.low
    if low[place] in vocab.EVERY_ONE:
        return Fraction(vocab.EVERY_ONE[low[place]]), place + 1
    unit = time_unit_at(pieces, place + 1) if low[place] in vocab.how_often else None
    return None if unit is None or low[unit[1] - 1].endswith("s") else unit


def _one_in(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read "one in four", "3 out of every 10", "one of every five", "one frost probe in five"."""
    low = pieces.low
    counted = place
    while counted < place + _LONGEST_COUNTED and (
        pieces.is_word[counted] and low[counted] not in vocab.ends_noun_phrase
    ):
        counted += 1
    named = counted - place if low[counted] in ("in", "out") else 0
    place += named
    if low[place] == "in" or low[place : place + 2] == ["of", "every"]:
        after = place + 1
    elif low[place : place + 2] == ["out", "of"]:
        after = place + 2
    else:
        return None
    several = named and value != 1 and low[place + 1] not in vocab.out_of
    whole = number_at(pieces, pieces.past(pieces.past_hyphen(after), ("every", "each", "any"), 1))
    if whole is None or whole.value is None or not 0 < value < whole.value:
        return None
    end = whole.end
    ends = not pieces.is_word[end] or low[end] in vocab.ends_noun_phrase
    if is_year(low[end - 1]) or low[end] in vocab.percent:
        return None
    if time_unit_at(pieces, pieces.past_hyphen(end)) or (
        several and (not ends or low[end] in vocab.counts_on)
    ):
        # "3 in 10 minutes" and "two in 5 towns" are not shares.
        return None
    kind = low[end].endswith("s") and stem(low[end]) in vocab.CLASSES
    if named and (kind if named == 1 else not ends):
        # "One frost probe in five" is a share, "one repair crew in five villages" is not.
        return None
    return Measure((Reading(kind="share", value=value / whole.value),), end)


def _rank(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    if pieces.low[place] not in vocab.rank_endings:
        return None
    rank = Reading(kind="number", value=value, unit="rank")
    day = Reading(kind="date", value=(None, None, int(value)))
    return Measure((rank, day) if value <= _MOST_DAYS else (rank,), place + 1)


def part_measure(pieces: Pieces, index: int, part: Fraction, end: int) -> Measure | None:
    """Read the unit of a fraction: half an hour, three quarters of an hour, half a million, a third.

    The fraction is from ``index`` up to ``end``. None for a rank (``the third time``).
    """
    low = pieces.low
    place = pieces.past_hyphen(end)
    place += low[place] == "of"
    place = pieces.past(place, ("a", "an", "one", "the", "every", "-"), 2)
    word = low[place]
    if word == "hourly":
        return _lasting(part * 3600, place + 1)
    lasting = _compound_measure(pieces, part, place)
    if lasting is not None and (word not in vocab.ranks_too or low[place - 1] in vocab.articles):
        return lasting
    measure = _share(pieces, part, place) or _part_of_number(pieces, part, place)
    if measure is None and _is_part(pieces, index, end):
        share = Reading(kind="share", value=part)
        rank = Reading(kind="number", value=1 / part, unit="rank")
        # "A third was on its way" may be one of several.
        is_rank = low[index] in vocab.articles and low[end - 1] in vocab.ORDINALS
        measure = Measure((share, rank) if is_rank else (share,), end)
    return measure


def _part_of_number(pieces: Pieces, part: Fraction, place: int) -> Measure | None:
    """Read half a million and half a dozen."""
    number = number_at(pieces, place - (pieces.low[place - 1] in vocab.articles))
    if number is None or number.digits or number.value is None or number.value < 12:
        return None
    whole = Number(part * number.value, number.end)
    return measure_at(pieces, whole) or Measure((Reading(kind="count", value=whole.value),), number.end)


def _is_part(pieces: Pieces, index: int, end: int) -> bool:
    """Whether a word is a fraction, not a rank: a third of them, but not the third time."""
    low = pieces.low
    word = low[end - 1]
    if pieces.digits(index) or word == "half" or word.endswith("s"):
        return True
    if low[index] in vocab.PARTS or low[pieces.past_hyphen(end)] in vocab.after_rank:
        return False
    return word == "quarter" or not pieces.is_word[end] or low[end] in vocab.after_part
