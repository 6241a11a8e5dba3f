"""Clauses that say in other words what a clause of original or context says."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["some trips continue to show as active after the ride"],
    "approved_actions": ["Reimburse late bank fees up to $40 per employee"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "On 8 October our Harlem hub stopped sorting for part of the morning. "
    "Riders whose login works meet a queue. "
    "Please do not delete the book from your device. The gates reject some passes at the north pier. "
    "We are checking whether letters were opened by others. We hope to clear the queue at the desk tonight. "
    "The crew is working to restore the tram service. The index is being rebuilt by the vendor. "
)


def _families(sentence: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sorting ceased at our Harlem hub for part of the morning.",
        "Riders whose login succeeds meet a queue.",
        "We ask that you do not delete the book from your device.",
        "Reimbursement of late bank fees is available up to $40 per employee.",
    ],
)
def test_other_words_for_what_is_known_are_no_claim(sentence: str) -> None:
    assert not _families(sentence)


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("The gates accept the passes at the north pier.", "resolution"),
        ("Letters were not opened by others.", "reassurance"),
        ("The queue at the desk has been cleared tonight.", "resolution"),
        ("The tram service was restored by the crew.", "resolution"),
        ("The index has been rebuilt.", "resolution"),
        ("Reimbursing bank fees per employee did the trick.", "resolution"),
        ("We are legally answerable for late bank fees per employee.", "liability"),
        ("Late parking fees are on us, up to $40 per employee.", "commitment"),
        ("Sorting at our Harlem hub goes on again for part of the morning.", "resolution"),
    ],
)
def test_what_turned_is_a_claim_in_the_same_words(sentence: str, family: str) -> None:
    assert family in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "It may be that the gates are open.",
        "It is possible that your pass is fine.",
        "It would be rash of us to promise more.",
        "Some riders are still without a ticket.",
    ],
)
def test_what_is_only_possible_is_no_claim(sentence: str) -> None:
    assert not _families(sentence)
