"""Numbers that their neighbours explain: stuck to letters, heads of items, in the unit of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.quantities.words import Found, fact_of

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces
_LAST_DAY = 31


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
