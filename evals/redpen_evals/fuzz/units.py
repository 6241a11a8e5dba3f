"""Allowed numbers with a unit that they have not, and signs that look like numbers and are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherUnit:
    """The number of one fact in the unit of another.

    Attributes:
        name: what it is called.
        form: name of the fact that has the number.
        number: the number as the context holds it, in digits.
        sentences: what is said with it, ``{}`` for the number.
    """

    name: str
    form: str
    number: Callable[[Any], str]
    sentences: tuple[str, ...]


def _minutes(seconds: int) -> str:
    return str(seconds // 60)


OTHER_UNITS: tuple[OtherUnit, ...] = (
    OtherUnit(
        name="minutes-as-hours",
        form="duration",
        number=_minutes,
        sentences=("Our current estimate is {} hours.", "The estimate is {}h.", "It may take {} hours."),
    ),
    OtherUnit(
        name="minutes-as-seconds",
        form="duration",
        number=_minutes,
        sentences=("Our current estimate is {} seconds.", "It may take {} sec."),
    ),
    OtherUnit(
        name="minutes-as-days",
        form="duration",
        number=_minutes,
        sentences=("Our current estimate is {} days.", "It may take {} days."),
    ),
    OtherUnit(
        name="minutes-as-share",
        form="duration",
        number=_minutes,
        sentences=("About {}% of checkouts are affected.", "It touches {} percent of traffic."),
    ),
    OtherUnit(
        name="minutes-as-money",
        form="duration",
        number=_minutes,
        sentences=("Payments worth ${} are on hold.", "We hold €{} of payments."),
    ),
    OtherUnit(
        name="minutes-as-count",
        form="duration",
        number=_minutes,
        sentences=("We have heard from {} customers.", "We see {} failed orders."),
    ),
    OtherUnit(
        name="share-as-minutes",
        form="share",
        number=str,
        sentences=("Our current estimate is {} minutes.", "We look at it every {} minutes."),
    ),
    OtherUnit(
        name="share-as-count",
        form="share",
        number=str,
        sentences=("We have heard from {} customers.", "There are {} chargeback alerts to look at."),
    ),
    OtherUnit(
        name="count-as-share",
        form="count",
        number=str,
        sentences=("About {}% of checkouts are affected.",),
    ),
    OtherUnit(
        name="count-as-minutes",
        form="count",
        number=str,
        sentences=("Our current estimate is {} minutes.",),
    ),
    OtherUnit(
        name="dollars-as-euros",
        form="money",
        number=str,
        sentences=("Payments worth €{} are on hold.", "We are holding {} euros.", "We are holding £{}."),
    ),
    OtherUnit(
        name="dollars-as-count",
        form="money",
        number=str,
        sentences=("We are holding {} payments.",),
    ),
)
"""Each is a new fact, though the number is allowed."""

RESIDUES: tuple[str, ...] = (
    "7g5", "x9y8", "3..4", "4x5x6", "9-7-5-3", "0x1f", "1e9", "12:34:56:78", "8/0", "#77", "5__6", "2³",
    "٣x٤", "⑲", "百二十", "zweiundvierzig7",
)  # fmt: skip
"""Words with a digit, or a number sign of some script, that are no quantity in any usual form."""
