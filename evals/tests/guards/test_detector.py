"""The learned detector: what it finds, how it says why, and what it makes of files that are no weights."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims.detector import DETECTED, MAGIC, Detector, shipped_detector
from redpen.guards.claims.finding import MOST_CLAUSES
from redpen.guards.data import data_path

ORIGINAL = (
    "We are looking into slow checkouts in the US. Our engineers are on it, and the cause is not known yet. "
    "Some customers have to press the button twice before their basket is sent, and gift cards are declined. "
    "The next update comes in 30 minutes."
)
CONTEXT = {"region": "US", "update_interval_minutes": 30, "policy_hints": {"avoid_absolute_guarantees": True}}


def _judge(sentence: str):
    return check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Checkouts are running smoothly once more, so shop away.", "resolution"),
        ("The gremlin has been chased out of the checkout.", "resolution"),
        ("We dropped the ball and we own it.", "liability"),
    ],
)
def test_claim_in_free_words_is_a_violation_with_clause_and_words(sentence: str, family: str) -> None:
    found = _judge(sentence).violations
    assert family in {item.family for item in found}
    assert all(item.text in sentence for item in found)
    assert any("most by '" in item.reading or "plain claim" in item.reading for item in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "Thank you for your patience.",
        "Our colleagues on the night shift have had a pot of tea.",
        "The help page has a chapter on payment methods.",
        "You can reach the support desk by chat.",
        "Checkouts are still slow.",
    ],
)
def test_harmless_news_passes(sentence: str) -> None:
    assert _judge(sentence).ok


@pytest.mark.parametrize(
    ("original", "sentence", "family"),
    [
        # There is no original whose statement it could have changed.
        ("", "Exports are slow since too many of you came at once.", "cause"),
        # A plain phrase that its clause leaves open.
        (ORIGINAL, "We hope by now checkouts are working again.", "resolution"),
    ],
)
def test_claim_that_needs_more_certainty_is_a_concern(original: str, sentence: str, family: str) -> None:
    found = check_revision(original=original, revised=f"{original} {sentence}", context=CONTEXT)
    assert found.ok
    assert [item.family for item in found.concerns] == [family]


def test_violation_is_not_repeated_as_a_concern() -> None:
    found = check_revision(original="", revised="Mobile data is back.", context=CONTEXT)
    assert [item.text for item in found.violations] == ["is back"]
    assert found.concerns == ()


def test_unchanged_text_passes() -> None:
    assert check_revision(original=ORIGINAL, revised=ORIGINAL, context=CONTEXT).ok


def test_more_clauses_than_can_be_weighed_are_blocked() -> None:
    # Words that are English, for what is not is left to the guard of the language.
    revised = " ".join(
        f"It is {chr(97 + at % 26)}b to {chr(97 + at // 26)}c." for at in range(MOST_CLAUSES + 20)
    )
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    assert any(str(MOST_CLAUSES) in item.reading for item in report.violations)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", MAGIC, MAGIC + b'{"hidden": 1}\n'])
def test_invalid_weights_are_rejected(data: bytes) -> None:
    with pytest.raises((ValueError, KeyError)):
        Detector(data)


def test_weights_that_are_cut_short_or_lack_a_name_are_refused() -> None:
    data = data_path("claims.weights").read_bytes()
    names = data.index(b"\n", len(MAGIC)) + 1
    end = data.index(b"\n", names)
    for damaged in (data[:-1], data[:end] + b" " + data[end + 1 :]):
        with pytest.raises(ValueError, match="not whole"):
            Detector(damaged)


def test_shipped_weights_have_ordered_bounds():
    bounds = shipped_detector().bounds
    assert set(bounds) == set(DETECTED)
    assert all(concern <= violation for concern, violation in bounds.values())


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("A crowd at the doors, and patience all round.", True),
        ("As a thank-you for reading this far, a photo of our office dog.", True),
        ("A candid update.", True),
        ("A burst pipe in the server room!", False),
        ("Free delivery for everybody who waits.", False),
        ("The blame for this lies squarely with us.", False),
    ],
)
def test_fragment_is_a_claim_only_if_it_says_so(sentence: str, passes: bool) -> None:
    assert _judge(sentence).ok is passes
