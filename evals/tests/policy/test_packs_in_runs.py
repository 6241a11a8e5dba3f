"""Policy packs in runs: selected by variant, scenario or context, for built-in and own agents."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from redpen.gateway.situation import Situation
from redpen.policy.packs import DEFAULT_PACK
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.policy_packs.explaining import explain_action, explain_text
from redpen_evals.variants import read_variants

APPROVE = "self-critique/approve"
PROMISE = "We will pay compensation to everybody."


@pytest.fixture
def approved(library):
    """Return a library with one recorded scenario whose draft is approved unchanged."""
    library.add(APPROVE, library.self_critique())
    library.record(APPROVE)
    return library


def _variant(packs, label):
    (variant,) = read_variants(model=SCRIPTED_MODEL, variants=[label], packs=packs)
    return variant


STRICT = "pack: strict\nrestricted_phrases: [{code: brand.name, phrases: [checkout], use: the till}]\n"


def test_variant_selects_the_policy_pack(approved, packs):
    found = packs(STRICT)
    result = approved.evaluate_as(APPROVE, variant=_variant(found, "policy=strict"), packs=found)
    assert result.stop_reason == "invalid_answer:restricted_phrase"
    assert (result.policy.pack, result.policy.hash) == ("strict", found.named("strict").hash)
    assert result.variant == "policy=strict"


def test_result_without_pack_has_no_policy(approved, packs):
    result = approved.evaluate(APPROVE, packs=packs(STRICT))
    assert (result.outcome, result.policy) == ("passed", None)


def test_scenario_policy_combines_pack_and_fields(library, packs):
    stops = {"status": "stopped", "stop_reason": "invalid_draft:too_long", "phase": "draft"}
    policy = {"pack": "strict", "max_draft_chars": 9}
    scenario = library.self_critique(policy=policy, expect=stops, invariants=["result_is_well_formed"])
    scenario["replies"] = [
        scenario["replies"][0],
        {"phase": "shorten", "json": {"draft": "Checkout is down."}},
    ]
    library.add(APPROVE, scenario)
    found = packs(STRICT)
    result = library.evaluate_as(APPROVE, packs=found, record="all")
    assert (result.outcome, result.stop_reason) == ("passed", "invalid_draft:too_long"), result.text
    assert result.policy.pack == "strict"


def test_scenario_with_unknown_pack_is_errored_with_line(library, packs):
    library.add(APPROVE, library.self_critique(policy={"pack": "strickt"}))
    result = library.evaluate_as(APPROVE, packs=packs(STRICT), record="all")
    assert result.outcome == "errored"
    assert "approve.yaml:" in result.reasons[0]
    assert "policy.pack: there is no policy pack 'strickt'" in result.reasons[0]
    assert "(did you mean `strict`?)" in result.reasons[0]


def test_restricted_phrase_fails_own_agent(replies, library, packs):
    found = packs("pack: a\nrestricted_phrases:\n  - {code: legal.compensation, phrases: [compensation]}\n")
    name = replies(PROMISE, policy={"pack": "a"})
    result = library.evaluate_as(name, packs=found)
    (reason,) = result.reasons
    assert reason.startswith("policy: restricted_phrase: 'compensation'")
    assert reason.endswith("(a, packs/a.yaml:3)")
    assert result.violations == ("restricted_phrase",)


def test_restricted_phrase_reason_names_replacement(replies, library, packs):
    found = packs("pack: a\nrestricted_phrases: [{code: x.y, phrases: [compensation], use: credit}]\n")
    (reason,) = library.evaluate_as(replies(PROMISE, policy={"pack": "a"}), packs=found).reasons
    assert reason.endswith("in 'compensation'; use 'credit' (a, packs/a.yaml:2)")
    explained = explain_text(found.named("a"), PROMISE, original=None, context={})
    assert "use 'credit'" in "\n".join(explained.lines)


def test_each_finding_names_the_line_of_its_own_term(replies, library, packs):
    found = packs(
        "pack: a\ngrounding: enforce\nconcerns: escalate\nrestricted_phrases:\n"
        "  - code: legal.compensation\n    phrases:\n      - voucher\n      - compensation\n"
    )
    name = replies(f"{PROMISE} Checkout fails for 64% of attempts.", policy={"pack": "a"})
    result = library.evaluate_as(name, packs=found)
    lines = {reason.split(": ")[1]: reason.rpartition(":")[2] for reason in result.reasons}
    assert (lines["restricted_phrase"], lines["no_new_facts"]) == ("8)", "2)")


def test_tenant_of_context_selects_the_pack(replies, library, packs):
    found = packs(
        "pack: a\nmatch: {tenant: acme}\nrestricted_phrases: [{code: x.y, phrases: [compensation]}]\n"
    )
    assert library.evaluate_as(replies(PROMISE), packs=found).outcome == "passed"
    name = replies(PROMISE, context_changes={"tenant": "acme"})
    result = library.evaluate_as(name, packs=found)
    assert (result.outcome, result.policy.pack) == ("failed", "a")


def test_missing_disclaimer_fails_own_agent(replies, library, packs):
    found = packs("pack: a\ndisclaimers: [{when: {severity: [P1]}, must_include: Next update at noon}]\n")
    variant = _variant(found, "policy=a")
    missing = library.evaluate_as(replies("We are on it."), variant=variant, packs=found)
    assert missing.reasons[0].startswith("policy: missing_disclaimer: ")
    output = library.evaluate_as(replies("We are on it. Next update at noon."), variant=variant, packs=found)
    assert output.outcome == "passed"


def test_pack_enforces_grounding_without_invariants(replies, library, packs):
    found = packs("pack: a\ngrounding: enforce\n")
    text = "Checkout fails for 64% of attempts."
    name = replies(text)
    assert library.evaluate_as(name, packs=found).outcome == "passed"
    result = library.evaluate_as(name, variant=_variant(found, "policy=a"), packs=found)
    assert result.reasons[0].startswith("policy: no_new_facts: 64%")
    assert result.reasons[0].endswith("(a, packs/a.yaml:2)")


def test_escalated_concern_fails_own_agent(replies, library, packs):
    found = packs("pack: a\nconcerns: escalate\n")
    name = replies("El problema está resuelto.")
    assert library.evaluate_as(name, packs=found).outcome == "passed"
    result = library.evaluate_as(name, variant=_variant(found, "policy=a"), packs=found)
    assert result.reasons[0].startswith("policy: unread_language: ")


def test_invariants_use_limits_of_the_pack(library, packs):
    library.add("guarded-policy/filed", library.filed_plan())
    found = packs("pack: few\nlimits: {max_recipients_per_send: 60}\n")
    result = library.evaluate_as("guarded-policy/filed", variant=_variant(found, "policy=few"), packs=found)
    assert result.decision == "a1:allow a2:rewrite"
    assert "recipient_cap_holds" not in result.broken


def test_built_in_pack_gives_the_same_result(approved, packs):
    base = approved.evaluate(APPROVE, packs=packs(STRICT))
    named = approved.evaluate_as(APPROVE, variant=_variant(packs(STRICT), "policy=default"))
    assert named.model_copy(update={"variant": ""}) == base
    assert DEFAULT_PACK.hash == packs(STRICT).named("default").hash


GATE = """
def decide(action, situation):
    late = situation["clock"]["hour"] >= 20
    return {"decision": "deny" if late else "allow", "code": "acme.late", "reason": "too late"}
