"""Concerns: statements about state or outcome in words that nothing explains."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.novelty import find_new_statements
from redpen.guards.report import Finding
from redpen.guards.seen import read

CONTEXT: dict[str, Any] = {
    "incident": {"status": "degraded", "affected_checkout_pct": 27},
    "approved_actions": ["prepare support macro with workaround guidance"],
}
ORIGINAL = "About 27% of checkouts in the US are affected. We are investigating."


def _concerns(revised: str, violations: tuple[Finding, ...] = ()) -> tuple[Finding, ...]:
    return find_new_statements(
        revised=read(revised), original=read(ORIGINAL), context=CONTEXT, violations=violations
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Checkouts sail along nicely.",
        "The platform is purring.",
        "Shoppers are delighted with the checkout.",
        "The gremlins have scattered.",
        "Checkout is a joy today.",
        "Our crew has breathed life into the checkouts.",
        "A squirrel gnawed the wires.",
        "The lighthouse has the analysers stumbling.",
        "Checkouts with their trolleys gleam brightly.",
        "The undisturbed checkouts gleam.",
        "Checkouts are free.",
        "Checkouts have caught up.",
        "Checkouts move forward.",
        "The checkouts hold tight.",
        "Hello, checkouts gleam brightly.",
    ],
)
def test_unknown_words_about_the_state_are_a_concern(sentence: str) -> None:
    (concern,) = _concerns(f"{ORIGINAL} {sentence}")
    assert (concern.code, concern.text) == ("new_statement", sentence.rstrip("."))


@pytest.mark.parametrize(
    "sentence",
    [
        "Roughly 27% of checkouts run into errors at the moment.",
        "Hail, adventurers of the high seas!",
        "Good morning, snow lovers.",
        "Our team continues to look into the issue.",
        "We are preparing a support macro with workaround guidance.",
        "Please try again later if your payment fails.",
        "Customers may encounter gremlins.",
        "We hope that checkouts purr along soon.",
        "We are combing through the logs.",
        "Is the platform purring?",
        "If the platform purrs, we will write.",
        "Thank you for your patience.",
        "Ahoy, and sorry for the long wait at the harbour.",
        "Feel free to phone the porter at the north entrance.",
        "We are looking forward to your visit.",
        "Early birds buy their tickets at the kiosk.",
        "Some checkouts are caught up in it.",
        "Queues have grown fivefold.",
        "Checkouts are, regrettably, in a horrible mess.",
        "The platform is not purring.",
        "Open the gramophone and tap your lamp.",
        "Speak to the concierge by the fountain.",
        "Wrap up well.",
        "Ring us on the gramophone.",
        "With warm regards from the lighthouse.",
        "Much obliged for your sunflowers.",
        "Weather permitting, the gramophone may sing.",
        "Questions about gramophones belong at the concierge.",
        "Here is what the gramophone sang.",
        "Your sunflowers cheered us.",
        "Printed sheets can be borrowed instead.",
        "A fresh leaflet hangs there every hour.",
        "It is a muddle.",
        "Checkouts stay unsaved.",
        "Sixteen checkouts are affected as well.",
        "Canadian checkouts are affected.",
        "The responsibility is ours.",
        "About 27% of checkouts in the US are impaired.",
    ],
)
def test_neutral_hedged_and_denied_statements_are_none(sentence: str) -> None:
    assert _concerns(f"{ORIGINAL} {sentence}") == ()


def test_a_violation_covers_its_sentence() -> None:
    revised = "The gremlins have scattered."
    (concern,) = _concerns(revised)
    violation = Finding(
        code="restricted_claims", family="resolution", span=(4, 12), text="gremlins", reading="", reason=""
    )
    assert _concerns(revised, (violation,)) == ()
    assert concern.span == (0, len(revised) - 1)


def test_words_of_the_original_are_no_news() -> None:
    found = find_new_statements(
        revised=read("The gremlins have scattered."),
        original=read("Gremlins scatter."),
        context=CONTEXT,
        violations=(),
    )
    assert found == ()


@given(st.text(), st.text())
def test_any_text_can_be_read(revised: str, original: str) -> None:
    for concern in find_new_statements(
        revised=read(revised), original=read(original), context=CONTEXT, violations=()
    ):
        start, end = concern.span
        assert 0 <= start <= end <= len(revised)


@given(st.text(alphabet=st.sampled_from("abc .,?\n"), max_size=200))
def test_a_text_holds_nothing_new_against_itself(text: str) -> None:
    assert find_new_statements(revised=read(text), original=read(text), context={}, violations=()) == ()
