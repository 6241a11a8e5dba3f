"""Payouts that are themselves late, held or under review are given to nobody."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "Since Monday, 40 payouts to sellers are pending, and some lists show a wrong name. "
    "We are holding these payouts while each one is reviewed."
)


def _commits(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return any(found.family == "commitment" for found in report.violations)


@pytest.mark.parametrize(
    "sentence",
    [
        "We are holding 40 payouts until each has gone through a review.",
        "Your payout may be among the 40 that are waiting.",
        "We expect the review of a payout to take time.",
    ],
)
def test_what_is_late_is_not_given(sentence: str) -> None:
    assert not _commits(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "You get an extra payout for the review.",
        "Your voucher is waiting for you.",
        "We add a bonus to every payout that is waiting.",
        "We will offer a payout while you wait.",
    ],
)
def test_what_is_given_besides_is_a_commitment(sentence: str) -> None:
    assert _commits(sentence)


def test_a_payout_that_the_original_does_not_name_is_given() -> None:
    original = "The lists of sellers are slow, and some of them show a wrong name."
    revised = f"{original} Your payout may be among those that are waiting."
    report = check_revision(original=original, revised=revised, context={})
    assert any(found.family == "commitment" for found in report.violations)
