"""The guarded-policy agent: every key of its result."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agent_runs import (
    EXPORT,
    EXPORT_BLOCKED,
    FETCH,
    LOOKUP,
    MASS,
    PASS,
    SAFE,
    SEND,
    TICKET,
    action,
    assert_same_json,
    run_guarded,
    trace_entry,
)
from redpen import build_request
from redpen.agents.tools import builtin_tools

SNAPSHOT = {
    "incident_id": "inc_payments_20260306",
    "report_date": "2026-03-06",
    "region": "US",
    "severity": "P1",
    "failed_payment_rate": 0.034,
    "chargeback_alerts": 5,
    "affected_checkout_share": 0.27,
    "eta_minutes": 45,
}
DELIVERY = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "enterprise_active",
    "queued_recipients": 50000,
    "delivery_id": "upd_20260306_001",
}
REWRITTEN = ("rewrite", "policy_rewrite:template_allowlist,recipient_cap", "policy.rewrite")


def test_result_of_the_fixed_plan() -> None:
    result = run_guarded()
    assert list(result) == [
        "run_id", "status", "stop_reason", "outcome", "answer", "trace", "history",
        "proposed_plan", "executed_plan", "aggregate", "policy_summary",
    ]  # fmt: skip
    assert (result["status"], result["stop_reason"]) == ("ok", "success")
    assert result["outcome"] == "policy_guarded_success"
    assert_same_json(
        result["trace"],
        [
            trace_entry(1, "a1", FETCH, PASS, "original"),
            trace_entry(2, "a2", EXPORT, EXPORT_BLOCKED, "none"),
            trace_entry(3, "a3", SEND, MASS, "human_approved"),
            trace_entry(4, "a4", SEND, REWRITTEN, "policy_rewrite"),
            {"step": 5, "phase": "finalize", "ok": True},
        ],
    )
    plan = result["proposed_plan"]
    assert [action["id"] for action in plan] == ["a1", "a2", "a3", "a4"]
    assert plan[2]["args"]["free_text"] == "We are fully recovered."
    assert result["executed_plan"] == [
        action("a1", FETCH, **LOOKUP),
        action("a3", SEND, **SAFE),
        action("a4", SEND, **SAFE),
    ]
    assert result["aggregate"] == {
        "report_date": "2026-03-06",
        "region": "US",
        "incident": SNAPSHOT,
        "delivery": DELIVERY,
    }
    assert_same_json(
        result["policy_summary"],
        {
            "decisions": {"allow": 1, "rewrite": 1, "deny": 1, "escalate": 1},
            "denied_tools": [EXPORT],
            "rewritten_tools": [SEND],
            "escalated_tools": [SEND],
        },
    )


def test_history_of_the_fixed_plan() -> None:
    result = run_guarded()
    first, second, third, fourth, last = result["history"]
    plan = result["proposed_plan"]

    def policy(values: tuple[str, str, str]) -> dict[str, str]:
        return dict(zip(("decision", "reason", "code"), values, strict=True))

    assert first == {
        "step": 1,
        "proposed_action": plan[0],
        "policy": policy(PASS),
        "executed_action": plan[0],
        "executed_from": "original",
        "observation": SNAPSHOT,
    }
    assert second == {"step": 2, "proposed_action": plan[1], "policy": policy(EXPORT_BLOCKED)}
    ticket = {
        "ticket_id": "pol_20260306_001",
        "reason": "mass_external_broadcast",
        "payload_keys": ["args", "id", "tool"],
    }
    assert third == {
        "step": 3,
        "proposed_action": plan[2],
        "policy": policy(MASS),
        "escalation_ticket": ticket,
        "human": {"approved": True, "reason": "approved_with_safe_scope"},
        "executed_action": action("a3", SEND, **SAFE),
        "executed_from": "human_approved",
        "observation": DELIVERY,
    }
    assert list(third) == [
        "step", "proposed_action", "policy", "escalation_ticket", "human", "executed_action", "executed_from",
        "observation",
    ]  # fmt: skip
    assert fourth["policy"] == policy(REWRITTEN)
    assert fourth["executed_action"] == action("a4", SEND, **SAFE)
    assert not {"escalation_ticket", "human"} & fourth.keys()
    assert last == {"step": 5, "action": "finalize"}


def test_answer_contains_incident_and_delivery_facts() -> None:
    request = build_request(report_date="2026-04-01", region="eu")
    answer = run_guarded(request=request)["answer"]
    for piece in ("eu", "2026-04-01", "inc_payments_20260306", "P1", "3.4%", "5", "27%", "45", "estimate"):
        assert piece in answer
    for piece in ("may change", "status_page", "enterprise_active", "incident_p1_v2", "50000", EXPORT):
        assert piece in answer
    assert "none" not in answer
    assert "?" not in answer
    assert "none" in run_guarded(action("a", FETCH, **LOOKUP), action("b", SEND, **SAFE))["answer"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"severity": None, "failed_payment_rate": "x", "eta_minutes": [], "chargeback_alerts": True},
        {"failed_payment_rate": float("nan"), "eta_minutes": float("inf"), "chargeback_alerts": float("nan")},
        {"failed_payment_rate": 1e308, "affected_checkout_share": -1e308},
    ],
)
def test_question_mark_replaces_missing_or_invalid_value(data: dict[str, Any]) -> None:
    tools = {**builtin_tools(), FETCH: lambda **_: {"status": "ok", "data": data}}
    result = run_guarded(tools=tools)
    assert result["status"] == "ok"
    assert "?" in result["answer"]


@pytest.mark.parametrize("number", [10**4299, -(10**4299), 10**16, 1e300])
def test_huge_numbers_do_not_crash_run(number: float) -> None:
    keys = ("failed_payment_rate", "affected_checkout_share", "chargeback_alerts", "eta_minutes")
    data = dict.fromkeys(keys, number)
    run_guarded(tools={**builtin_tools(), FETCH: lambda **_: {"status": "ok", "data": data}})


def test_last_observation_is_aggregated() -> None:
    result = run_guarded(
        action("a", FETCH, **LOOKUP),
        action("b", FETCH, **{**LOOKUP, "region": "eu"}),
        action("c", SEND, **{**SAFE, "max_recipients": 10}),
        action("d", SEND, **{**SAFE, "max_recipients": 20}),
    )
    assert result["aggregate"]["incident"]["region"] == "EU"
    assert result["aggregate"]["region"] == "US"
    assert result["aggregate"]["delivery"]["queued_recipients"] == 20
    assert result["policy_summary"]["decisions"] == {"allow": 4, "rewrite": 0, "deny": 0, "escalate": 0}


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        ([action("a", SEND, **SAFE)], "snapshot"),
        ([action("a", FETCH, **LOOKUP)], "send_status_update"),
        ([action("a", EXPORT), action("b", "unknown_tool")], "snapshot"),
        ([action("a", TICKET, reason="r", payload={})], "snapshot"),
    ],
)
def test_missing_observation_stops_at_finalize(actions: list[Any], missing: str) -> None:
    result = run_guarded(*actions)
    assert (result["status"], result["phase"]) == ("stopped", "finalize")
    assert result["stop_reason"] == f"missing_required_observation:{missing}"
    assert len(result["trace"]) == len(result["history"]) == len(actions)
    assert not {"answer", "outcome", "proposed_plan", "executed_plan", "aggregate"} & result.keys()


def test_custom_gate_gets_clock_and_history_for_each_action() -> None:
    hours: list[Any] = []

    def gate(action: dict[str, Any], situation: dict[str, Any]) -> dict[str, Any]:
        hours.append((action["id"], situation["clock"]["hour"], situation["history"]["denied"]))
        if action["tool"] == SEND and action["args"]["max_recipients"] > 100:
            return {"decision": "escalate", "code": "opa.many", "reason": "many recipients"}
        return {"decision": "allow"}

    def approver(action: dict[str, Any], reason: str) -> dict[str, Any]:
        assert reason == "many recipients"
        return {"approved": True, "action": action, "reason": "fine"}

    result = run_guarded(
        action("a1", FETCH, **LOOKUP),
        action("a2", EXPORT),
        action("a3", SEND, **SAFE),
        gate=gate,
        approver=approver,
        now=lambda: datetime(2026, 3, 6, 22, 30, tzinfo=UTC),
    )
    assert result["stop_reason"] == "success"
    assert [entry.get("policy_code") for entry in result["trace"][:3]] == [
        "policy.pass",
        "policy.pii_export",
        "opa.many",
    ]
    # The gate is asked again about the approved action, and not about an action that the policy denies.
    assert hours == [("a1", 22, 0), ("a3", 22, 1), ("a3", 22, 1)]


def test_trace_and_history_contain_rules_and_risk() -> None:
    seen = {"code": "policy.seen", "when": {"history.denied": {"ge": 1}}, "then": "allow", "reason": "denied"}
    policy = {"rules": [seen], "risk": {"points": {"policy.seen": 5}, "deny_at": 6}}
    result = run_guarded(
        action("a1", FETCH, **LOOKUP), action("a2", EXPORT), action("a3", SEND, **SAFE), policy=policy
    )
    notes = {"policy_rules": ["policy.seen"], "policy_risk": {"total": 5, "terms": {"policy.seen": 5}}}
    assert result["trace"][2].items() >= notes.items()
    assert result["history"][2]["policy"].items() >= notes.items()
    assert result["trace"][0]["policy_risk"] == {"total": 0, "terms": {}}
