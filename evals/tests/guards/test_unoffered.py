"""Clauses that speak of money, gifts or promises without making one."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = "The gates at the north pier are slow. Our crew is looking into the readers and the turnstiles."


def _blocks(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return any(found.code == "restricted_claims" for found in report.violations)


@pytest.mark.parametrize(
    "sentence",
    [
        "No promise of money has been made by us.",
        "Nothing has been decided about fees.",
        "Compensation has been neither offered nor ruled out.",
        "A decision about fees is still outstanding.",
        "Compensation is still under discussion.",
        "We are not in a position to say anything about refunds.",
        "We have not said that any fare is given back.",
        "Vouchers are not on the table at the moment.",
    ],
)
def test_what_is_not_settled_is_no_promise(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody pays the fee announced in our letter.",
        "You are not charged, as we promised.",
        "There is no arrangement fee for visitors.",
        "No approval is needed for your refund.",
        "The board has decided that nobody pays.",
        "You will not be charged, we told the bank so.",
    ],
)
def test_what_is_settled_or_denied_to_be_charged_is_one(sentence: str) -> None:
    assert _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Beware of messages that offer money.",
        "Please treat screenshots promising free tickets with suspicion.",
        "Anyone who offers you compensation by phone does not act for us.",
        "E-mails that promise cash come from fraudsters.",
        "Please do not count on compensation.",
        "Do not click on links that promise a refund.",
        "Someone is sending texts in our name that offer money.",
    ],
)
def test_what_readers_are_warned_of_is_not_ours(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ignore the fee on the form.",
        "Anyone who writes to us gets a free ticket.",
        "Do not count the fee.",
        "Victims of fraudsters will be paid by us.",
    ],
)
def test_a_warning_needs_someone_who_offers(sentence: str) -> None:
    assert _blocks(sentence)
