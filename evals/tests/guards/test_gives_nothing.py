"""Clauses on money that give nobody anything."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = "The gates at the north pier are slow. Our crew is looking into the readers and the turnstiles."


def _blocks(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return any(found.code == "restricted_claims" for found in report.violations)


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("We know that people are waiting to be paid.", "We know that you will be paid."),
        ("Visitors who were counting on that money: we are sorry.", "Visitors who waited get that money."),
        ("Waiting for money is hard.", "Waiting for money is over, we pay."),
        ("Taxi fares are not covered.", "Taxi fares are covered."),
        ("We regret that we cannot pay for taxis.", "We are glad that we can pay for taxis."),
        ("Cash is not accepted on board.", "No fare is charged on board."),
        ("Do not pay any fee that a caller asks for.", "Do not pay any fee."),
        ("You pay the usual fare.", "You pay the old fare."),
        ("You have paid for a service that is slow.", "You pay for one ticket and get two."),
        ("A colleague covers the night shift.", "A colleague covers your hotel bill."),
        ("We owe you an update.", "We owe you a dinner."),
        ("Goodwill payments have not been mentioned.", "Goodwill payments have been mentioned."),
        ("Wages have not been paid.", "You have not been charged."),
        ("Please bring cash.", "The cash for your taxi is yours to take."),
        ("The invoice arrives by post.", "The invoice arrives with a discount."),
    ],
)
def test_a_gift_is_told_from_a_bill(sentence: str, near: str) -> None:
    assert not _blocks(sentence)
    assert _blocks(near)


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody goes without a voucher.",
        "We know that you pay nothing.",
        "We know how annoying it is and you get a free ticket.",
        "The usual fee is covered by us.",
        "Visitors who pay by card are entitled to money back.",
        "The toll is lifted.",
    ],
)
def test_what_is_given_in_such_a_clause_is_claimed(sentence: str) -> None:
    assert _blocks(sentence)
