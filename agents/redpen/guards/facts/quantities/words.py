"""Quantities that words make without a number: hourly, doubled, dozens, an hour, every other day."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Fact, Reading, Role
from redpen.guards.facts.quantities.measures import compound, often_at, time_unit_at
from redpen.guards.facts.quantities.numbers import (
    ARTICLES,
    BANKNOTES,
    COINS,
    COMPARED,
    CURRENCY_WORDS,
    EVERY_ONE,
    GLUED_TIME,
    MULTIPLIERS,
    NO_MULTIPLIER_AFTER_DOUBLE,
    ORDINALS,
    PLURALS,
    SCALES,
    TIME,
    VAGUE,
)
from redpen.guards.facts.subjects import noun_after

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Found = tuple[Fact | None, int]
"""A fact, None for words that state nothing, and the index of the piece after."""

LEADS = word_set("quantities_words", "leads")
"""Words before a unit of time that make one of it."""

_EVERY = frozenset({"every", "each", "per"})
_INTERVAL = frozenset("interval intervals cadence basis increments".split())
_RECOVERY = word_set("quantities_words", "recovery")
_CADENCE = word_set("quantities_words", "cadence")
_EVERYDAY = frozenset("business work life lives use routine operations tasks activity planning needs".split())
_RANK_NOUNS = word_set("quantities_words", "rank_nouns")
_UNTIL = frozenset({"until", "till", "before", "to"})
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_NAMED_BY_TIME = frozenset("pass ticket return trip rate care school shift spa trader clinic".split())
"""Things that a unit of time names and does not measure: a day pass."""

_SETS = frozenset("name pick choose fix set".split())
"""Verbs that make a day one of the calendar: "we cannot name a day"."""
_COUNTS = frozenset({"counts", "matters", "count"})
_HAVE = frozenset("has have had was were did".split())
_WINDOW = 10
_SHORT_UNIT = 3
_BEFORE_SECOND = frozenset({"within", "in", "half", "every"})


def fact_of(pieces: Pieces, index: int, end: int, *readings: Reading) -> Fact:
    """Return the fact that the pieces from ``index`` up to ``end`` state."""
    start, last = pieces.starts[index], pieces.ends[end - 1]
    return Fact(readings=readings, start=start, end=last, text=pieces.text[start:last])


def by_word(pieces: Pieces, index: int) -> Found | None:
    """Read the quantities that a single word makes: hourly, doubled, dozens, a few dollars, third."""
    low = pieces.low
    word = low[index]
    if word == "half" and low[index + 1] == "as":
        return _half_as(pieces, index)
    if word in EVERY_ONE or word in MULTIPLIERS or word == "once":
        return _alone(pieces, index)
    if word in PLURALS:
        return _plural(pieces, index)
    if word in ORDINALS or word in ("first", "second"):
        return _rank(pieces, index)
    if word == "magnitude":
        return fact_of(pieces, index, index + 1, Reading(kind="multiplier", value=word)), index + 1
    return _banknote(pieces, index) or _vague(pieces, index)


def _banknote(pieces: Pieces, index: int) -> Found | None:
    """Read "a fiver"."""
    low = pieces.low
    place = index + 1 if low[index] in ARTICLES else index
    if low[place] not in BANKNOTES:
        return None
    reading = Reading(kind="money", value=Fraction(BANKNOTES[low[place]]), unit="gbp")
    return fact_of(pieces, index, place + 1, reading), place + 1


def _half_as(pieces: Pieces, index: int) -> Found:
    """Read "half as long" and "half as long again"."""
    again = "again" in pieces.low[index + 2 : index + 5]
    end = pieces.low.index("again", index) + 1 if again else index + 2
    reading = Reading(kind="multiplier", value=Fraction(3, 2) if again else Fraction(1, 2))
    return fact_of(pieces, index, end, reading), end


def _alone(pieces: Pieces, index: int) -> Found:
    """Read hourly and doubled; your daily work and a double check state nothing."""
    low = pieces.low
    word, end = low[index], index + 1
    often = often_at(pieces, end) if word in _TIMES else None
    if often is not None:
        fact = fact_of(pieces, index, often[1], Reading(kind="duration", value=often[0] / _TIMES[word]))
        fact.role = "every"
        return fact, often[1]
    if word == "once":
        return None, end
    if word in MULTIPLIERS:
        idiom = word == "double" and low[pieces.past_hyphen(end)] in NO_MULTIPLIER_AFTER_DOUBLE
        reading = Reading(kind="multiplier", value=MULTIPLIERS[word])
        return None if idiom else fact_of(pieces, index, end, reading), end
    if low[end] in _EVERYDAY:
        return None, end
    fact = fact_of(pieces, index, end, Reading(kind="duration", value=Fraction(EVERY_ONE[word])))
    fact.role = "every"
    return fact, end


def _vague(pieces: Pieces, index: int) -> Found | None:
    """Read "a few hundred" and "several dollars"; "a few minutes" is vague and states nothing."""
    low = pieces.low
    place = index + 1 if low[index] in ARTICLES else index
    if low[place] not in VAGUE:
        return None
    end = place + 2 if low[place + 1] == "of" else place + 1
    word = low[end]
    if word in SCALES or word == "dozen":
        reading = Reading(kind="count", value=Fraction(SCALES.get(word, 12)), unit="plural")
        return fact_of(pieces, index, end + 1, reading), end + 1
    if word == "times" and low[end + 1] in COMPARED and not _is_subject(low, end + 1):
        return fact_of(pieces, index, end + 1, Reading(kind="multiplier", value="several")), end + 1
    if low[place] == "couple":
        return None
    if word in CURRENCY_WORDS or word in COINS:
        unit = CURRENCY_WORDS.get(word) or COINS[word]
        reading = Reading(kind="money", value="a few", unit=unit)
        return fact_of(pieces, index, end + 1, reading), end + 1
    return None, end + 1 if word in TIME else index + 1


def _is_subject(low: list[str], index: int) -> bool:
    """Whether what follows begins a clause and no comparison ("several times the gondola has stopped")."""
    return low[index] in ("the", "our", "your") and not _HAVE.isdisjoint(low[index + 2 : index + 4])


def _plural(pieces: Pieces, index: int) -> Found:
    """Read hundreds, tens of thousands, millions of dollars: a size without a number."""
    low = pieces.low
    value = PLURALS[low[index]]
    end = index + 1
    while low[end] == "of" and low[end + 1] in PLURALS:
        value *= PLURALS[low[end + 1]]
        end += 2
    if low[index] in ("scores", "tens") and end == index + 1 and low[end] != "of":
        return None, end
    place = end + 1 if low[end] == "of" else end
    if low[place] in CURRENCY_WORDS:
        reading = Reading(kind="money", value=f"{low[index]} of", unit=CURRENCY_WORDS[low[place]])
        return fact_of(pieces, index, place + 1, reading), place + 1
    reading = Reading(kind="count", value=Fraction(value), unit="plural")
    return fact_of(pieces, index, end, reading), end


def _rank(pieces: Pieces, index: int) -> Found | None:
    """Read "the third outage"; first is no fact, and second only before what comes round again."""
    low = pieces.low
    word = low[index]
    if index and low[index - 1] == "every" and word != "first":
        return _every_nth(pieces, index, ORDINALS.get(word, 2))
    ranked = word in ORDINALS and low[pieces.past_hyphen(index + 1)] not in ("party", "parties")
    if word == "second" and index and low[index - 1] in ("the", "a", "this", "our"):
        ranked = low[index + 1] in _RANK_NOUNS
    if not ranked:
        return None, index + 1
    value = Fraction(ORDINALS.get(word, 2))
    readings = [Reading(kind="number", value=value, unit="rank")]
    if value == 2 and low[index + 1] == "time":
        readings.append(Reading(kind="multiplier", value=value))
    if value <= 31 and index and low[index - 1] == "the" and not pieces.is_word[index + 1]:
        readings.append(Reading(kind="date", value=(None, None, int(value))))
    return fact_of(pieces, index, index + 1, *readings), index + 1


def _every_nth(pieces: Pieces, index: int, step: int) -> Found:
    """Read "every third request" and "every other customer" as a share, "every third day" as a duration."""
    end = index + 1
    unit = time_unit_at(pieces, end, glued=False)
    if unit is not None:
        fact = fact_of(pieces, index, unit[1], Reading(kind="duration", value=step * unit[0]))
        fact.role = "every"
        return fact, unit[1]
    head, subject = noun_after(pieces, end)
    if not head:
        return None, end
    fact = fact_of(pieces, index, end, Reading(kind="share", value=Fraction(1, step)))
    fact.head, fact.subject = head, subject
    return fact, end


def role_of(pieces: Pieces, index: int, end: int) -> Role:
    """Tell the step of a repetition from the wait to a recovery, where the clause says which."""
    low = pieces.low
    before = low[index - 1] if index else ""
    said = low[index:end]
    repeats = "times" in said or "x" in said or said[-1] in EVERY_ONE
    if before in _EVERY or low[end] in _INTERVAL or repeats:
        return "every"
    waiting = False
    place = index - 1
    for _ in range(_WINDOW):
        if place < 0 or low[place] in (".", ";", "!", "?"):
            break
        if low[place] in _CADENCE and not (low[place] == "again" and low[place - 1] in _RECOVERY):
            return ""
        waiting = waiting or low[place] in _RECOVERY
        place -= 1
    for place in range(end, end + 5):
        if low[place] in ("", ".", ";", "!", "?"):
            break
        if low[place] in _CADENCE:
            return ""
        waiting = waiting or (low[end] in _UNTIL and low[place] in _RECOVERY)
    return "until" if waiting else ""


def single_unit(pieces: Pieces, index: int) -> Found:
    """Read a unit without a number: an hour, every minute, within the hour, every other day."""
    low = pieces.low
    word = low[index]
    lead = word in LEADS
    times, place = _before_unit(pieces, index) if lead else (1, index + 1)
    unit = time_unit_at(pieces, place, glued=False) if place else None
    if unit is None and times == 2:
        return _every_nth(pieces, index + 1, times)
    if unit is None or low[unit[1] - 1].endswith("s"):
        return None, index + 1
    if low[place] in GLUED_TIME or _is_abbreviation(pieces, place):
        return None, index + 1
    name, after = low[unit[1] - 1], low[unit[1]]
    before = low[index - 1] if index else ""
    of_calendar = after in ("when", "where") or after in _NAMED_BY_TIME or before in _SETS
    if (of_calendar and word in ("a", "any")) or (word == "every" and after in _COUNTS):
        return None, unit[1]
    if name == "second" and (
        (not lead and before not in _BEFORE_SECOND)
        or (pieces.is_word[unit[1]] and after not in ("or", "and"))
    ):
        return None, index + 1
    total, end = compound(pieces, times * unit[0], unit[0], unit[1])
    start = index + 1 if lead else index
    fact = fact_of(pieces, start, end, Reading(kind="duration", value=total))
    fact.role = "every" if word in _EVERY else role_of(pieces, index, end)
    return fact, end


def _is_abbreviation(pieces: Pieces, place: int) -> bool:
    """Whether capitals in running text are no unit of time: an HR admin, the SEC."""
    raw = pieces.raw
    return len(raw[place]) <= _SHORT_UNIT and raw[place].isupper() and not raw[place - 1].isupper()


def _before_unit(pieces: Pieces, index: int) -> tuple[int, int]:
    """Read what leads to a unit: how many of it, and where it stands; 0 when the words lead to none."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word == "every" and following == "other":
        return 2, index + 2
    if word in ("within", "inside"):
        return 1, index + 2 if following in ("the", "a", "an") else 0
    if word == "this" and following == "hour":
        return 1, index + 1
    return 1, 0 if word in ("this", "coming", "following", "upcoming") else index + 1
