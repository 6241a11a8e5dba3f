"""What a number measures: the unit after it, or before it, and the compounds of units."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts.fact import Reading
from redpen.guards.facts.quantities.money import LETTER_SCALES, money_after
from redpen.guards.facts.quantities.numbers import (
    ARTICLES,
    BEFORE_UNIT,
    CODES,
    COINS,
    COMPARED,
    CURRENCY_WORDS,
    ENDS_NOUN_PHRASE,
    EVERY_ONE,
    GLUED_TIME,
    NATIONAL,
    NUMBER_STARTS,
    PARTS,
    PERCENT,
    SIGNS,
    SURE,
    TIME,
    Measure,
    Number,
    mixed_part_at,
    number_at,
    plain_number,
)
from redpen.guards.facts.subjects import CLASSES, stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_MAX_COMPOUND = 6
_OUT_OF = frozenset({"a", "every", "each", "of", "10", "100", "1000", "1,000", "ten"})
"""What follows "in" where a number of things is put as a share of others."""
_LONGEST_COUNTED = 3
"""Most words that name what is counted in "one frost probe in five"."""
_ROUND_WHOLES = frozenset({*range(3, 11), 12, 20, 50, 100, 1000})
"""Wholes of which people tell parts."""
_COUNTS_ON = frozenset({"of", "more", "other", "such", "-", "–", "/", ":", "%", "$", "€", "£"})
"""What shows after a number that it counts something else."""
_GOES_ON = frozenset({"%", "-", "–", "/", ":", "$", "€", "£"})
_RANKS_TOO = frozenset({"second", "seconds", "quarter"})
_CLOCK_UNITS = frozenset({"h", "hr", "hrs", "hour", "hours", "min", "mins", "minutes"})

_SHARE_STARTS = PERCENT | {"pc", "per", "‰", "permille", "bps", "basis"}
_DURATION_STARTS = frozenset({*TIME, *BEFORE_UNIT, *EVERY_ONE, "-", ":"})
_MONEY_STARTS = frozenset({*NATIONAL, *CURRENCY_WORDS, *CODES, *SIGNS, *COINS, "p"})
_MULTIPLIER_STARTS = frozenset({"x", "times", "time", "fold"})
_COMPOUND_STARTS = frozenset({",", "and", "plus", "-", "half", *NUMBER_STARTS})
"""What may stand after a unit of time where more of the same span follows, unless that is digits."""


def measure_at(pieces: Pieces, number: Number) -> Measure | None:
    """Read the unit that follows a number, if one does."""
    value = number.value
    if value is None:
        return None
    low = pieces.low
    place = number.end
    if low[place] == "-" and pieces.glued_before(place) and pieces.glued(place):
        place += 1
    # Most numbers count things: a look at the word after them spares the rules that cannot begin at it.
    word = low[place]
    found = None
    if word in _SHARE_STARTS:
        found = _share(pieces, value, place)
    if found is None and word in LETTER_SCALES:
        found = _millions(pieces, value, place)
    if found is None and word in _DURATION_STARTS:
        found = _duration(pieces, value, place, number)
    if found is None and word in _MONEY_STARTS:
        found = money_after(pieces, value, place, number.other)
    if found is None and word in _MULTIPLIER_STARTS:
        found = _multiplier(pieces, value, place)
    return found or _one_in(pieces, value, place) or _rank(pieces, value, place)


def _millions(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read the letter of "2.5m US dollars", which is no unit of time."""
    scale = LETTER_SCALES.get(pieces.low[place])
    if scale is None or not pieces.glued_before(place):
        return None
    return money_after(pieces, value * scale, place + 1)


