"""Facts that are known in other words: counts without their noun, "no" for "without", the same two words."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {"clashing_bookings": 133, "supply_reduction_pct": 40, "affected_businesses": 58}
ORIGINAL = (
    "Some van bookings went to more than one driver. We have found 133 bookings of this kind, involving 41 "
    "vans. 640 bookings were charged without a seat number. Gas for 58 businesses in Slovenia has been "
    "reduced by 40%. We inform you before each change of supply."
)


def _new(revised: str) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(ORIGINAL), context=known_context(CONTEXT))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    "revised",
    [
        "Some van bookings, 133 that we've found, went to more than one driver.",
        "Your booking may have no seat number.",
        "We deliver 40% less gas to 58 businesses in Slovenia.",
        "Ahead of each change of supply you hear from us.",
        "That is only an outlook.",
    ],
)
def test_reworded_statement_is_known(revised: str) -> None:
    assert not _new(revised)


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Some bookings went to more than one driver, 134 found so far.", ["134"]),
        ("133 open vans are involved.", ["133"]),
        ("No booking was charged.", ["No booking"]),
        ("Each business in Slovenia has less gas.", ["Each business"]),
        ("Write to us with Outlook.", ["Outlook"]),
    ],
)
def test_other_number_subject_or_name_is_new(revised: str, new: list[str]) -> None:
    assert _new(revised) == new
