"""Similarity of texts: thresholds on realistic edits, symmetry and bounds."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.similarity import length_increase_pct, similarity

LOOSEST, STRICTEST = 0.4, 0.45

DRAFT = (
    "Card payments in the US are degraded this morning, and some customers see an error at checkout. "
    "About 27% of checkouts are affected, and roughly one payment in thirty does not go through. "
    "Our payments team looks at the failure rate every 15 minutes and compares it with the day before. "
    "If your payment was declined, please wait a little before you try the same card again. "
    "Orders that were already confirmed are not affected and will be shipped as planned. "
    "We publish what we learn on the status page, so there is no need to write to us twice. "
    "Support has a short guide with a workaround for anyone who needs to pay today. "
    "Our current estimate for this work is 45 minutes, and that estimate may still change."
)

UNRELATED = (
    (
        "The old lighthouse keeper had never cared much for visitors, but he kept a kettle on the stove. "
        "In the evenings he would walk down to the rocks and count the boats as they came back in. "
        "When one of them was late, he lit the second lamp and sat by the window until it was there. "
        "His daughter wrote to him from the city every month, and he answered on the back of her letters. "
        "She asked whether he was lonely, and he told her about the gulls, the weather and the price of oil. "
        "Once a year the inspector came, looked at the lenses, drank two cups of tea and left again. "
        "That was how the summers went by, each of them a little like the one before it."
    ),
    (
        "To make the dough, mix the flour with the salt and rub in the butter until it looks like sand. "
        "Add the water a spoon at a time, and stop as soon as the dough holds together in your hand. "
        "Wrap it in a cloth and let it rest in the fridge for an hour while you peel the apples. "
        "Cut them into thin slices, and toss them with the sugar, the lemon and a little cinnamon. "
        "Roll the dough out on a floured table, turn it as you go, and lay it in a greased tin. "
        "Fill it with the apples, fold the edge over and brush it with milk before it goes into the oven. "
        "Bake it until the crust is golden, and leave it to cool before you cut the first piece."
    ),
    (
        "The committee met on Tuesday to talk about the new bus line and the closing of the swimming pool. "
        "Several residents said that the stop is too far from the school and that the road has no pavement. "
        "The mayor answered that the money for this year is spent, and a study will be asked for in May. "
        "A member of the opposition wanted to know who had signed the contract and whether it can be ended. "
        "There was a long silence, and then the clerk read out the letter that had come from the county. "
        "In the end they agreed to meet again in two weeks and to bring the drawings with them. "
        "Nobody was content with that, but it was late and the caretaker wanted to lock the hall."
    ),
)

REPLACEMENTS = (
    "amber",
    "violin",
    "harbour",
    "meadow",
    "copper",
    "lantern",
    "pepper",
    "walnut",
    "canvas",
    "thistle",
)


def sentences() -> list[str]:
    return re.split(r"(?<=[.!?])\s+", DRAFT)


@pytest.mark.parametrize("other", UNRELATED)
def test_unrelated_prose_is_below_both_thresholds(other: str) -> None:
    assert min(len(DRAFT), len(other)) > 580
    assert similarity(DRAFT, other) < LOOSEST


@pytest.mark.parametrize("one_and_other", list(itertools.combinations(UNRELATED, 2)))
def test_unrelated_texts_have_low_similarity(one_and_other: tuple[str, str]) -> None:
    assert similarity(*one_and_other) < LOOSEST


@pytest.mark.parametrize("first", range(8))
def test_ten_replaced_words_of_eighty_stay_above_threshold(first: int) -> None:
    words = DRAFT.split()[:80]
    changed = list(words)
    for at, replacement in zip(range(first, 80, 8), REPLACEMENTS, strict=True):
        changed[at] = replacement
    assert similarity(" ".join(words), " ".join(changed)) > STRICTEST


@pytest.mark.parametrize("at", range(8))
def test_rewritten_sentence_stays_above_threshold(at: int) -> None:
    changed = sentences()
    changed[at] = (
        "Shoppers may notice hiccups whenever they attempt to settle a bill, and everybody here feels sorry."
    )
    assert similarity(DRAFT, " ".join(changed)) > STRICTEST


@pytest.mark.parametrize("pair", list(itertools.combinations(range(8), 2)))
def test_two_swapped_sentences_stay_above_threshold(pair: tuple[int, int]) -> None:
    changed = sentences()
    one, other = pair
    changed[one], changed[other] = changed[other], changed[one]
    assert similarity(DRAFT, " ".join(changed)) > STRICTEST


def test_one_replaced_word_keeps_similarity_above_95_percent() -> None:
    assert similarity(DRAFT, DRAFT.replace("morning", "evening")) > 0.95


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (DRAFT, DRAFT, 1.0),
        ("one two three", "one\n two\tthree", 1.0),
        ("one two three", "four five six", 0.0),
        ("one two three four", "one two five six", 0.5),
        ("Оплата тимчасово недоступна", "Оплата тимчасово недоступна", 1.0),
        ("", "", 1.0),
        ("words", "", 0.0),
        ("", "words", 0.0),
    ],
)
def test_similarity_of_known_pairs(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected)


TEXTS = st.text(alphabet=st.sampled_from("ab c.é字\n"), max_size=60) | st.text(max_size=40)


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0.0 <= similarity(one, other) <= 1.0


@given(TEXTS)
def test_similarity_of_text_with_itself_is_1(text: str) -> None:
    assert similarity(text, text) == 1.0


@pytest.mark.parametrize(
    ("before", "after", "pct"),
    [("", "anything", 0.0), ("abcd", "abcdef", 50.0), ("abcd", "abcd", 0.0), ("abcd", "ab", -50.0)],
)
def test_length_increase_pct_of_known_pairs(before: str, after: str, pct: float) -> None:
    assert length_increase_pct(before, after) == pct
