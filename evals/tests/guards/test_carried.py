"""What a revision may carry over from its original where no claim may stand, and what it makes anew."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_restricted_claims
from redpen.guards.seen import read

ACTIONS = {"approved_actions": ["do not issue fines for sessions during the outage"]}


def _families(original: str, revised: str) -> list[str]:
    found = find_restricted_claims(
        revised=read(revised), original=read(original), context=ACTIONS, inherit=False
    )
    return [str(item.family) for item in found]


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("Kiosks are offline. Online check-in remains open.", "Kiosks are offline; online check-in is open."),
        ("Gates fail. We keep the manual lane open.", "Gates fail. The manual lane stays open."),
        ("Downloads fail in some branches.", "Downloads fail in some branches. Reading rooms are open."),
        ("Logs are collected, hypothesis open.", "Logs are collected and the hypothesis is open."),
        ("Payments in the app fail.", "Payments in the app fail, and no fines are issued."),
    ],
)
def test_what_the_original_has_or_what_is_besides_it_passes(original: str, revised: str) -> None:
    assert not _families(original, revised)


@pytest.mark.parametrize(
    ("original", "revised", "family"),
    [
        ("Sign-ups are failing.", "Sign-ups are open.", "resolution"),
        ("Checkout is closed.", "Checkout is open again.", "resolution"),
        ("The outage is resolved.", "The incident has been resolved.", "resolution"),
        ("Mail is going out on time again.", "Mail is on time again.", "resolution"),
        ("Mail is late due to a failed upgrade.", "An upgrade that failed has made mail late.", "cause"),
        ("We guarantee an answer.", "Please wait, as we guarantee an answer.", "guarantee"),
        ("We will refund the fee.", "We will refund your fee.", "commitment"),
    ],
)
def test_what_leaves_no_doubt_is_a_claim_in_the_original_too(
    original: str, revised: str, family: str
) -> None:
    assert family in _families(original, revised)


@pytest.mark.parametrize(
    "revised",
    [
        "Close the app, clear its cache, open it again and try the web client.",
        "The crew drives to blocked cars and opens them by hand.",
        "Our crew is restarting stalled posts one by one.",
        "The rate is down to fifty-eight percent.",
        "Have the credit card that you used for booking at hand.",
        "We put them back into the queue in batches.",
        "Please do not remove the batteries, it makes pairing get lost.",
        "Some bills are estimated; fixed service charges are not.",
        "The cause is not proven, let alone repaired.",
        "Latency is twice as high as before.",
        "E-books do not always let themselves be downloaded.",
        "Each result is opened by a scientist, matched with its form and sent on by hand.",
        "Nothing herein shall be construed as a guarantee of any time.",
    ],
)
def test_orders_routine_and_trouble_are_no_claims(revised: str) -> None:
    assert not _families("Payments are failing for some customers.", revised)
