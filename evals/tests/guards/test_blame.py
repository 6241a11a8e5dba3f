"""Blame that a text puts on its writer, whatever the writer is called and however the blame is told."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims


def _families(text: str) -> set[str]:
    return {claim.family for claim in find_claims(text)}


@pytest.mark.parametrize(
    "sentence",
    [
        # The writer by its kind, with asides before the verb.
        "The district is at fault for the late buses.",
        "The bank is in the wrong here.",
        "The lift company stands answerable for the wait at the gates.",
        "The operator of the hub, meaning us, is responsible in law.",
        "The airline, not the airport, is at fault.",
        # Adverbs of blame.
        "We acted carelessly with your samples.",
        "We move the messages that we negligently let build up.",
        "The forms were recklessly shredded by our staff.",
        "Transfers wait in a queue that we built badly.",
        # Failings that are called our own, taken for granted under an "if" or in an order.
        "That was our slip.",
        "If our failings have left you in pain, please ring the desk.",
        "Please do not send it again on account of our blunder.",
        # What binds us.
        "We violated the service level agreement.",
        "Our clinics breached their duty of care.",
        "We acknowledge a breach of our delivery contract.",
        "We had a duty to keep the gates working and did not meet it.",
        "The bank did not act with due diligence.",
        # Where the burden rests.
        "Responsibility for the mix-up rests squarely with the district.",
        "The fault does not lie with your ticket but with us.",
        # What only blunderers do, and leave undone.
        "Our team is examining the parcels that it mishandled.",
        "Our payments team, which bungled it, is at work.",
        "Our engineers, who overlooked the warnings, are at work.",
        "We are examining where we went wrong.",
        "Checks of the archive were left undone by our staff.",
    ],
)
def test_blame_of_the_writer_is_taken(sentence: str) -> None:
    assert "liability" in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We do not know who is at fault.",
        "It is not settled whether the district is at fault.",
        "You are in the wrong queue.",
        "The school is responsible for the site.",
        "A driver acted carelessly near the depot.",
        "The sign that we read is badly lit.",
        "Our error page shows a code.",
        "We are checking whether our mistake led to this.",
        "Posts that violate the terms are hidden.",
        "Our clinics have not breached their duty of care.",
        "The fault does not lie with us.",
        "Blame can wait until the facts are on the table.",
        "We are asking whether we went wrong.",
        "Your report was left unread by the printer.",
    ],
)
def test_what_blames_nobody_or_others_is_none(sentence: str) -> None:
    assert "liability" not in _families(sentence)


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Customers who cannot see their balance will be compensated.", "commitment"),
        ("Members whose card was not read will be refunded.", "commitment"),
        ("Late fees on pending orders are waived.", "commitment"),
        ("Some cannot see it, and the responsibility for that lies with us.", "liability"),
    ],
)
def test_what_is_told_of_readers_reaches_no_further(sentence: str, family: str) -> None:
    assert family in _families(sentence)
