"""Claims: a question with its plain answer states what it asks about."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims import find_claims
from redpen.guards.claims.reading import read_sentences

ORIGINAL = (
    "Some lifts on the north slope stand still, and 40 skiers are waiting. We do not know the cause yet. "
)
CONTEXT = {"policy_hints": {"avoid_absolute_guarantees": True}}


def _families(added: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=ORIGINAL + added, context=CONTEXT)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    ("added", "family"),
    [
        ("Have the lifts been repaired? Yes.", "resolution"),
        ("Have the lifts been repaired? They have.", "resolution"),
        ("Is it over? It is!", "resolution"),
        ("And is it fixed? Yes, since lunch.", "resolution"),
        ('"Is it fixed?" many of you ask. It is.', "resolution"),
        ("Will I get a refund? You will.", "commitment"),
        ("Was anyone hurt? No.", "reassurance"),
        ("Was any data lost? No, it was not.", "reassurance"),
        ("Is it your fault? Yes.", "liability"),
        ("Was any data lost? Not at all.", "reassurance"),
        ("Was any data lost? By no means, we are glad to say.", "reassurance"),
        ("Have the lifts been repaired? Of course.", "resolution"),
    ],
)
def test_an_answered_question_claims_what_it_asks(added: str, family: str) -> None:
    assert family in _families(added)


@pytest.mark.parametrize(
    "added",
    [
        "Have the lifts been repaired? No.",
        "Have the lifts been repaired? They have not.",
        "Have the lifts been repaired? Not yet.",
        "Have the lifts been repaired? Yes and no, so far.",
        "Have the lifts been repaired? We are still looking.",
        "Is it over? No, and we do not know the cause yet.",
        "Do the lifts run? No.",
        "Was anyone hurt? We do not know.",
        "Who has repaired the lifts? Yes, who?",
        "Have the lifts been repaired? Have they?",
    ],
)
def test_another_answer_or_none_claims_nothing(added: str) -> None:
    assert not _families(added)


def test_a_question_at_the_end_and_a_long_one_stay_open() -> None:
    assert not find_claims("Have the lifts been repaired?")
    asked = "Is it so that after all the work of the last few long and cold nights it is repaired"
    assert not find_claims(f"{asked}? Yes.")


def test_a_claim_spans_the_question() -> None:
    text = "Is it fixed? It is."
    assert [text[claim.start : claim.end] for claim in find_claims(text)] == ["Is it fixed"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is it over? It is.", "it is over"),
        ("Is it over? No.", "it is not over"),
        ("Has my old card been charged? It has.", "your old card has been charged"),
        ("Isn't it over? No.", "it is not over"),
        ("Isn't it over? Yes.", "it is over"),
    ],
)
def test_the_verb_stands_after_the_subject(text: str, words: str) -> None:
    assert " ".join(read_sentences(text)[0].words) == words
