"""Claims: what is blocked, what passes, what context and original allow."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.claims import find_claims, find_restricted_claims
from redpen.guards.claims.cause_row import CauseRow
from redpen.guards.claims.causes_after import CAUSES_AFTER
from redpen.guards.claims.causes_before import CAUSES_BEFORE
from redpen.guards.claims.finding import UNREAD
from redpen.guards.claims.mishap import MISHAP_ROWS, MishapRow
from redpen.guards.claims.morphology import inflect, stem
from redpen.guards.claims.phrases import PHRASES, Phrase
from redpen.guards.claims.vocabulary import WORD_ROWS, WordRow
from redpen.guards.report import Finding
from redpen.guards.seen import read

CONTEXT: dict[str, Any] = {
    "incident": {"severity": "P1", "status": "degraded", "eta_minutes": 45},
    "policy_hints": {"avoid_absolute_guarantees": True},
    "approved_actions": ["monitor payment failures every 15 minutes"],
}
ORIGINAL = "Payments in the US are failing for some customers. We are investigating."


def _judge(
    revised: str,
    *,
    original: str = ORIGINAL,
    context: dict[str, Any] | None = None,
    inherit: bool = False,
) -> tuple[Finding, ...]:
    return find_restricted_claims(
        revised=read(revised), original=read(original), context=context or CONTEXT, inherit=inherit
    )


def _families(text: str) -> set[str]:
    return {claim.family for claim in find_claims(text)}


@pytest.mark.parametrize("row", WORD_ROWS, ids=lambda row: row.words[:40])
def test_each_row_of_words_blocks_and_passes_its_examples(row: WordRow) -> None:
    assert find_claims(row.blocks)
    assert not find_claims(row.passes)


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: row.pattern[:40])
def test_each_phrase_blocks_and_passes_its_examples(row: Phrase) -> None:
    assert row.family in _families(row.blocks)
    assert not find_claims(row.passes)


@pytest.mark.parametrize("row", [*CAUSES_AFTER, *CAUSES_BEFORE], ids=lambda row: row.words[:40])
def test_each_tie_to_a_cause_blocks_and_passes_its_examples(row: CauseRow) -> None:
    assert "cause" in _families(row.blocks)
    assert not find_claims(row.passes)


@pytest.mark.parametrize("row", MISHAP_ROWS, ids=lambda row: row.words[:40])
def test_each_part_of_a_mishap_blocks_and_passes_its_examples(row: MishapRow) -> None:
    assert "cause" in _families(row.blocks)
    assert not find_claims(row.passes)


@pytest.mark.parametrize(
    "sentence",
    [
        "The queue is drained in order of arrival.",
        "The queue is worked through in order of arrival.",
        "Failed deliveries are replayed in order within 24 hours.",
        "The index is rebuilt catalog by catalog.",
        "Late batches run again overnight.",
        "They run again in the next nightly window.",
        "We work on the queue.",
        "The team works through the list.",
        "Outbound calls go through the secondary carrier.",
        "7 carrier tickets are open.",
        "You can see the state in the console as before.",
        "The page may decline a card that is in order.",
        "Please come back to this page.",
        "You might not be able to come back in.",
        "Loads are running about 11 hours late.",
    ],
)
def test_what_is_done_as_a_rule_is_no_outcome(sentence: str) -> None:
    assert not find_claims(sentence)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The queue has been drained.", True),
        ("The queue is now drained.", True),
        ("Failed deliveries have been replayed.", True),
        ("Calls go through again.", True),
        ("Checkout is back.", True),
        ("Payments now work.", True),
    ],
)
def test_what_is_reached_is_an_outcome(sentence: str, claims: bool) -> None:
    assert bool(find_claims(sentence)) is claims


@pytest.mark.parametrize(
    "sentence",
    ["Don't worry.", "Don't panic.", "Please do not be alarmed.", "You are in good hands.", "Relax."],
)
def test_tone_alone_is_no_reassurance(sentence: str) -> None:
    assert not find_claims(sentence)
    assert _families("Do not worry about your money.") == {"reassurance"}


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Is it fixed?", False),
        ("Charged for the same card again?", False),
        ("Did you know that it is fixed?", True),
        ("If all goes well, checkout is back in 45 minutes.", False),
        ("If you were waiting, the incident is over.", True),
        ("With luck it will be fixed in 45 minutes.", False),
        ("We will close the incident only when payments are stable.", False),
        ("When we restarted it, payments recovered.", True),
        ("Resolved: no", False),
        ("Resolved: yes", True),
        ("A payment that is complete is listed.", False),
    ],
)
def test_questions_conditions_and_labels(sentence: str, claims: bool) -> None:
    assert bool(find_claims(sentence)) is claims


@pytest.mark.parametrize(
    ("original", "revised", "allowed"),
    [
        ("The subtitle problem has been fixed.", "The subtitles are fixed.", True),
        ("The subtitle problem has been fixed.", "The videos are sorted as well.", False),
        ("Your funds are safe.", "Your money is safe.", True),
        ("Your funds are safe.", "Nobody outside has seen your card details.", False),
        ("The issue is resolved.", "Payments have recovered.", False),
        ("Sign-in with backup codes has been restored.", "Backup codes work for sign-in again.", True),
    ],
)
def test_a_claim_is_inherited_for_what_it_is_about(original: str, revised: str, allowed: bool) -> None:
    assert bool(_judge(revised, original=original, inherit=True)) is not allowed


def test_a_condition_does_not_take_a_commitment_back() -> None:
    assert _families("If your parcel is late, postage is on us.") == {"commitment"}


@pytest.mark.parametrize("word", ["fixed", "safe", "get", "refund", "will be"])
def test_a_text_too_dense_to_read_is_blocked(word: str) -> None:
    text = f"{word} " * 400
    found = _judge(text)
    assert found
    assert all(UNREAD in finding.reading for finding in found)


@pytest.mark.parametrize("verb", ["resolve", "fix", "restore", "mitigate", "stabilise", "repair"])
@pytest.mark.parametrize(
    ("frame", "family"),
    [
        ("The issue has been {done}.", "resolution"),
        ("The issue is now {done}.", "resolution"),
        ("The issue was {done} an hour ago.", "resolution"),
        ("We have {done} the issue.", "resolution"),
        ("Our engineers {done} the issue.", "resolution"),
        ("We've successfully {done} it.", "resolution"),
        ("The team managed to {base} the issue.", "resolution"),
        ("We are pleased to say that the issue has been {done}.", "resolution"),
        ("Although we do not know more yet, the issue has been {done}.", "resolution"),
        ("Not only has it been {done}, we know more.", "resolution"),
        ("After it was {done}, payments went through.", "resolution"),
        ("Status: {done}", "resolution"),
        ("The issue will be {done} in 45 minutes.", "guarantee"),
        ("We will {base} the issue today.", "guarantee"),
        ("We are going to {base} the issue.", "guarantee"),
        ("The issue has not been {done}.", None),
        ("The issue hasn't been {done} yet.", None),
        ("The issue has yet to be {done}.", None),
        ("The issue is being {done}.", None),
        ("We are working to {base} the issue.", None),
        ("We have not been able to {base} the issue.", None),
        ("We expect the issue to be {done} in about 45 minutes.", None),
        ("The issue should be {done} in 45 minutes.", None),
        ("We estimate that it will be {done} in 45 minutes.", None),
        ("Once it is {done}, we will say so.", None),
        ("We will tell you when it has been {done}.", None),
        ("Until the issue is {done}, please wait.", None),
        ("We cannot say that it is {done}.", None),
        ("It is too early to say that it has been {done}.", None),
        ("We are checking whether it has been {done}.", None),
        ("Has the issue been {done}?", None),
        ("No part of it has been {done}.", None),
        ("Neither issue has been {done}.", None),
    ],
)
def test_tense_mood_and_scope(verb: str, frame: str, family: str | None) -> None:
    forms = inflect(verb)
    found = _families(frame.format(base=forms.base, done=forms.past[-1]))
    assert found == ({family} if family else set())


@pytest.mark.parametrize("spelling", ["normalised", "normalized", "stabilised", "stabilized"])
def test_both_spellings(spelling: str) -> None:
    assert _families(f"Latency has {spelling}.") == {"resolution"}


def test_an_approved_action_allows_its_commitment_and_no_other() -> None:
    context = {**CONTEXT, "approved_actions": ["refund duplicate charges within 5 days"]}
    assert not _judge("We will refund duplicate charges.", context=context)
    assert _judge("We will compensate you.", context=context)
    assert _judge("We will refund duplicate charges.")
    denied = {**CONTEXT, "approved_actions": ["do not refund anything"]}
    assert _judge("We will refund duplicate charges.", context=denied)


def test_speaking_of_refunds_passes_where_the_original_does() -> None:
    revised = "Payments are failing. Please contact support about refunds."
    assert _judge(revised)
    assert not _judge(revised, original="Payments fail. Ask support for questions about refunds.")
    assert _judge("We will refund you.", original="Payments fail. Contact support about refunds.")


@pytest.mark.parametrize(
    ("original", "allowed"),
    [
        ("The issue is resolved.", True),
        ("Payments have recovered.", True),
        ("The issue is not resolved.", False),
        ("We expect the issue to be resolved.", False),
        ("We will confirm when the issue is resolved.", False),
    ],
)
def test_a_claim_is_inherited_in_its_polarity_only(original: str, allowed: bool) -> None:
    revised = "The issue has been resolved."
    assert bool(_judge(revised, original=original, inherit=True)) is not allowed
    assert _judge(revised, original=original, inherit=False)


def test_a_context_status_is_inherited() -> None:
    context = {**CONTEXT, "incident": {"status": "resolved"}}
    assert not _judge("The issue has been resolved.", context=context, inherit=True)


@pytest.mark.parametrize("inherit", [True, False])
def test_a_cause_is_allowed_when_it_is_given(inherit: bool) -> None:
    revised = "Payments fail due to an expired certificate."
    given = {**CONTEXT, "incident": {"root_cause": "expired certificate"}}
    assert _judge(revised, inherit=inherit)
    assert not _judge(revised, context=given, inherit=inherit)
    told = _judge(revised, original="Payments fail because of an expired certificate.", inherit=inherit)
    assert bool(told) is not inherit
    assert _judge(
        revised, original="Payments do not fail because of an expired certificate.", inherit=inherit
    )
    assert _judge("Payments fail due to a faulty router.", context=given, inherit=inherit)


def test_a_remedy_may_be_repeated_where_the_original_tells_it() -> None:
    revised = "The index has been rebuilt."
    assert _judge(revised, original="We are rebuilding the index.")
    assert not _judge(revised, original="We rebuilt the index, and results are still missing.")


def test_the_finding_shows_the_place_as_given() -> None:
    revised = "Hello. The issue is **resolved**."
    (finding,) = _judge(revised)
    start, end = finding.span
    assert revised[start:end] == finding.text
    assert "resolved" in finding.text
    assert (finding.code, finding.family) == ("restricted_claims", "resolution")
    assert finding.reading.endswith("is over")
    assert finding.reason


@pytest.mark.parametrize(
    ("word", "same"), [("recovered", "recovers"), ("restoration", "restore"), ("ran", "run")]
)
def test_stems(word: str, same: str) -> None:
    assert stem(word)[:4] == stem(same)[:4]


BLOCKED = tuple(row.blocks for row in (*WORD_ROWS, *PHRASES))
PASSED = tuple(row.passes for row in (*WORD_ROWS, *PHRASES))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
vocabulary = st.sampled_from(sorted({word for text in (*BLOCKED, *PASSED) for word in text.split()}))
prose = st.lists(vocabulary | st.sampled_from([",", ".", "\n", "(", ")", "?", "-"]), max_size=60).map(
    " ".join
)


@given(
    prose | st.text(), prose | st.text(), st.dictionaries(st.text(), json_values, max_size=4), st.booleans()
)
def test_any_text_and_context_can_be_judged(
    revised: str, original: str, context: dict[str, Any], inherit: bool
) -> None:
    for finding in _judge(revised, original=original, context=context, inherit=inherit):
        start, end = finding.span
        assert 0 <= start <= end <= len(revised)


@given(prose)
def test_a_text_against_itself_is_no_violation(text: str) -> None:
    assert not _judge(text, original=text, inherit=True)


@given(st.sampled_from(BLOCKED), st.sampled_from(PASSED), st.sampled_from(PASSED))
def test_benign_sentences_hide_nothing(blocked: str, before: str, after: str) -> None:
    assert find_claims(f"{before} {blocked} {after}")


@given(st.sampled_from(PASSED), st.sampled_from(PASSED))
def test_benign_sentences_stay_benign_together(first: str, second: str) -> None:
    assert not find_claims(f"{first} {second}")
