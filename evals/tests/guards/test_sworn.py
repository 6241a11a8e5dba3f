"""What a phrase of certainty is about: news, or a thing of its own in a second verb."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims import find_claims


@pytest.mark.parametrize(
    "text",
    [
        "We are investigating and will, without exception, post an update every day.",
        "We are looking into it and vow to post an update every day.",
        "The search is bound to find the fault.",
        "Please wait, as the pending one cannot fail to arrive.",
    ],
)
def test_what_is_sworn_besides_open_work_is_a_guarantee(text: str) -> None:
    assert [claim.family for claim in find_claims(text)] == ["guarantee"]


@pytest.mark.parametrize(
    "text",
    [
        "You are sure to find the desk by the gate.",
        "We are investigating whether it works without exception.",
        "The lift is planned to open by noon at the latest.",
    ],
)
def test_news_that_readers_find_and_plans_are_none(text: str) -> None:
    assert not find_claims(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Students will get to class before the bell, no matter what.", "We write before the bell."),
        ("The amount on your card is sure to vanish.", "So that updates are sure to reach you, sign up."),
        ("The delay is certain not to grow.", "It is not certain how the delay grows."),
    ],
)
def test_a_time_and_a_thing_of_the_reader_leave_it_sworn(text: str, near: str) -> None:
    assert "guarantee" in {claim.family for claim in find_claims(text)}
    assert not find_claims(near)


def _families(sentence: str) -> list[str]:
    original = (
        "New transfers are held in a queue. Some slots come from the desk, and we answer questions there."
    )
    context = {"policy_hints": {"avoid_absolute_guarantees": True}}
    report = check_revision(original=original, revised=f"{original} {sentence}", context=context)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    "sentence",
    [
        "New transfers held in a queue will be sent in any case.",
        "A slot at the desk will go ahead, come what may.",
    ],
)
def test_what_is_sworn_in_a_new_word_is_no_echo(sentence: str) -> None:
    assert _families(sentence) == ["guarantee"]


def test_one_word_in_another_turn_restates_nothing() -> None:
    assert _families("It is we who answer for the slots.") == ["liability"]
