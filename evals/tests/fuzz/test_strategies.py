"""Public strategies: verdicts of Redpen's guards, shrinking, and custom field names."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from redpen.errors import ConfigurationError
from redpen.guards import check_revision
from redpen_evals.fuzz.own_facts import incident_of
from redpen_evals.fuzz.sentences import BENIGN
from redpen_evals.strategies import breaches, contexts, disguises, drafts, faithful_revisions

OWN = {
    "order.refund": "money",
    "order.open_tickets": "count",
    "delivery.wait": "duration",
    "etaMinutes": "duration",
    "country": "region",
    "order.ticket": "identifier",
    "expected_on": "date",
    "discount_pct": "share",
    "priority": "severity",
    "mail": "contact",
}
# To explain a counterexample takes longer than to find and shrink it, and `find` shows no explanation.
SMALL = settings(
    max_examples=30,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def is_blocked(case):
    return not check_revision(original=case.original, revised=case.revised, context=case.context).ok


@given(st.data())
def test_kinds_are_inferred_from_custom_names_and_values(data):
    context = data.draw(contexts(OWN))
    assert {form.name: form.kind for form in incident_of(context).forms} == OWN


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(faithful_revisions(contexts(OWN)) | faithful_revisions())
def test_faithful_revisions_pass(case):
    assert case.label == "pass"
    assert not is_blocked(case)


@pytest.mark.parametrize("family", ["share", "region", "quantifier", "commitment"])
def test_breach_shrinks_to_short_draft_plus_one_sentence(family):
    case = find(breaches(family), lambda _case: True, settings=SMALL)
    start, end = case.span
    assert is_blocked(case)
    assert (case.family, case.label) == (family, "block")
    assert case.revised.replace(case.revised[start:end], "").strip() in BENIGN
    assert case.original.endswith(BENIGN[4])


def test_breach_uses_custom_context():
    found = find(breaches("money", {"order": {"refund": "$45"}}), is_blocked, settings=SMALL)
    assert "refund amount" in found.revised
    assert found.context == {"order": {"refund": "$45"}}


def test_disguise_keeps_label_and_marks_span():
    case = find(disguises(breaches("resolution"), "html"), lambda _case: True, settings=SMALL)
    assert (case.label, case.disguise) == ("block", "html")
    assert "<" in case.revised[slice(*case.span)]


def test_draft_states_fact_of_context():
    draft = find(drafts({"refund_usd": 45}), lambda draft: "45" in draft.text, settings=SMALL)
    assert draft.text == "The refund amount is $45."


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: breaches("shares"), r"no family 'shares' of breaches \(did you mean `share`"),
        (lambda: breaches("subject", {"id": 3}), "has no share or count"),
        (lambda: disguises(breaches(), "htm"), r"no disguise 'htm' \(did you mean `html`"),
        (lambda: contexts({"refund": "cash"}), "no kind 'cash' of fact"),
        (lambda: contexts({"where": "region"}), "call it region or country"),
        (lambda: contexts({"a": "share", "a.b": "share"}), "'a' is a fact"),
        (lambda: drafts({"a": object()}), "context: "),
    ],
)
def test_invalid_strategy_argument_is_refused(make, message):
    with pytest.raises(ConfigurationError, match=message):
        make()