"""


@pytest.fixture
def gated(library, packs, monkeypatch):
    """Return packs with one whose gate denies every action from 20:00 on."""
    name = f"gate_{library.root.name.replace('-', '_')}"
    (library.root / f"{name}.py").write_text(GATE, encoding="utf-8")
    monkeypatch.syspath_prepend(library.root)
    return packs(f"pack: gated\ngate: {name}:decide\n")


@pytest.mark.parametrize(("now", "decided"), [(None, "allow"), ("2026-03-06T21:00:00+00:00", "deny")])
def test_pack_gate_gets_the_time_of_the_scenario(library, gated, now, decided):
    times = {} if now is None else {"now": now}
    library.add("guarded-policy/filed", library.filed_plan(policy={"pack": "gated"}, **times))
    result = library.evaluate_as("guarded-policy/filed", packs=gated)
    assert next(entry["policy_decision"] for entry in result.detail["trace"] if "tool" in entry) == decided


def test_explanation_names_line_of_the_deciding_gate(packs):
    pack = packs("pack: gated\ngate: acme.rules:decide\n").named("gated")
    action = {"id": "a1", "tool": "fetch_incident_snapshot", "args": {}}
    situation = Situation(request={}, snapshot={}, now=datetime(2026, 3, 6, tzinfo=UTC))
    denied = explain_action(
        pack, action, situation, gate=lambda *_: {"decision": "deny", "code": "opa.cap", "reason": "cap"}
    )
    allowed = explain_action(pack, action, situation, gate=lambda *_: {"decision": "allow"})
    assert (denied.record["code"], denied.record["decided_by"]) == ("opa.cap", "packs/a.yaml:2")
    assert (allowed.record["code"], allowed.record["decided_by"]) == ("policy.pass", "built in")


def test_missing_gate_module_is_errored_with_line(library, packs):
    library.add("guarded-policy/filed", library.filed_plan(policy={"pack": "gated"}))
    found = packs("pack: gated\ngate: nowhere.at.all:decide\n")
    result = library.evaluate_as("guarded-policy/filed", packs=found)
    assert result.outcome == "errored"
    assert "packs/a.yaml:2: gate: there is no module 'nowhere.at.all'" in result.reasons[0]
