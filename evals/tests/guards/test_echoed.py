"""Clauses whose words nearly all stand together in one sentence of original or context."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["the grant form sends applicants back to its first page after the upload step"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "The grant form sends you back to page one after the upload step. "
    "You can withdraw a draft from the tray and submit it again. "
    "We hope that the stamping machine will work by Friday. "
    "The lockers at the desk do not open with the usual code. "
    "Some drafts sit in the tray without a stamp from the committee. "
)


def _families(sentence: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    "sentence",
    [
        "After the upload step, the grant form goes back to page one.",
        "A draft in the tray may be withdrawn and submitted again.",
        "By Friday we hope the stamping machine works.",
    ],
)
def test_an_echo_claims_nothing(sentence: str) -> None:
    assert not _families(sentence)


def test_a_sentence_of_the_original_is_no_claim_by_a_word_that_has_other_senses() -> None:
    report = check_revision(original=ORIGINAL, revised=f"Hello. {ORIGINAL}", context=CONTEXT)
    assert not report.violations


@pytest.mark.parametrize(
    "sentence",
    [
        "The stamping machine has been working since Friday.",
        "The lockers at the desk open with the usual code.",
        "The upload step of the grant form has been repaired.",
        "The grant form no longer sends you back to page one.",
        "Drafts in the tray are safe with the committee.",
        "The tray is taking drafts again.",
        "You will not see another draft withdrawn from the tray.",
    ],
)
def test_what_is_claimed_by_a_word_or_the_mood_is_no_echo(sentence: str) -> None:
    assert _families(sentence)
