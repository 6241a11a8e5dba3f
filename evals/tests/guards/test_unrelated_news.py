"""A new fact without figures is a concern where no fact of the incident is stated, and blocks otherwise."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "We are looking into slow checkouts in the US. Our engineers are on it, and the cause is not known yet. "
    "Some customers have to press the button twice before their basket is sent, and gift cards are declined. "
    "The next update comes in 30 minutes."
)
CONTEXT = {"region": "US", "update_interval_minutes": 30, "policy_hints": {"avoid_absolute_guarantees": True}}


def _judge(sentence: str, original: str = ORIGINAL):
    return check_revision(original=original, revised=f"{original} {sentence}", context=CONTEXT)


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Our colleagues enjoyed a cake this morning.", "time"),
        ("The whole team went hiking in the mountains last weekend.", "date"),
        ("Our choir sang in the park for two hours.", "duration"),
        ("Our intern Austin baked a cake.", "region"),
        # Not news, but advice and empathy.
        ("It may be wise to place your order in the evening.", "time"),
        ("Sorry to everyone who had to wait.", "quantifier"),
    ],
)
def test_fact_in_a_clause_that_states_none_is_a_concern(sentence: str, family: str) -> None:
    report = _judge(sentence)
    assert report.ok, report.violations
    (found,) = [item for item in report.concerns if item.family == family]
    assert found.code == "new_statement"
    assert "no new fact of the incident" in found.reason


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Nobody can pay this morning.", "time"),
        ("Checkouts have been slow since last weekend.", "date"),
        ("Baskets were sent twice for two hours.", "duration"),
        ("Shoppers in Austria are hit as well.", "region"),
        ("We are in touch with Acme.", "party"),
        ("Everyone in the US has to press the button twice.", "quantifier"),
        ("The checkout may be slow for a couple of hours.", "duration"),
        ("We share an update every sixty minutes.", "duration"),
        ("There are three hundred and ten tickets to look at.", "count"),
    ],
)
def test_fact_of_the_incident_is_a_violation(sentence: str, family: str) -> None:
    assert family in {item.family for item in _judge(sentence).violations}


def test_unrelated_news_with_figures_is_a_violation() -> None:
    report = _judge("Our choir sang in the park for 2 hours.")
    assert [item.family for item in report.violations] == ["duration"]


def test_text_without_an_original_has_no_unrelated_news() -> None:
    assert not _judge("The whole team went hiking in the mountains last weekend.", original="").ok
