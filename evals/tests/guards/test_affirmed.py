"""Clauses that affirm what the original denies, whatever the words are."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["kiln sensors do not report", "glaze charts do not open"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "The kiln sensors in the east studio do not report their readings. "
    "Our electrician is at the panel and has not found the reason for this yet. "
    "No glaze chart opens on the tablets in the studio. "
    "Please do not fire stoneware in the small kiln. "
    "Pots are collected at the hatch and not at the office. "
    "If your kiln sensor does not report its readings, call the desk. "
)


def _says(before: str, after: str) -> list[str]:
    assert before in ORIGINAL
    revised = ORIGINAL.replace(before, after)
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    return [found.code for found in report.violations]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("do not report their readings", "report their readings"),
        ("do not report their readings", "are reporting their readings"),
        ("has not found the reason for this yet", "has found the reason for this"),
        ("No glaze chart opens", "The glaze chart opens"),
    ],
)
def test_a_denial_that_is_dropped_is_a_claim(before: str, after: str) -> None:
    assert _says(before, after) == ["restricted_claims"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("do not report their readings", "fail to report their readings"),
        ("do not report their readings", "have yet to report their readings"),
        ("has not found the reason for this yet", "is still unable to find the reason for this"),
        ("has not found the reason for this yet", "may have found the reason for this"),
        ("No glaze chart opens", "Hardly a glaze chart opens"),
        ("Please do not fire", "We ask you not to fire"),
        ("Pots are collected at the hatch and not at the office", "Pots are collected at the hatch"),
        (
            "If your kiln sensor does not report its readings, call",
            "When your kiln sensor reports its readings, you need not call",
        ),
    ],
)
def test_other_words_of_denial_and_what_is_affirmed_besides_are_none(before: str, after: str) -> None:
    assert not _says(before, after)


def test_a_question_that_is_looked_into_and_a_list_affirm_nothing() -> None:
    original = "We are looking into whether seats went out more than once. 8% of firing cones do not fire."
    revised = "Of the firing cones, 8% do not fire. We also look into whether seats went out more than once."
    assert not check_revision(original=original, revised=revised, context=CONTEXT).violations
