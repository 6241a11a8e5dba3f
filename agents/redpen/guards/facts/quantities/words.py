"""Read quantities of words without a number: hourly, doubled, dozens, an hour, every other day."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Kind, Reading, Role, Value
from redpen.guards.facts.quantities.measures import compound, often_at, time_unit_at
from redpen.guards.facts.subjects import noun_after

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Found = tuple[Fact | None, int]
"""A fact, or None for words that state none, and the index of the piece after."""


_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_WINDOW = 11
_AHEAD = 6


def by_word(pieces: Pieces, index: int) -> Found | None:
    """Read the quantities of single words: hourly, doubled, dozens, a few dollars, third."""
    low = pieces.low
    word, end = low[index], index + 1
    if word == "half" and low[end] == "as":
        # "Half as long" and "half as long again".
        again = "again" in low[end : end + 4]
        end = low.index("again", index) + 1 if again else end + 1
        found: Found | None = _stated(pieces, index, end, "multiplier", Fraction(3 if again else 1, 2))
    elif word in vocab.EVERY_ONE or word in vocab.MULTIPLIERS or word == "once":
        found = _alone(pieces, index)
    elif word in vocab.PLURALS:
        found = _plural(pieces, index)
    elif word in vocab.ORDINALS or word in ("first", "second"):
        found = _rank(pieces, index)
    elif word == "magnitude":
        found = _stated(pieces, index, end, "multiplier", word)
    else:
        found = _vague(pieces, index)
    return found


def _stated(pieces: Pieces, index: int, end: int, kind: Kind, value: Value, *, unit: str = "") -> Found:
    """Return the fact of the pieces from ``index`` up to ``end``; a duration is a repetition interval."""
    fact = pieces.fact(index, end, Reading(kind=kind, value=value, unit=unit))
    fact.role = "every" if kind == "duration" else ""
    return fact, end


def _alone(pieces: Pieces, index: int) -> Found:
    """Read hourly and doubled, but not "your daily work" and "a double check"."""
    low = pieces.low
    word, end = low[index], index + 1
    often = often_at(pieces, end) if word in _TIMES else None
    if often is not None:
        return _stated(pieces, index, often[1], "duration", often[0] / _TIMES[word])
    idiom = word == "double" and low[pieces.past_hyphen(end)] in vocab.no_multiplier_after_double
    if word == "once" or idiom or (word in vocab.EVERY_ONE and low[end] in vocab.everyday):
        return None, end
    if word in vocab.MULTIPLIERS:
        return _stated(pieces, index, end, "multiplier", vocab.MULTIPLIERS[word])
    return _stated(pieces, index, end, "duration", Fraction(vocab.EVERY_ONE[word]))


def _vague(pieces: Pieces, index: int) -> Found | None:
    """Read "a fiver", "a few hundred" and "several dollars"; "a few minutes" is too vague to be a fact."""
    low = pieces.low
    place = index + (low[index] in vocab.articles)
    if low[place] in vocab.BANKNOTES:
        value = Fraction(vocab.BANKNOTES[low[place]])
        return _stated(pieces, index, place + 1, "money", value, unit="gbp")
    if low[place] not in vocab.vague:
        return None
    end = place + 1 + (low[place + 1] == "of")
    word, after = low[end], end + 1
    if word in vocab.SCALES or word == "dozen":
        return _stated(pieces, index, after, "count", Fraction(vocab.SCALES.get(word, 12)), unit="plural")
    if word == "times" and low[after] in vocab.compared:
        return _stated(pieces, index, after, "multiplier", "several")
    unit = vocab.CURRENCY_WORDS.get(word) or vocab.COINS.get(word)
    if low[place] == "couple" or not unit:
        return None if low[place] == "couple" else (None, after if word in vocab.TIME else index + 1)
    return _stated(pieces, index, after, "money", "a few", unit=unit)


def _plural(pieces: Pieces, index: int) -> Found:
    """Read hundreds, tens of thousands, millions of dollars: a size without a number."""
    low = pieces.low
    word, end = low[index], index + 1
    value = vocab.PLURALS[word]
    while low[end] == "of" and low[end + 1] in vocab.PLURALS:
        value *= vocab.PLURALS[low[end + 1]]
        end += 2
    of = low[end] == "of"
    is_size = of and (word != "scores" or low[index - 1] not in vocab.determiners)
    if word in ("scores", "tens") and end == index + 1 and not is_size:
        return None, end
    return _stated(pieces, index, end, "count", Fraction(value), unit="plural")


def _rank(pieces: Pieces, index: int) -> Found | None:
    """Read "the third outage"; "first" is not a fact, and "second" only before nouns of events."""
    low = pieces.low
    word, before, following = low[index], low[index - 1], low[index + 1]
    value = Fraction(vocab.ORDINALS.get(word, 2))
    if before == "every":
        return _every_nth(pieces, index, int(value))
    if word == "second" and before in ("the", "a", "this", "our"):
        is_rank = following in vocab.rank_nouns
    else:
        is_rank = word in vocab.ORDINALS and low[pieces.past_hyphen(index + 1)] not in ("party", "parties")
    if not is_rank:
        return None, index + 1
    readings = [Reading(kind="number", value=value, unit="rank")]
    if value == 2 and following == "time":
        readings.append(Reading(kind="multiplier", value=value))
    if before in vocab.articles and before != "the" and word in vocab.PARTS:
        # "We got through a third so far" may be a part.
        readings.append(Reading(kind="share", value=Fraction(1, int(value))))
    if before == "the" and not pieces.is_word[index + 1]:
        readings.append(Reading(kind="date", value=(None, None, int(value))))
    return pieces.fact(index, index + 1, *readings), index + 1


def _every_nth(pieces: Pieces, index: int, step: int) -> Found:
    """Read "every third request" and "every other customer" as a share, "every third day" as a duration."""
    end = index + 1
    unit = time_unit_at(pieces, end)
    if unit is not None:
        return _stated(pieces, index, unit[1], "duration", step * unit[0])
    head, subject = noun_after(pieces, end)
    if not head:
        return None, end
    fact = pieces.fact(index, end, Reading(kind="share", value=Fraction(1, step)))
    fact.head, fact.subject = head, subject
    return fact, end


def role_of(pieces: Pieces, index: int, end: int) -> Role:
    """Return whether a duration is a repetition interval or a wait for recovery, if its clause shows it."""
    low = pieces.low
    before = low[index - 1]
    said = low[index:end]
    repeats = "times" in said or "x" in said or said[-1] in vocab.EVERY_ONE
    if before in vocab.every or low[end] in vocab.interval or repeats:
        return "every"
    ahead = pieces.clause_after(end, _AHEAD)
    around = pieces.clause_before(index, _WINDOW, vocab.stops)
    recovers = not vocab.recovery.isdisjoint(around)
    # "Works again" is not a repetition.
    steps = (it for before, it in pairwise(("", *around)) if it != "again" or before not in vocab.recovery)
    if not (vocab.cadence.isdisjoint(steps) and vocab.cadence.isdisjoint(ahead)):
        return ""
    return "until" if recovers or (low[end] in vocab.until and not vocab.recovery.isdisjoint(ahead)) else ""


def single_unit(pieces: Pieces, index: int) -> Found:
    """Read a unit without a number: an hour, every minute, within the hour, every other day."""
    low = pieces.low
    word = low[index]
    lead = word in vocab.leads
    times, place = _before_unit(pieces, index) if lead else (1, index + 1)
    unit = time_unit_at(pieces, place) if place else None
    if unit is None and times == 2:
        return _every_nth(pieces, index + 1, times)
    if unit is None or low[unit[1] - 1].endswith("s"):
        return None, index + 1
    if _is_abbreviation(pieces, place):
        return None, index + 1
    name, after = low[unit[1] - 1], low[unit[1]]
    before = low[index - 1]
    of_calendar = after in ("when", "where") or after in vocab.named_by_time or before in vocab.setting_days
    if (of_calendar and word in ("a", "any")) or (word == "every" and after in vocab.counts):
        return None, unit[1]
    if name == "second" and (not lead or (pieces.is_word[unit[1]] and after not in ("or", "and"))):
        return None, index + 1
    total, end = compound(pieces, times * unit[0], unit[0], unit[1])
    start = index + 1 if lead else index
    fact = pieces.fact(start, end, Reading(kind="duration", value=total))
    fact.role = "every" if word in vocab.every else role_of(pieces, index, end)
    return fact, end


def _is_abbreviation(pieces: Pieces, place: int) -> bool:
    """Whether capitals in running text are an abbreviation, not a unit of time: an HR admin, the SEC."""
    raw = pieces.raw
    return raw[place].isupper() and not raw[place - 1].isupper()


def _before_unit(pieces: Pieces, index: int) -> tuple[int, int]:
    """Read the words before a unit: the number of units and the index of the unit; 0 if none follows."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word == "every" and following == "other":
        return 2, index + 2
    if word in ("within", "inside"):
        return 1, index + 2 if following in ("the", "a", "an") else 0
    if word == "this" and following == "hour":
        return 1, index + 1
    return 1, 0 if word in ("this", "coming", "following", "upcoming") else index + 1
