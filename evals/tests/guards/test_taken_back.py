"""Words around a claim that take it back."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims import taken_back
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.frame import Frame
from redpen.guards.claims.taken_back import FRAMES, is_taken_back

ORIGINAL = "The gates at the north pier are slow. Our crew is looking into the readers and the turnstiles."


def _blocks(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return any(found.code == "restricted_claims" for found in report.violations)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.example)
def test_a_frame_takes_back_its_example(frame: Frame) -> None:
    assert not _blocks(frame.example)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.example)
def test_a_frame_leaves_what_is_near_it(frame: Frame) -> None:
    assert not any(is_taken_back(claim, frame.near) for claim in find_claims(frame.near))


@pytest.mark.parametrize(
    "sentence",
    [
        "The readers had a rumour of trouble, but the gates work again.",
        "We cannot say when, but the gates work again.",
        "It is too early for coffee: the gates work again.",
        "We have not decided lightly: every visitor gets a free ticket.",
        "If you are asked, we are at fault.",
        "Should you need a bed, a free ticket is yours.",
        "Visitors say thanks, since the gates have been fixed.",
    ],
)
def test_what_stands_outside_the_frame_is_claimed(sentence: str) -> None:
    assert _blocks(sentence)


def test_every_family_of_a_frame_is_one_of_claims() -> None:
    assert all(frame.families and (frame.before or frame.after) for frame in taken_back.FRAMES)
