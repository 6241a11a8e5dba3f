"""What a phrase of certainty is about: news, or a thing of its own in a second verb."""

from __future__ import annotations

import pytest

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
