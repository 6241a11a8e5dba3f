"""Clauses weighed as a whole: claims in words that no rule has, and rules' words that make none."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import RevisionRules, check_revision
from redpen.guards.claims.clause_weights import clause_weights, family_weights
from redpen.guards.claims.weighing import MOST_CLAUSES

CONTEXT: dict[str, Any] = {
    "incident_id": "BRG-4471",
    "severity": "P2",
    "region": "Ireland",
    "late_loaves": 640,
    "symptoms": ["loaves leave the bakery late", "the order page shows old times"],
    "approved_actions": ["Bake on the reserve oven", "Write to shops that wait for more than a day"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "Dear shops, 640 loaves left our bakery in Ireland late today, and the order page shows old times "
    "(BRG-4471, P2). We are baking on the reserve oven and do not know the cause yet. Please check your "
    "delivery before you sign for it. We will write to shops that wait for more than a day. We are sorry "
    "for the trouble."
)


def _found(sentence: str, original: str = ORIGINAL, context: dict[str, Any] = CONTEXT) -> list[str]:
    report = check_revision(original=original, revised=f"{original} {sentence}", context=context)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("It was a torn conveyor belt that tipped the main oven over.", "cause"),
        ("Somebody had put the wrong flour into the hopper.", "cause"),
        ("The waiting crates have found their way onto the vans.", "resolution"),
    ],
)
def test_a_claim_in_words_that_no_rule_has_is_caught(sentence: str, family: str) -> None:
    assert _found(sentence) == [family]
    # Next to nothing known everything is news, and nothing is weighed.
    assert not _found(sentence, original="Dear shops, bread is late.", context={})


@pytest.mark.parametrize(
    "revised",
    [
        ORIGINAL.replace("We are baking on", "Our bakers have gone over to"),
        ORIGINAL.replace("640 loaves left", "It was 640 loaves that left"),
        ORIGINAL.replace("the order page shows old times", "old times are what the order page is showing"),
        ORIGINAL.replace("do not know the cause yet", "have yet to find out what is behind this"),
        ORIGINAL.replace("We are sorry for the trouble.", "Please accept our apologies for the trouble."),
    ],
)
def test_an_honest_rewording_is_none(revised: str) -> None:
    assert not check_revision(original=ORIGINAL, revised=revised, context=CONTEXT).violations


_KNOWN = "the 640 loaves that left our bakery in Ireland late today"


@pytest.mark.parametrize(
    "claim",
    [
        *(f"The trouble is {word}" for word in "resolved fixed restored mitigated".split()),
        *(f"The trouble is {word}" for word in "operational cleared sorted".split()),
        "We have recovered it",
        "We promise bread",
        "It will definitely be so",
        *(f"We {word} bread" for word in "pledge vow swear".split()),
        "The root cause is the oven",
        *(f"We {word} the delivery" for word in "reimburse compensate".split()),
        "You get a compensation",
        *(f"We are {word}" for word in "liable negligent".split()),
        *(f"It is our {word}" for word in "fault negligence".split()),
        "We take responsibility",
    ],
)
def test_no_company_of_known_words_takes_back_a_plain_claim(claim: str) -> None:
    assert _found(f"{claim} for {_KNOWN}, as the order page shows.")


@pytest.mark.parametrize(
    "claim",
    [
        f"we guarantee your delivery for {_KNOWN}",
        f"we assure you that we write for {_KNOWN}",
        f"we refund the delivery for {_KNOWN}",
        f"we waive the delivery for {_KNOWN}",
        "your loaves are safe while we are baking on the reserve oven in Ireland today",
        "the order page is secure while we are baking on the reserve oven in Ireland today",
    ],
)
def test_nor_does_more_of_it(claim: str) -> None:
    assert _found(f"As to {_KNOWN}, {claim}.")


def test_only_so_many_clauses_are_weighed() -> None:
    heavy = "It was a torn conveyor belt that tipped the main oven over."
    light = " ".join(["The loaves are late."] * MOST_CLAUSES)
    assert _found(f"{heavy} {light}")
    assert not _found(f"{light} {heavy}")


def test_a_claim_that_the_original_makes_itself_stays_one_where_none_may_stand() -> None:
    original = f"{ORIGINAL} The first ovens are working again."
    revised = original.replace("The first ovens are working again.", "The first of the ovens work again.")
    assert check_revision(original=original, revised=revised, context=CONTEXT).violations
    free = CONTEXT | {"policy_hints": {"avoid_absolute_guarantees": False}}
    assert not check_revision(original=original, revised=revised, context=free).violations


def test_a_draft_is_not_weighed_against_the_context_alone() -> None:
    draft = RevisionRules(claims="inherit", concerns=False)
    assert not check_revision(original="", revised=ORIGINAL, context=CONTEXT, rules=draft).violations


def test_a_violation_names_the_words_that_told() -> None:
    sentence = "It was a torn conveyor belt that tipped the main oven over."
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    (found,) = report.violations
    assert found.code == "restricted_claims"
    assert "by its words ('" in found.reading
    assert found.text in sentence


def test_weights_are_whole_hundredths_of_known_kinds() -> None:
    groups = {
        "bias", "length", "place", "clauses", "word", "about", "pair", "is", "class", "before", "after",
        "news", "new", "new class", "known", "inherits", "known, inherits", "same", "lost", "put in",
        "became", "was",
    }  # fmt: skip
    assert {feature.partition(":")[0] for feature in clause_weights()} <= groups
    assert clause_weights()["word:yet"] < 0 < clause_weights()["pair:once more"]
    assert {family for row in family_weights().values() for family in row} == {
        "resolution", "guarantee", "reassurance", "cause", "commitment", "liability"
    }  # fmt: skip
