"""What is allowed or known, in other words, is no news; nor are work of ours and idioms for trouble."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["the catalog is offline", "top-ups fail at the kiosk"],
    "approved_actions": ["Books can be borrowed at the desk with a card", "tutors accept paper forms"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "The catalog is offline, and top-ups fail at the kiosk. You can borrow at the desk with your card. "
    "Tutors accept paper forms. Crews are working along the main and have sent a probe down a pipe."
)


def _blocks(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return any(item.code == "restricted_claims" for item in report.violations)


@pytest.mark.parametrize(
    "sentence",
    [
        "Paper forms are fine with tutors.",
        "Borrowing is possible at the desk.",
        "Your card is enough to borrow at the desk.",
        "You can take out books at the desk with your card.",
    ],
)
def test_what_is_allowed_may_be_said_in_other_words(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The catalog takes your card again.",
        "Top-ups are possible at the kiosk.",
        "The kiosk greets you with top-ups.",
    ],
)
def test_a_change_or_another_thing_is_news(sentence: str) -> None:
    assert _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Work along the main goes on.",
        "Our search for the source goes on.",
        "Our crews are on the road.",
        "The desk is ringing round those who borrow.",
        "You can jot down questions on the catalog.",
        "Extra time at the kiosk is a good idea.",
        "The catalog is playing up.",
        "The kiosk is letting us down.",
        "The catalog drags its feet.",
        "The kiosk and the catalog have gone quiet.",
        "Reception can tell you the right time.",
    ],
)
def test_work_advice_and_trouble_are_no_good_news(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Two out of five kiosks are running.",
        "Some kiosks are no longer sending receipts.",
        "Trips are planned again if checks go well.",
        "What tutors can do now",
        "Forms are getting through, but late.",
        "It is hard to get through on the phone.",
        "Tell the person behind you.",
        "A card is sold at the usual rate of the desk price.",
        "Top-ups are only half as fast as normal.",
        "We are still finding out which forms were right.",
        "A snack won't hurt.",
        "Closing time is close, and it is close.",
        "The catalog now takes longer.",
        "Thank you for letting us put this right.",
    ],
)
def test_what_is_said_of_a_part_or_of_something_else_does_not_end_it(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The kiosk is no longer failing.",
        "Top-ups are getting through.",
        "The outage is behind you.",
        "The errors have gone quiet.",
        "Top-ups go through at the usual rate.",
        "The outage will not hurt your data.",
    ],
)
def test_the_end_of_it_is_still_a_claim(sentence: str) -> None:
    assert _blocks(sentence)


def test_orders_put_no_trouble_into_the_past() -> None:
    original = "Please do not release the bank file. The lab normally costs 75 euros per file."
    revised = "The bank file should not be released, please. The lab normally charges 75 euros per file."
    report = check_revision(original=original, revised=revised, context=CONTEXT)
    assert not report.violations
