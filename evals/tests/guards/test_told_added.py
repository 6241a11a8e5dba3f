"""Good news put into a revision: added sentences, bright words, headings, orders taken back."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision
from redpen.guards.claims.unsupported import find_unsupported

CONTEXT: dict[str, Any] = {"symptoms": ["ovens do not heat"], "approved_actions": ["bake in the old hall"]}
ORIGINAL = (
    "The ovens in the bakery do not heat, and 60 loaves are unbaked. Please freeze your dough for now. "
    "Our bakers are examining the burners. We will write again at noon."
)


def _families(revised: str, original: str = ORIGINAL) -> list[str]:
    return [str(claim.family) for claim in find_unsupported(revised, original, CONTEXT)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The ovens roar like lions.",
        "The loaves have found their crust.",
        "Your dough meets a warm bakery.",
        "You can bring your dough to the counter.",
        "The ovens have since been lit.",
    ],
)
def test_a_sentence_that_stands_for_none_is_a_claim(sentence: str) -> None:
    assert _families(f"{ORIGINAL} {sentence}") == ["resolution"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sorry that the bakery smells of dough.",
        "The ovens sulk.",
        "The ovens may roar soon.",
        "Once they are lit, the ovens roar.",
        "Bring your dough along.",
        "The bakery smells the same.",
        "The bakery runs behind.",
        "A falcon sits on the roof.",
        "Our bakers have looked into the ovens.",
        "The ovens are waiting for a part.",
    ],
)
def test_courtesy_trouble_orders_and_work_put_in_are_none(sentence: str) -> None:
    assert not _families(f"{ORIGINAL} {sentence}")


def test_a_sentence_that_stands_for_an_old_one_is_none() -> None:
    reworded = ORIGINAL.replace("do not heat, and 60 loaves are unbaked", "chug through the night")
    assert not _families(reworded)
    assert _families(f"{ORIGINAL} The ovens chug through the night.") == ["resolution"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Our bakers have charmed the burners.",
        "The crew tuned the ovens by ear.",
    ],
)
def test_a_feat_put_in_is_a_claim(sentence: str) -> None:
    assert _families(f"{ORIGINAL} {sentence}") == ["resolution"]


@pytest.mark.parametrize(
    "sentence",
    [
        "No loaf was spoiled by the cold bakery.",
        "Cold dough holds no danger for your stomach.",
        "Nothing in the freezer has perished.",
        "The loaves will not suffer.",
    ],
)
def test_harm_denied_is_a_claim(sentence: str) -> None:
    assert _families(f"{ORIGINAL} {sentence}") == ["reassurance"]


@pytest.mark.parametrize(
    "sentence",
    [
        "We cannot say that no loaf was spoiled.",
        "Nobody has lit the ovens.",
        "Not all loaves have perished.",
        "No ticket is needed at the counter.",
        "This notice is no admission of fault.",
    ],
)
def test_what_is_open_or_no_harm_is_none(sentence: str) -> None:
    assert not _families(f"{ORIGINAL} {sentence}")


@pytest.mark.parametrize(
    ("revised", "claims"),
    [
        ("The ovens bake smoothly.", True),
        ("The ovens are in fine fettle.", True),
        ("The ovens purr along.", True),
        ("The ovens have come round.", True),
        ("The ovens are hot straight away.", True),
        ("The ovens smoothly fail.", False),
        ("The ovens bake three times as fast.", False),
        ("The ovens are to be examined in order to heat.", False),
        ("The ovens keep purring.", False),
    ],
)
def test_a_bright_word_of_what_is_affected_is_a_claim(revised: str, *, claims: bool) -> None:
    reworded = f"The ovens in the bakery refuse to warm, with 60 loaves raw. {revised}"
    assert ("resolution" in _families(reworded)) is claims


@pytest.mark.parametrize(
    ("heading", "claims"),
    [
        ("Bakery ovens: hot and reliable again.", True),
        ("Oven trouble over.", True),
        ("Ovens as normal.", True),
        ("Ovens not reliable.", False),
        ("Falcon reliable.", False),
        ("Please keep ovens clean.", False),
    ],
)
def test_a_heading_of_a_good_state_is_a_claim(heading: str, *, claims: bool) -> None:
    assert ("resolution" in _families(f"{heading} {ORIGINAL}")) is claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("You need not freeze your dough.", True),
        ("There is no longer a need for freezing.", True),
        ("You may stop freezing dough.", True),
        ("If it is warm, you need not freeze your dough.", False),
        ("You need to freeze your dough.", False),
        ("You need not worry about your dough.", False),
    ],
)
def test_an_order_taken_back_is_a_claim(sentence: str, *, claims: bool) -> None:
    assert bool(_families(f"{ORIGINAL} {sentence}")) is claims


def test_what_was_needless_before_may_be_said_so_again() -> None:
    original = f"{ORIGINAL} There is no need to freeze bread."
    assert not _families(f"{ORIGINAL} You need not freeze bread.", original)


def test_a_bright_word_beside_an_allowed_claim_says_nothing_more() -> None:
    original = "The ovens fail. Batch loaves are baking normally."
    report = check_revision(
        original=original, revised="The ovens fail. Batch loaves bake normally.", context={}
    )
    assert report.violations == ()
