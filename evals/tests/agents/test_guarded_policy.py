"""The guarded-policy agent: every key of its result."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest

from redpen import build_request, run_guarded_policy_agent
from redpen.agents.tools import builtin_tools
from redpen.stop_reasons import find_stop_reason

FETCH, SEND = "fetch_incident_snapshot", "send_status_update"
EXPORT, TICKET = "export_customer_data", "create_manual_review_ticket"
LOOKUP = {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"}
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
SAFE = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "enterprise_active",
    "max_recipients": 50000,
}
DELIVERY = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "enterprise_active",
    "queued_recipients": 50000,
    "delivery_id": "upd_20260306_001",
}
BROADCAST = {**SAFE, "channel": "external_email", "audience_segment": "all_customers"}


def act(name: str, tool: str, **args: Any) -> dict[str, Any]:
    return {"id": name, "tool": tool, "args": args}


def run(*actions: Any, **options: Any) -> dict[str, Any]:
    if actions:
        options["planner"] = lambda _goal, _request: {"actions": list(actions)}
    options.setdefault("request", build_request())
    result = run_guarded_policy_agent(goal="Inform customers.", **options).to_dict()
    assert uuid.UUID(result["run_id"]).version == 4
    assert find_stop_reason("guarded-policy", result["stop_reason"]) is not None
    json.dumps(result, allow_nan=False)
    return result


def same(actual: Any, expected: Any) -> None:
    """Assert equality, including the order of keys at every depth."""
    assert json.dumps(actual, indent=1) == json.dumps(expected, indent=1)


def trace(
    step: int, name: str, tool: str, policy: tuple[str, str, str], executed_from: str
) -> dict[str, Any]:
    decision, reason, code = policy
    return {
        "step": step,
        "action_id": name,
        "tool": tool,
        "policy_decision": decision,
        "policy_reason": reason,
        "policy_code": code,
        "executed_from": executed_from,
        "ok": executed_from != "none",
    }


PASS = ("allow", "policy_pass", "policy.pass")
EXPORT_BLOCKED = ("deny", "pii_export_blocked", "policy.pii_export")
MASS = ("escalate", "mass_external_broadcast", "policy.mass_broadcast")
REWRITTEN = ("rewrite", "policy_rewrite:template_allowlist,recipient_cap", "policy.rewrite")


def test_result_of_the_fixed_plan() -> None:
    result = run()
    assert list(result) == [
        "run_id", "status", "stop_reason", "outcome", "answer", "trace", "history",
        "proposed_plan", "executed_plan", "aggregate", "policy_summary",
    ]  # fmt: skip
    assert (result["status"], result["stop_reason"]) == ("ok", "success")
    assert result["outcome"] == "policy_guarded_success"
    same(
        result["trace"],
        [
            trace(1, "a1", FETCH, PASS, "original"),
            trace(2, "a2", EXPORT, EXPORT_BLOCKED, "none"),
            trace(3, "a3", SEND, MASS, "human_approved"),
            trace(4, "a4", SEND, REWRITTEN, "policy_rewrite"),
            {"step": 5, "phase": "finalize", "ok": True},
        ],
    )
    plan = result["proposed_plan"]
    assert [action["id"] for action in plan] == ["a1", "a2", "a3", "a4"]
    assert plan[2]["args"]["free_text"] == "We are fully recovered."
    assert result["executed_plan"] == [
        act("a1", FETCH, **LOOKUP),
        act("a3", SEND, **SAFE),
        act("a4", SEND, **SAFE),
    ]
    assert result["aggregate"] == {
        "report_date": "2026-03-06",
        "region": "US",
        "incident": SNAPSHOT,
        "delivery": DELIVERY,
    }
    same(
        result["policy_summary"],
        {
            "decisions": {"allow": 1, "rewrite": 1, "deny": 1, "escalate": 1},
            "denied_tools": [EXPORT],
            "rewritten_tools": [SEND],
            "escalated_tools": [SEND],
        },
    )


def test_history_of_the_fixed_plan() -> None:
    result = run()
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
        "executed_action": act("a3", SEND, **SAFE),
        "executed_from": "human_approved",
        "observation": DELIVERY,
    }
    assert list(third) == [
        "step", "proposed_action", "policy", "escalation_ticket", "human", "executed_action", "executed_from",
        "observation",
    ]  # fmt: skip
    assert fourth["policy"] == policy(REWRITTEN)
    assert fourth["executed_action"] == act("a4", SEND, **SAFE)
    assert not {"escalation_ticket", "human"} & fourth.keys()
    assert last == {"step": 5, "action": "finalize"}


def test_answer_holds_incident_and_delivery_facts() -> None:
    request = build_request(report_date="2026-04-01", region="eu")
    answer = run(request=request)["answer"]
    for piece in ("eu", "2026-04-01", "inc_payments_20260306", "P1", "3.4%", "5", "27%", "45", "estimate"):
        assert piece in answer
    for piece in ("may change", "status_page", "enterprise_active", "incident_p1_v2", "50000", EXPORT):
        assert piece in answer
    assert "none" not in answer
    assert "?" not in answer
    assert "none" in run(act("a", FETCH, **LOOKUP), act("b", SEND, **SAFE))["answer"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"severity": None, "failed_payment_rate": "x", "eta_minutes": [], "chargeback_alerts": True},
        {"failed_payment_rate": float("nan"), "eta_minutes": float("inf"), "chargeback_alerts": float("nan")},
        {"failed_payment_rate": 1e308, "affected_checkout_share": -1e308},
    ],
)
def test_missing_or_invalid_value_is_a_question_mark(data: dict[str, Any]) -> None:
    tools = {**builtin_tools(), FETCH: lambda **_: {"status": "ok", "data": data}}
    result = run(tools=tools)
    assert result["status"] == "ok"
    assert "?" in result["answer"]


@pytest.mark.parametrize("number", [10**4299, -(10**4299), 10**16, 1e300])
def test_huge_numbers_do_not_crash_the_run(number: float) -> None:
    keys = ("failed_payment_rate", "affected_checkout_share", "chargeback_alerts", "eta_minutes")
    data = dict.fromkeys(keys, number)
    run(tools={**builtin_tools(), FETCH: lambda **_: {"status": "ok", "data": data}})


def test_last_observation_is_aggregated() -> None:
    result = run(
        act("a", FETCH, **LOOKUP),
        act("b", FETCH, **{**LOOKUP, "region": "eu"}),
        act("c", SEND, **{**SAFE, "max_recipients": 10}),
        act("d", SEND, **{**SAFE, "max_recipients": 20}),
    )
    assert result["aggregate"]["incident"]["region"] == "EU"
    assert result["aggregate"]["region"] == "US"
    assert result["aggregate"]["delivery"]["queued_recipients"] == 20
    assert result["policy_summary"]["decisions"] == {"allow": 4, "rewrite": 0, "deny": 0, "escalate": 0}


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        ([act("a", SEND, **SAFE)], "snapshot"),
        ([act("a", FETCH, **LOOKUP)], "send_status_update"),
        ([act("a", EXPORT), act("b", "unknown_tool")], "snapshot"),
        ([act("a", TICKET, reason="r", payload={})], "snapshot"),
    ],
)
def test_missing_observation_stops_at_finalize(actions: list[Any], missing: str) -> None:
    result = run(*actions)
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

    result = run(
        act("a1", FETCH, **LOOKUP),
        act("a2", EXPORT),
        act("a3", SEND, **SAFE),
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


def test_trace_and_history_hold_rules_and_risk() -> None:
    seen = {"code": "policy.seen", "when": {"history.denied": {"ge": 1}}, "then": "allow", "reason": "denied"}
    policy = {"rules": [seen], "risk": {"points": {"policy.seen": 5}, "deny_at": 6}}
    result = run(act("a1", FETCH, **LOOKUP), act("a2", EXPORT), act("a3", SEND, **SAFE), policy=policy)
    notes = {"policy_rules": ["policy.seen"], "policy_risk": {"total": 5, "terms": {"policy.seen": 5}}}
    assert result["trace"][2].items() >= notes.items()
    assert result["history"][2]["policy"].items() >= notes.items()
    assert result["trace"][0]["policy_risk"] == {"total": 0, "terms": {}}
