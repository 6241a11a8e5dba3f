"""Faults and reasons that neither original nor context names."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.claims import find_claims
from redpen.guards.claims.unsupported import find_unsupported

CONTEXT: dict[str, Any] = {
    "symptoms": ["some lockers do not open after the code is entered", "pick-up codes arrive late"],
    "approved_actions": ["post an update every 2 hours"],
}
ORIGINAL = (
    "Some lockers do not open after the code is entered, and 12% of pick-up codes arrive late. Parcels wait "
    "in 40 lockers and drivers are delayed. Our field team is checking the lockers and counts the parcels. "
    "We post an update every 2 hours."
)


def _families(sentence: str) -> set[str]:
    found = find_unsupported(f"{ORIGINAL} {sentence}", ORIGINAL, CONTEXT)
    return {str(claim.family) for claim in found}


@pytest.mark.parametrize(
    "sentence",
    [
        "A time-zone bug moved the codes.",
        "Crew shortages hit the lockers.",
        "A typing slip sent the codes away.",
        "The codes go through a fault at a telecom operator.",
        "Parcels wait behind a corrupted label file.",
        "The lockers obey an overzealous fraud rule.",
    ],
)
def test_a_fault_that_nothing_names_is_a_cause(sentence: str) -> None:
    assert "cause" in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "There is talk of a bug, and we cannot confirm it.",
        "We have seen no bug so far.",
        "The lockers return error 503.",
        "Technical faults keep 40 lockers shut.",
        "If a login error shows, please write to us.",
        "Any failed delivery is listed in the app.",
    ],
)
def test_a_fault_that_is_open_or_known_is_none(sentence: str) -> None:
    assert "cause" not in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Codes arrive late, as a tracking script on the page keeps timing out.",
        "A haulier has been losing pallets, and so parcels arrive late.",
        "The glue on the seals has dried out, hence the delayed parcels.",
        "A haulier went bust, and parcels are late as a result.",
        "The seals have frozen stiff, which is why lockers do not open.",
        "With the mast struck by hail, codes arrive late.",
        "Had the gateway licence not lapsed, your codes would arrive.",
    ],
)
def test_a_reason_that_nothing_supports_is_a_cause(sentence: str) -> None:
    assert "cause" in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Codes arrive late, so please wait for yours.",
        "Parcels wait in 40 lockers, so drivers are delayed.",
        "The lockers show a blank page, with nothing to click.",
        "As of today, 40 lockers are shown as offline.",
        "Codes arrive late, with around 12% delayed and a wait at the lockers.",
        "Codes have arrived late since this morning.",
        "Had you not told us, we would not have known.",
    ],
)
def test_other_joints_give_no_reason(sentence: str) -> None:
    assert "cause" not in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["Codes are not arriving because a switch died.", "Pages do not load because we hurried the release."],
)
def test_a_denial_that_tells_the_trouble_leaves_the_cause(sentence: str) -> None:
    assert "cause" in {claim.family for claim in find_claims(sentence)}


@pytest.mark.parametrize(
    "sentence",
    ["It did not fail because of a parade.", "You do not need to call because of the parade."],
)
def test_a_denial_of_the_tie_takes_it_back(sentence: str) -> None:
    assert "cause" not in {claim.family for claim in find_claims(sentence)}
