"""Clauses on a topic that nothing else touches."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims.told_topics import TOPICS, Topic

ORIGINAL = "The gates at the north pier are slow. Our crew is looking into the readers and the turnstiles."


def _families(sentence: str, original: str = ORIGINAL) -> list[str]:
    report = check_revision(original=original, revised=f"{original} {sentence}", context={})
    return [found.family for found in report.violations]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.family)
def test_a_clause_on_a_new_topic_is_a_claim_and_one_near_it_is_none(topic: Topic) -> None:
    assert topic.family in _families(topic.example)
    assert topic.family not in _families(topic.near)


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Pier drinks tonight come out of our purse.", "commitment"),
        ("The taxi home belongs to the visitors.", "commitment"),
        ("Our conscience tells a plain tale about those readers.", "liability"),
        ("Visitors will sail home regardless.", "guarantee"),
    ],
)
def test_any_words_on_a_new_topic_make_a_claim(sentence: str, family: str) -> None:
    assert family in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "You are free to leave the pier by the stairs.",
        "Readers of the crew are on charge overnight.",
        "Some bills are estimated; fixed service charges are not.",
        "If a locker cost you time, tell the crew.",
        "Locker price",
    ],
)
def test_other_senses_conditions_and_labels_make_none(sentence: str) -> None:
    assert "commitment" not in _families(sentence)


def test_a_topic_that_the_original_touches_may_be_taken_up() -> None:
    original = f"{ORIGINAL} Lockers cost visitors nothing while the gates are slow."
    assert "commitment" not in _families("Lockers cost visitors nothing these days.", original)
