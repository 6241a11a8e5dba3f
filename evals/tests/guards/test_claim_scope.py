"""Claims: how far hedges and conditions reach, and what is read as one clause or one claim."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims


def _families(text: str) -> set[str]:
    return {claim.family for claim in find_claims(text)}


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("While the estimate may change, your funds are safe.", "reassurance"),
        ("Although we cannot promise it, delivery has recovered.", "resolution"),
        ("Even if the page still looks odd, the incident is over.", "resolution"),
        ("Whether or not you called us, we will refund the fee.", "commitment"),
    ],
)
def test_a_fronted_clause_keeps_its_hedge_to_itself(sentence: str, family: str) -> None:
    assert family in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Your funds may be safe.",
        "Once delivery has recovered, we will write.",
        "We cannot promise that delivery has recovered.",
        "It would be wrong to call this resolved.",
        "It is too early to say that your data is safe.",
    ],
)
def test_a_hedge_of_the_same_clause_takes_a_claim_back(sentence: str) -> None:
    assert not find_claims(sentence)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("We will extend your subscription.", True),
        ("Your subscription will be extended.", True),
        ("Your subscription is affected, and we extend the search.", False),
    ],
)
def test_the_parts_of_a_phrase_stand_in_any_order_in_one_clause(sentence: str, claims: bool) -> None:
    assert ("commitment" in _families(sentence)) is claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The errors began right after last night's release.", True),
        ("This started when we moved the database.", True),
        ("Ever since the new gateway went live, payments have failed.", True),
        ("The errors began at 09:10.", False),
        ("Payments fail when customers use a saved card.", False),
    ],
)
def test_an_occasion_that_is_new_is_given_as_the_cause(sentence: str, claims: bool) -> None:
    assert ("cause" in _families(sentence)) is claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The culprit? A worn cable.", True),
        ("The reason? We do not know yet.", False),
        ("The reason? Please call us.", False),
        ("Do you know the reason? Please write to us.", False),
    ],
)
def test_a_question_and_its_answer_give_a_cause(text: str, claims: bool) -> None:
    assert ("cause" in _families(text)) is claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Were the lifts repaired, we would tell you.", False),
        ("Had the lifts been repaired, you would have heard from us.", False),
        ("The lifts are anything but repaired.", False),
        ("Whatever lifts have been repaired, we will list here.", False),
        ("Whichever lifts have been repaired are on the list.", False),
        ("When you arrive you will see that the lifts have been repaired.", True),
        ("You will find that the lifts have been repaired.", True),
        ("When we hear that the lifts have been repaired, we will tell you.", False),
        ("Once broken, the lifts have been repaired.", True),
        ("Once repaired, the lifts will be tested.", False),
        ("Look here to see when the lifts have been repaired.", False),
        ("We would love to tell you that the lifts have been repaired; today we cannot.", False),
        ("We told you that the lifts have been repaired; we cannot thank you enough.", True),
    ],
)
def test_turned_and_fronted_clauses(sentence: str, claims: bool) -> None:
    assert bool(find_claims(sentence)) is claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("We answer all the messages received by some of you.", False),
        ("The messages that do arrive are late.", False),
        ("It does not affect all passes.", False),
        ("It does not affect passes.", True),
    ],
)
def test_what_tells_which_ones_are_meant_claims_nothing(sentence: str, claims: bool) -> None:
    assert bool(find_claims(sentence)) is claims
