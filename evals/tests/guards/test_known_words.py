"""The words that a disguised one is recognised by are those of the guards' own tables."""

from __future__ import annotations

import pytest

from redpen.guards.known_words import name_words, prose_words
from redpen.guards.seen import read


@pytest.mark.parametrize(
    "word",
    "resolved restored refunding guarantee caused ninety dozens minutes customers tomorrow percent "
    "investigating payments nobody tickets".split(),
)
def test_words_of_claims_facts_and_updates_are_known(word: str) -> None:
    assert word in prose_words()


@pytest.mark.parametrize("word", "canada japan stripe cloudflare january friday".split())
def test_words_of_names_are_known_as_names(word: str) -> None:
    assert word in name_words()


@pytest.mark.parametrize("word", ["ved", "tion", "", "7", "Resolved", "x"])
def test_pieces_and_numbers_are_no_words(word: str) -> None:
    assert word not in prose_words() | name_words()


def test_what_may_be_a_month_or_a_verb_is_prose() -> None:
    assert {"may", "march"} <= prose_words()
    assert not {"may", "march"} & name_words()


def test_words_of_the_original_are_recognised_in_its_revision() -> None:
    assert read("the quill-works").text == "the quill-works"
    assert read("the quill-works", "Our quillworks wait.").text == "the quillworks"