def _share(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    low = pieces.low
    word = low[place]
    base = 100
    if word in PERCENT or (word == "pc" and pieces.digits(place - 1)):
        end = place + 1
        if word == "percentage" and low[end] not in ("point", "points"):
            return None
        end = pieces.past(end, ("point", "points"), 1)
    elif word == "per" and low[place + 1] in ("cent", "cents"):
        end = place + 2
    elif word in ("‰", "permille") or (word == "per" and low[place + 1] in ("mille", "mil", "thousand")):
        base, end = 1000, place + (2 if word == "per" else 1)
    elif word == "bps" or (word == "basis" and low[place + 1] in ("point", "points")):
        base, end = 10000, place + (1 if word == "bps" else 2)
    else:
        return None
    silent = base == 100 and low[pieces.past_hyphen(end)] in SURE and value == 100
    return Measure((Reading(kind="share", value=value / base),), end, silent)


def time_unit_at(pieces: Pieces, place: int, *, glued: bool) -> tuple[Fraction, int] | None:
    """Read a unit of time: seconds in it, and end.

    Args:
        pieces: the text.
        place: where the unit may begin.
        glued: whether it stands right after digits, where one letter is enough.
    """
    low = pieces.low
    start = place
    place = pieces.past(place, BEFORE_UNIT, 2)
    word = low[place]
    if low[place] == "-" and pieces.glued_before(place) and low[place + 1] in TIME:
        place, word = place + 1, low[place + 1]
    if word not in TIME:
        return None
    if word in GLUED_TIME:
        if not (place == start and (glued or (word in ("m", "h", "s") and pieces.digits(place - 1)))):
            return None
        if pieces.glued(place) and low[place + 1] in ("'", "&", "/") and pieces.is_word[place + 2]:
            return None
    if word == "quarter" and low[place + 1] in ("of", "past", "to", "hour", "hours", "-"):
        return None
    return TIME[word], place + 1


def _duration(pieces: Pieces, value: Fraction, place: int, number: Number) -> Measure | None:
    low = pieces.low
    glued = number.digits and pieces.glued_before(place)
    if number.digits and low[number.end] == ":" and pieces.glued(number.end):
        return _clock_duration(pieces, value, number.end + 1)
    if low[place] in EVERY_ONE and low[place - 1] == "-":
        return Measure((Reading(kind="duration", value=value * EVERY_ONE[low[place]]),), place + 1)
    unit = time_unit_at(pieces, place, glued=glued)
    if unit is None:
        return None
    total, end = compound(pieces, value * unit[0], unit[0], unit[1])
    readings = [Reading(kind="duration", value=total)]
    if number.other is not None:
        readings.append(Reading(kind="duration", value=number.other * unit[0]))
    return Measure(tuple(readings), end)


def _clock_duration(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read ``1:30 h`` and ``12:30 minutes`` from their second number."""
    low = pieces.low
    unit = pieces.past_hyphen(place + 1)
    if not (low[place].isdecimal() and len(low[place]) == 2 and low[unit] in _CLOCK_UNITS):
        return None
    total = (value + Fraction(int(low[place]), 60)) * TIME[low[unit]]
    return Measure((Reading(kind="duration", value=total),), unit + 1)


def compound(pieces: Pieces, total: Fraction, unit: Fraction, end: int) -> tuple[Fraction, int]:
    """Add what follows the first unit: 1 hour 30 minutes, an hour and a half, 1h30."""
    low = pieces.low
    for _ in range(_MAX_COMPOUND):
        if low[end] not in _COMPOUND_STARTS and not pieces.digits(end):
            break
        part = mixed_part_at(pieces, end, digits=False)
        if part is not None and low[part[1]] not in TIME and low[part[1]] not in PERCENT:
            # "an hour and a quarter of the customers" is no hour and a quarter.
            return total + part[0] * unit, part[1]
        place = end + 1 if low[end] in (",", "and", "plus") else end
        if place > end and low[place] == "and":
            place += 1
        smaller = _smaller(pieces, place, unit)
        if smaller is None:
            return total, end
        total, unit, end = total + smaller[0], smaller[1], smaller[2]
    return total, end


def _smaller(pieces: Pieces, place: int, unit: Fraction) -> tuple[Fraction, Fraction, int] | None:
    """Read the next, smaller part of a compound: seconds, its own unit in seconds, end."""
    low = pieces.low
    # "3 days, and a second attempt" goes on with another attempt.
    ranks = low[place + 1] == "second" and pieces.is_word[place + 2]
    if low[place] in ARTICLES and TIME.get(low[place + 1], unit) < unit and not ranks:
        return TIME[low[place + 1]], TIME[low[place + 1]], place + 2
    number = _plain_number_at(pieces, place)
    if number is None or number.value is None:
        return _half_more(pieces, place, unit)
    end = number.end
    glued = number.digits and pieces.glued_before(end)
    following = time_unit_at(pieces, pieces.past_hyphen(end), glued=glued)
    if low[end] == "-" and low[place - 1] in (",", "and"):
        return None
    if following is not None and following[0] < unit and number.value * following[0] < unit:
        return number.value * following[0], following[0], following[1]
    if unit != TIME["hour"] or not 0 <= number.value < 60 or number.value.denominator != 1:
        return None
    stuck = number.digits and pieces.glued_before(place) and low[place].isdecimal() and len(low[place]) == 2
    # "One hour thirty" ends there; what goes on is another number.
    alone = (
        number.value >= 10
        and low[place - 1] not in (",", "and")
        and not pieces.is_word[end]
        and low[end] not in _GOES_ON
    )
    return (number.value * 60, Fraction(60), end) if stuck or alone else None


def _plain_number_at(pieces: Pieces, place: int) -> Number | None:
    """Read a number without the scale that a letter after it could be: the ``m`` of 1h30m is no million."""
    if not pieces.digits(place):
        return number_at(pieces, place)
    return Number(plain_number(pieces.low[place])[0], place + 1, digits=True)


def _half_more(pieces: Pieces, place: int, unit: Fraction) -> tuple[Fraction, Fraction, int] | None:
    """Read "half an hour" as a part of a compound."""
    low = pieces.low
    smaller = TIME.get(low[place + 2])
    if low[place] != "half" or low[place + 1] not in ARTICLES or smaller is None or smaller > unit:
        return None
    return smaller / 2, smaller, place + 3


def _multiplier(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    low = pieces.low
    word = low[place]
    if word in ("x", "times") and value > 0:
        often = often_at(pieces, place + 1)
        if often is not None:
            return Measure((Reading(kind="duration", value=often[0] / value),), often[1])
    if word == "x" and not (pieces.glued(place) and pieces.is_word[place + 1]):
        return Measure((Reading(kind="multiplier", value=value),), place + 1)
    if word == "fold" or (word == "time" and low[place + 1] in COMPARED):
        return Measure((Reading(kind="multiplier", value=value),), place + 1)
    if word == "times" and (value == 2 or value.denominator != 1 or low[place + 1] in COMPARED):
        # "Two times" is twice; other whole numbers of times may as well be counted.
        return Measure((Reading(kind="multiplier", value=value),), place + 1)
    return None


def often_at(pieces: Pieces, place: int) -> tuple[Fraction, int] | None:
    """Read "a day", "per hour" and "daily" after a number of times: seconds, and end."""
    low = pieces.low
    if low[place] in EVERY_ONE:
        return Fraction(EVERY_ONE[low[place]]), place + 1
    if low[place] not in ("a", "an", "per", "each", "every"):
        return None
    unit = time_unit_at(pieces, place + 1, glued=False)
    return None if unit is None or low[unit[1] - 1].endswith("s") else unit


def _one_in(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    """Read "one in four", "3 out of every 10", "one of every five"."""
    low = pieces.low
    if value <= 0:
        return None
    if low[place] == "-":
        place += 1
    counted = place
    while counted < place + _LONGEST_COUNTED and (
        pieces.is_word[counted] and low[counted] not in ENDS_NOUN_PHRASE
    ):
        counted += 1
    several = counted > place and low[counted] == "in"
    if low[counted] in ("in", "out") and (value == 1 or low[counted + 1] in _OUT_OF or several):
        several = several and value != 1 and low[counted + 1] not in _OUT_OF
        named = counted - place
        place = counted
    else:
        named, several = 0, False
    if low[place] == "out" and low[place + 1] == "of":
        after = place + 2
    elif low[place] == "in" or (low[place] == "of" and low[place + 1] == "every"):
        after = place + 1
    else:
        return None
    after = pieces.past_hyphen(after)
    after = pieces.past(after, ("every", "each", "a", "any"), 1) if low[after] != "a" else after
    whole = number_at(pieces, after)
    if whole is None or whole.value is None or not _may_be_whole(pieces, value, whole):
        return None
    if several and not _closes_share(pieces, whole):
        return None
    if named and _is_counted(pieces, whole.end, named):
        # "One frost probe in five" is a share, "one repair crew in five villages" is none.
        return None
    return Measure((Reading(kind="share", value=value / whole.value),), whole.end)


def _closes_share(pieces: Pieces, whole: Number) -> bool:
    """Whether a whole that follows several things is all of them: two rooms in five, not two in 5 towns."""
    after = pieces.low[whole.end]
    alone = not pieces.is_word[whole.end] or after in ENDS_NOUN_PHRASE
    return alone and after not in _COUNTS_ON and whole.value in _ROUND_WHOLES


def _is_counted(pieces: Pieces, place: int, named: int) -> bool:
    """Whether the number before a piece counts it, and is no whole of which a share is told.

    Args:
        pieces: the text.
        place: index of the piece.
        named: how many words name what the share is of.
    """
    word = pieces.low[place]
    if named == 1:
        return word.endswith("s") and stem(word) in CLASSES
    return pieces.is_word[place] and word not in ENDS_NOUN_PHRASE


def _may_be_whole(pieces: Pieces, value: Fraction, whole: Number) -> bool:
    """Whether a value may be so many in a whole: one in four, but not 3 in 10 minutes, nor 3 in 2026."""
    if whole.value is None or whole.value <= value or (whole.digits and 1900 <= whole.value <= 2199):
        return False
    if value.denominator != 1 and whole.value not in (10, 100, 1000, 10000):
        return False
    unit = time_unit_at(pieces, pieces.past_hyphen(whole.end), glued=True)
    return pieces.low[whole.end] not in PERCENT and unit is None


def _rank(pieces: Pieces, value: Fraction, place: int) -> Measure | None:
    if pieces.low[place] not in _SUFFIXES or not pieces.glued_before(place):
        return None
    readings = [Reading(kind="number", value=value, unit="rank")]
    if value <= 31 and value.denominator == 1:
        readings.append(Reading(kind="date", value=(None, None, int(value))))
    return Measure(tuple(readings), place + 1)


def part_measure(pieces: Pieces, index: int, part: Fraction, end: int) -> Measure | None:
    """Read what a fraction is of: half an hour, three quarters of an hour, half a million, a third.

    Args:
        pieces: the text.
        index: where the fraction begins.
        part: its value.
        end: the index of the piece after it.

    Returns:
        The reading, or None when the word is a rank (``the third time``) and no part.
    """
    low = pieces.low
    place = pieces.past_hyphen(end)
    place = place + 1 if low[place] == "of" else place
    place = pieces.past(place, ("a", "an", "one", "the", "every", "-"), 2)
    unit = time_unit_at(pieces, place, glued=False)
    if low[place] == "hourly":
        return Measure((Reading(kind="duration", value=part * 3600),), place + 1)
    if unit is not None and (low[place] not in _RANKS_TOO or low[place - 1] in ARTICLES):
        total, after = compound(pieces, part * unit[0], unit[0], unit[1])
        return Measure((Reading(kind="duration", value=total),), after)
    if low[place] in CURRENCY_WORDS and low[place] not in ("real", "won"):
        return Measure((Reading(kind="money", value=part, unit=CURRENCY_WORDS[low[place]]),), place + 1)
    measure = _part_of_number(pieces, part, place)
    if measure is None and _is_part(pieces, index, end):
        measure = Measure((Reading(kind="share", value=part),), end)
    return measure


def _part_of_number(pieces: Pieces, part: Fraction, place: int) -> Measure | None:
    """Read half a million, half a dozen, half a percent."""
    if pieces.low[place] in PERCENT:
        return _share(pieces, part, place)
    number = number_at(pieces, place - 1 if pieces.low[place - 1] in ARTICLES else place)
    if number is None or number.digits or number.value is None or number.value < 12:
        return None
    whole = Number(part * number.value, number.end)
    return measure_at(pieces, whole) or Measure((Reading(kind="count", value=whole.value),), number.end)


def _is_part(pieces: Pieces, index: int, end: int) -> bool:
    low = pieces.low
    word = low[end - 1]
    if pieces.digits(index) or word in ("half", "halves") or word.endswith("s"):
        return True
    if low[index] not in ARTICLES and low[index] in PARTS:
        return False
    if low[pieces.past_hyphen(end)] in ("party", "parties", "line", "level", "person", "time", "rail"):
        return False
    if word == "quarter":
        return True
    return (
        not pieces.is_word[end]
        or low[end] in COMPARED
        or low[end] in ("of", "are", "is", "were", "was", "have", "and")
    )
