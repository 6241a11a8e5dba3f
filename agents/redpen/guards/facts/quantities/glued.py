"""Numbers that their neighbours explain: stuck to letters, heads of items, in the unit of another one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.quantities.numbers import ENDS_NOUN_PHRASE, number_at
from redpen.guards.facts.quantities.words import Found, fact_of

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_NEAR = 60
"""Characters that a number stands at most after the time whose unit it shares."""
_LAST_DAY = 31
_TO_DAY = frozenset({"to", "through", "until", "till", "-", "–", "—"})
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_NO_DAY = frozenset({":", "%", "/", "-", "$"})
_SENTENCE_ENDS = frozenset(".!?;:\n")


def factor_at(pieces: Pieces, index: int) -> Found | None:
    """Read ``x3`` as a factor."""
    if pieces.low[index - 1] != "x" or pieces.glued_before(index - 1):
        return None
    number = number_at(pieces, index)
    if (
        number is None
        or number.value is None
        or (pieces.is_word[number.end] and pieces.glued_before(number.end))
    ):
        return None
    reading = Reading(kind="multiplier", value=number.value)
    return fact_of(pieces, index - 1, number.end, reading), number.end


def in_timestamp(pieces: Pieces, index: int) -> bool:
    """Whether the digits follow the T of 2026-03-06T14:30."""
    return (
        index > 1
        and pieces.low[index - 1] == "t"
        and pieces.digits(index - 2)
        and pieces.glued_before(index - 1)
    )


def stuck(pieces: Pieces, index: int, end: int) -> Found:
    """Take letters and digits stuck together that no unit explains (p95, 5GB, 10^2) as one unread whole."""
    while (
        end < pieces.count
        and pieces.glued_before(end)
        and (pieces.is_word[end] or pieces.digits(end) or pieces.low[end] == "^")
    ):
        end += 1
    fact = fact_of(pieces, index, end)
    fact.readings = (Reading(kind="residue", value=fact.text.lower()[:80]),)
    return fact, end


def numbers_item(pieces: Pieces, index: int) -> bool:
    """Whether the digits number a list item, a step or a section at the beginning of a line."""
    low = pieces.low
    if not (low[index].isdecimal() and len(low[index]) <= 2):
        return False
    label = (
        index > 0
        and low[index - 1] in ("step", "part", "option", "section", "item")
        and pieces.opens_line(index - 1)
    )
    if not label and not pieces.opens_line(index):
        return False
    if low[index + 1] not in (".", ")", "]", ":") or not pieces.glued(index):
        return label
    return not (pieces.glued(index + 1) and pieces.digits(index + 2))


def share_unit(pieces: Pieces, facts: list[Fact]) -> None:
    """Read a bare number in the unit of the time before it too: "normally takes 24 hours, now 72"."""
    number, before = facts[-1], facts[-2] if len(facts) > 1 else None
    if before is None or before.kind != "duration" or not before.raw or not number.raw:
        return
    between = pieces.text[before.end : number.start]
    value = before.readings[0].value
    if len(between) < _NEAR and _SENTENCE_ENDS.isdisjoint(between) and isinstance(value, Fraction):
        number.readings += (Reading(kind="duration", value=value / before.raw * number.raw),)


def share_month(first: Fact, dated: tuple[Reading, ...]) -> None:
    """Give the near end of a range the month of the far one: "between 9 and 12 January" begins on 9 January.

    Args:
        first: the number that stands before the date.
        dated: the readings of the date.
    """
    day = first.raw
    value = dated[0].value
    if first.kind != "number" or day is None or day.denominator != 1 or not 1 <= day <= _LAST_DAY:
        return
    if isinstance(value, tuple) and value[1] and value[2]:
        first.readings += (Reading(kind="date", value=(value[0], value[1], int(day))),)


def later_day(pieces: Pieces, first: Fact, done: int) -> Found:
    """Read the far end of a range of days whose month stands before it: "January 9 to 12".

    Args:
        pieces: the text.
        first: the date that stands before.
        done: the index of the piece after it.
    """
    low = pieces.low
    value = first.readings[0].value
    if low[done] not in _TO_DAY or not isinstance(value, tuple) or not (value[1] and value[2]):
        return None, done
    place = done + 1 + (low[done + 1] == "the")
    end = place + 1 + (low[place + 1] in _SUFFIXES)
    day = low[place]
    if not day.isdecimal() or len(day) > 2 or not value[2] < int(day) <= _LAST_DAY or low[end] in _NO_DAY:
        return None, done
    if pieces.is_word[end] and low[end] not in ENDS_NOUN_PHRASE:
        return None, done
    return fact_of(pieces, place, end, Reading(kind="date", value=(value[0], value[1], int(day)))), end
