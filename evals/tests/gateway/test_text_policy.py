"""Text rules of a policy, and the stop reason when a text violates them."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.agents.text_steps import severity_stop
from redpen.errors import Stop
from redpen.gateway import fix_plan, required_changes
from redpen.gateway.review import read_review
from redpen.gateway.text_policy import changed_lines, floor_findings, with_policy
from redpen.gateway.texts import check_answer, concern_stop, revision_stop, ungrounded_findings
from redpen.gateway.waivers import without_waived
from redpen.guards import Finding, Report, RevisionRules, check_revision
from redpen.policy import ReflectionPolicy, SelfCritiquePolicy, load_policy

CONTEXT: dict[str, Any] = {
    "incident": {"severity": "P1", "region": "US"},
    "approved_actions": ["Refund late fees"],
}
POLICY = load_policy(
    SelfCritiquePolicy,
    {
        "restricted_phrases": [
            {"code": "legal.compensation", "phrases": ["compensation", "~refund"], "unless": "approved"},
            {"code": "brand.name", "phrases": ["FooPay"], "use": "AcmePay", "when": "always"},
        ],
        "disclaimers": [{"when": {"severity": ["P0", "P1"]}, "must_include": "We post the next update"}],
    },
)
VALID_ANSWER = "Payments fail in the US. We post the next update soon."


def stop_reason_of(answer: str, context: dict[str, Any] = CONTEXT) -> str | None:
    try:
        check_answer(answer, max_chars=900, policy=POLICY, context=context)
    except Stop as stop:
        return stop.reason
    return None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (VALID_ANSWER, None),
        (f"{VALID_ANSWER} We refund late fees.", None),
        (f"{VALID_ANSWER} You get compensation.", "invalid_answer:restricted_phrase"),
        (f"{VALID_ANSWER} No FooPay here.", "invalid_answer:restricted_phrase"),
        ("Payments fail in the US.", "missing_disclaimer:disclaimer.we_post_the_next"),
    ],
)
def test_answer_is_checked_for_phrases_and_disclaimers(answer: str, reason: str | None) -> None:
    assert stop_reason_of(answer) == reason
    report = check_revision(
        original=answer, revised=answer, context=CONTEXT, rules=with_policy(RevisionRules(), POLICY, CONTEXT)
    )
    of_revision = revision_stop(report, phrases_reason="required_changes_not_applied")
    expected = reason and reason.replace("invalid_answer", "patch_violation")
    assert (of_revision and of_revision.reason) == expected


@pytest.mark.parametrize(
    "context", [{}, {"incident": {"severity": "P2"}}, {"severity": "P3"}, {"incident": 1}]
)
def test_disclaimer_is_not_required_when_condition_is_unmet(context: dict[str, Any]) -> None:
    assert stop_reason_of("Payments fail in the US.", context) is None


def test_crashing_guard_blocks_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redpen.guards.restricted.find_restricted", lambda *_, **__: 1 // 0)
    assert stop_reason_of(VALID_ANSWER) == "guard_error:restricted"


def test_waived_code_does_not_stop_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    waived = ("legal.compensation", "guard_error", "restricted")
    check_answer(
        f"{VALID_ANSWER} You get compensation.", max_chars=900, policy=POLICY, context=CONTEXT, waived=waived
    )
    monkeypatch.setattr("redpen.guards.restricted.find_restricted", lambda *_, **__: 1 // 0)
    with pytest.raises(Stop, match="guard_error:restricted"):
        check_answer(VALID_ANSWER, max_chars=900, policy=POLICY, context=CONTEXT, waived=waived)


def test_new_fact_can_be_waived_but_unread_text_cannot() -> None:
    report = check_revision(original="We wait.", revised="We wait for 45 users with qx7z9.", context={})
    assert {(item.code, item.family) for item in report.violations} >= {
        ("no_new_facts", "count"),
        ("no_new_facts", "residue"),
    }
    left = without_waived(report, ["no_new_facts"])
    assert {item.family for item in left.violations} == {"residue"}


def test_draft_is_checked_for_phrases_but_not_disclaimers() -> None:
    found = ungrounded_findings("Payments fail. FooPay is up.", CONTEXT, claims="inherit", policy=POLICY)
    assert found[0]["code"] == "restricted_phrase"
    assert "missing_disclaimer" not in {item["code"] for item in found}
    assert floor_findings(VALID_ANSWER, POLICY, CONTEXT).ok


def concern(code: Any) -> Report:
    finding = Finding(code=code, family="x", span=(0, 1), text="a", reading=f"a {code}", reason="b")
    return Report(concerns=(finding,))


@pytest.mark.parametrize(
    ("concerns", "code", "reason"),
    [
        ({"default": "record", "new_statement": "block"}, "new_statement", "patch_violation:new_statement"),
        ({"default": "record", "new_statement": "block"}, "unread_language", None),
        ({"default": "block", "unread_language": "escalate"}, "unread_language", "policy_escalation"),
    ],
)
def test_concern_measure_depends_on_code(concerns: dict[str, str], code: str, reason: str | None) -> None:
    policy = load_policy(SelfCritiquePolicy, {"concerns": concerns})
    stop = concern_stop(concern(code), policy)
    assert (stop and stop.reason) == reason


def test_strictest_concern_measure_applies() -> None:
    policy = load_policy(SelfCritiquePolicy, {"concerns": {"default": "escalate", "new_statement": "block"}})
    both = Report(concerns=concern("unread_language").concerns + concern("new_statement").concerns)
    stop = concern_stop(both, policy)
    assert stop is not None
    assert stop.reason == "patch_violation:new_statement"


@pytest.mark.parametrize(
    ("severity", "decision", "reason"),
    [
        ("low", "approve", None),
        ("medium", "approve", "policy_escalation"),
        ("medium", "escalate", None),
        ("high", "revise", "policy_denied:severity_budget"),
        (None, "approve", None),
    ],
)
def test_severity_budget_overrides_milder_decision(
    severity: str | None, decision: str, reason: str | None
) -> None:
    policy = load_policy(SelfCritiquePolicy, {"severity_budget": {"medium": "escalate", "high": "block"}})
    stop = severity_stop(policy, "critique", decision, severity, {})
    assert (stop and stop.reason) == reason
    if stop:
        assert stop.details["policy_code"] == "policy.severity_budget"


@pytest.mark.parametrize(
    ("given", "budget", "severity"),
    [
        ({}, {"high": "escalate"}, None),
        ({"severity": " High "}, {"high": "escalate"}, "high"),
        ({"severity": "huge"}, {}, None),
    ],
)
def test_review_severity_is_read_only_when_budget_is_set(
    given: dict[str, str], budget: dict[str, str], severity: str | None
) -> None:
    policy = load_policy(ReflectionPolicy, {"severity_budget": budget})
    raw = {"decision": "approve", "issues": [], "fix_plan": [], "reason": "", **given}
    assert read_review(raw, policy).severity == severity


def test_unknown_severity_is_rejected_when_budget_is_set() -> None:
    policy = load_policy(ReflectionPolicy, {"severity_budget": {"high": "escalate"}})
    with pytest.raises(Stop, match="invalid_review:severity"):
        read_review({"decision": "approve", "severity": "huge"}, policy)


LINES = {"patch": {"mode": "lines", "max_changed_lines": 2}}
DRAFT = "Payments fail in the US. It is fixed for all. We post an update soon."


@pytest.mark.parametrize(
    ("changes", "required", "revised", "code"),
    [
        (
            ('REMOVE "It is fixed for all."',),
            required_changes,
            DRAFT.replace(" It is fixed for all.", ""),
            None,
        ),
        (('Replace "fixed for all" with "open"',), fix_plan, DRAFT.replace("fixed for all", "open"), None),
        (("Mention how soon we post an update",), fix_plan, DRAFT.replace("soon", "very soon"), None),
        (('ADD "We are sorry"',), required_changes, f"{DRAFT} Stay tuned.", "line_not_requested"),
        (
            ('ADD "We are sorry"',),
            required_changes,
            f"{DRAFT} We are sorry. Truly, we are sorry. And we are sorry.",
            "too_many_changed_lines",
        ),
    ],
)
def test_changed_lines_must_be_permitted_by_required_changes(
    changes: tuple[str, ...], required: Any, revised: str, code: str | None
) -> None:
    assert changed_lines(POLICY, changes, required.required_phrases) is None
    lines = changed_lines(load_policy(SelfCritiquePolicy, LINES), changes, required.required_phrases)
    report = check_revision(
        original=DRAFT, revised=revised, context={}, rules=RevisionRules(lines=lines, claims="inherit")
    )
    assert next((item.code for item in report.violations), None) == code
