"""What approved actions, context and original allow to claim."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from redpen.guards.claims import find_restricted_claims
from redpen.guards.seen import read


def _is_allowed(revised: str, *, original: str = "Exams are delayed.", actions: Sequence[str] = ()) -> bool:
    return not find_restricted_claims(
        revised=read(revised),
        original=read(original),
        context={"approved_actions": list(actions)},
        inherit=True,
    )


@pytest.mark.parametrize(
    ("revised", "allowed"),
    [
        ("You get 30 extra minutes.", True),
        ("You get 30 extra coupons.", False),
    ],
)
def test_an_approved_amount_may_be_given_in_other_words(revised: str, allowed: bool) -> None:
    actions = ["Give affected students a 30-minute extension"]
    assert _is_allowed(revised, actions=actions) is allowed


def test_an_action_that_denies_an_amount_does_not_allow_it() -> None:
    actions = ["Do not give anybody a 30-minute extension"]
    assert not _is_allowed("You get 30 extra minutes.", actions=actions)


@pytest.mark.parametrize(
    ("original", "allowed"),
    [
        ("The money is not lost. It is on the way, but it has not arrived.", True),
        ("The money is not lost. The letter is on the way.", False),
        ("The money is not on the way.", False),
    ],
)
def test_a_pronoun_stands_for_the_sentence_before_and_a_denial_for_its_clause(
    original: str, allowed: bool
) -> None:
    assert _is_allowed("Your money is on the way.", original=original) is allowed


@pytest.mark.parametrize(
    ("revised", "allowed"),
    [
        ("A drinks voucher is on its way to every guest.", True),
        ("A travel voucher is on its way to every passenger.", False),
    ],
)
def test_a_commitment_is_allowed_about_what_is_known(revised: str, allowed: bool) -> None:
    original = "Guests get a drinks voucher."
    assert _is_allowed(revised, original=original) is allowed


@pytest.mark.parametrize(
    ("revised", "allowed"),
    [
        ("A slow switch to the backup added to the delay, and that caused the outage.", True),
        ("A storm caused the outage.", False),
    ],
)
def test_a_cause_is_allowed_in_words_that_are_given(revised: str, allowed: bool) -> None:
    original = "We were slow to switch to the backup, and that caused the outage."
    assert _is_allowed(revised, original=original) is allowed


@pytest.mark.parametrize(
    ("original", "allowed"),
    [
        ("A storage fee is due after three days.", False),
        ("Some fees are waived after three days.", True),
    ],
)
def test_a_fee_that_is_spoken_of_lets_nobody_off(original: str, allowed: bool) -> None:
    assert _is_allowed("No storage fee applies.", original=original) is allowed


def test_an_action_says_nothing_of_what_nobody_did() -> None:
    actions = ["Passengers can check in at the quay"]
    assert not _is_allowed("Nobody here checked the form.", actions=actions)
