"""Denials put into a revision: of harm they are claims, of steps, lower levels and news they are none."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "The gates at the north pier are slow, and the error rate of the readers is high. "
    "Our crew is looking into the readers and the turnstiles."
)


def _blocks(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return any(found.family == "reassurance" for found in report.violations)


@pytest.mark.parametrize(
    "sentence",
    [
        "Don't forget to take your passport along.",
        "Don't hesitate to ask at the desk about a late boat.",
        "Give your code to strangers under no pretext.",
        "The error rate has not fallen.",
        "The packet loss has not come down to its usual level.",
        "Boats are late at the north pier, not at the late one.",
        "The readers are not reliable at this stage.",
        "The system gives no reason for the error.",
        "Calling again does not move you up the queue.",
        "Nothing happens when you press the broken button.",
    ],
)
def test_what_is_no_harm_may_be_denied(sentence: str) -> None:
    assert not _blocks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Do not fear for your pictures.",
        "There is no reason to fret over your files.",
        "No explanation is needed: your pictures are unharmed.",
        "Standing orders were not disturbed.",
        "Not a single picture has been damaged.",
        "Your balance has not fallen.",
    ],
)
def test_harm_denied_is_a_claim(sentence: str) -> None:
    assert _blocks(sentence)
