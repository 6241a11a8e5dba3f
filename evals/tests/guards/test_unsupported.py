"""Statements that nothing in context and original supports."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.claims.unsupported import find_unsupported

CONTEXT: dict[str, Any] = {
    "symptoms": ["scooters cannot be unlocked", "card readers at the docks do not answer"],
    "approved_actions": ["send a crew to the docks"],
}
ORIGINAL = "Some riders cannot unlock a scooter. Card readers at the docks are slow. We are investigating."


def _families(sentence: str) -> list[str]:
    found = find_unsupported(f"{ORIGINAL} {sentence}", ORIGINAL, CONTEXT)
    return [str(claim.family) for claim in found]


@pytest.mark.parametrize(
    "sentence",
    [
        "Scooters purr in every street.",
        "The card readers take a tap in a blink.",
    ],
)
def test_a_good_state_of_what_is_affected_is_a_claim(sentence: str) -> None:
    assert _families(sentence) == ["resolution"]


@pytest.mark.parametrize(
    "sentence", ["Mice chewed through the fibre under the street.", "A falcon tore the line apart."]
)
def test_a_deed_of_something_named_nowhere_else_is_a_claim(sentence: str) -> None:
    assert _families(sentence) == ["cause"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Scooters still refuse to unlock for some riders.",
        "The card readers at the docks respond slowly.",
        "Our engineers traced every lead overnight.",
        "The card readers may beep at every dock.",
        "Do the card readers beep at every dock?",
        "Mice did not chew through the fibre.",
        "Thank you for your patience this morning.",
        "The disruption led to a rise in calls.",
        "Locks are opened by crews meanwhile.",
    ],
)
def test_what_is_supported_open_denied_or_talk_is_none(sentence: str) -> None:
    assert not _families(sentence)


def test_a_context_may_support_what_the_original_does_not_tell() -> None:
    context = {**CONTEXT, "findings": ["mice chewed the fibre"]}
    text = f"{ORIGINAL} Mice chewed through the fibre."
    assert find_unsupported(text, ORIGINAL, CONTEXT)
    assert not find_unsupported(text, ORIGINAL, context)


def test_where_next_to_nothing_is_known_nothing_is_told() -> None:
    assert not find_unsupported("Card readers beep at every dock.", "Update.", {})
