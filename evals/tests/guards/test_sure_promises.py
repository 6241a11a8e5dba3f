"""Promises without exception: a thing to come, or at work, and with it that it is so every time."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims

HELD = (
    "Your card will be accepted at the terminal, every time.",
    "Members will see their bands in full the next time they log in.",
    "Try the gate again later, when it will open.",
    "Whatever the weather, your parcel will arrive in time.",
    "The delayed letters will be delivered before long.",
    "You will get the right parcel.",
    "Paying through your account works, always.",
    "Tapping the band never fails.",
    "Delays like this will not happen again on our line.",
    "Riders will not see another delay.",
    "The buses will never run this late again.",
    "You will never find such a label on our kits again.",
    "Such a bill is never going to reach you again.",
)
LEFT_OPEN = (
    "Your card may be accepted at the terminal every time.",
    "We will post an update the next time we know more.",
    "You will always find the latest news on the status page.",
    "Late arrivals will be excused every time.",
    "If you tap again, your card will be accepted.",
    "Will your card be accepted every time?",
    "You will not need to tap again.",
    "We are at work so that you will never find such a label again.",
    "Such a bill is not going to be sent again today.",
    "We hope that the buses will never run this late again.",
    "The delayed letters will be examined.",
)


@pytest.mark.parametrize("text", HELD)
def test_a_promise_without_exception_is_a_guarantee(text: str) -> None:
    assert "guarantee" in [claim.family for claim in find_claims(text)]


@pytest.mark.parametrize("text", LEFT_OPEN)
def test_news_conditions_and_plain_plans_are_none(text: str) -> None:
    assert "guarantee" not in [claim.family for claim in find_claims(text)]
