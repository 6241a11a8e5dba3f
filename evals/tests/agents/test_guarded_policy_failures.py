"""The guarded-policy agent: invalid plans, failing tools, refused approvals and timeouts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from agent_runs import (
    BROADCAST,
    EXPORT,
    FETCH,
    LOOKUP,
    MASS,
    PASS,
    SAFE,
    SEND,
    TICKET,
    action,
    run_guarded,
    trace_entry,
)
from redpen import build_request
from redpen.agents.tools import builtin_tools
from redpen.errors import Stop


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (None, "invalid_plan:actions"),
        ({"actions": [action("a", FETCH), action("a", FETCH)]}, "invalid_plan:duplicate_action_id"),
        ({"actions": [action("a", FETCH), {"id": "b"}]}, "invalid_action:tool"),
    ],
)
def test_invalid_plan_runs_no_action(plan: Any, reason: str) -> None:
    calls: list[str] = []
    tools = {name: lambda name=name, **_: calls.append(name) for name in builtin_tools()}
    result = run_guarded(planner=lambda _goal, _request: plan, tools=tools)
    assert (result["stop_reason"], result["phase"]) == (reason, "plan")
    assert (result["trace"], result["history"], calls) == ([], [], [])


def crash(*_: Any, **__: Any) -> Any:
    raise RuntimeError("no key sk-123456 here")


def test_crashing_planner_stops_run() -> None:
    result = run_guarded(planner=crash)
    assert (result["stop_reason"], result["phase"]) == ("planner_error:RuntimeError", "plan")


def test_planner_can_raise_stop() -> None:
    def planner(_goal: str, _request: Any) -> Any:
        raise Stop("llm_timeout", error={"type": "T", "message": "m"})

    result = run_guarded(planner=planner)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", "plan")
    assert result["error"] == {"type": "T", "message": "m"}


def test_planner_gets_a_copy_of_the_request() -> None:
    seen: list[Any] = []

    def planner(goal: str, request: Any) -> Any:
        seen.append(goal)
        request["request"]["region"] = "EU"
        return {"actions": [action("a", FETCH, **LOOKUP), action("b", SEND, **SAFE)]}

    assert run_guarded(planner=planner)["aggregate"]["region"] == "US"
    assert seen == ["Inform customers."]


FAULTS: list[tuple[Any, str]] = [
    (crash, "tool_error:{}:RuntimeError"),
    (lambda **_: None, "tool_invalid_output:{}"),
    (lambda **_: {"status": "failed", "data": {}}, "tool_status_not_ok:{}"),
    (lambda **_: {"status": "ok", "data": []}, "tool_invalid_output:{}"),
]


@pytest.mark.parametrize(("fault", "reason"), FAULTS)
def test_failed_tool_leaves_trace_entry_without_history(fault: Any, reason: str) -> None:
    result = run_guarded(tools={**builtin_tools(), FETCH: fault})
    assert (result["stop_reason"], result["phase"]) == (reason.format(FETCH), "execute")
    assert result["trace"] == [trace_entry(1, "a1", FETCH, PASS, "none")]
    assert result["history"] == []


@pytest.mark.parametrize(("fault", "reason"), FAULTS)
def test_failed_ticket_leaves_no_entry(fault: Any, reason: str) -> None:
    result = run_guarded(tools={**builtin_tools(), TICKET: fault})
    assert (result["stop_reason"], result["phase"]) == (reason.format(TICKET), "execute")
    assert [entry["step"] for entry in result["trace"]] == [1, 2]
    assert [entry["step"] for entry in result["history"]] == [1, 2]


def test_failed_send_after_approval_leaves_trace_entry() -> None:
    result = run_guarded(tools={**builtin_tools(), SEND: crash})
    assert result["stop_reason"] == f"tool_error:{SEND}:RuntimeError"
    assert result["trace"][2] == trace_entry(3, "a3", SEND, MASS, "none")
    assert [entry["step"] for entry in result["history"]] == [1, 2]


@pytest.mark.parametrize(("missing", "entries"), [(FETCH, 0), (SEND, 2), (TICKET, 2)])
def test_unmapped_tool_leaves_no_entry(missing: str, entries: int) -> None:
    tools = {name: tool for name, tool in builtin_tools().items() if name != missing}
    result = run_guarded(tools=tools)
    assert (result["stop_reason"], result["phase"]) == (f"tool_unmapped:{missing}", "execute")
    assert len(result["trace"]) == len(result["history"]) == entries


def test_hanging_tool_stops_run_with_timeout() -> None:
    gate = threading.Event()
    tools = {**builtin_tools(), FETCH: lambda **_: gate.wait()}
    result = run_guarded(tools=tools, policy={"action_timeout_s": 0.01})
    gate.set()
    assert (result["stop_reason"], result["phase"]) == (f"tool_timeout:{FETCH}", "execute")
    assert result["trace"] == [trace_entry(1, "a1", FETCH, PASS, "none")]


APPROVE = {"approved": True, "reason": "ok"}


@pytest.mark.parametrize(
    "answer",
    [
        {"approved": False, "action": action("a3", SEND, **SAFE), "reason": "no"},
        {"approved": "yes", "action": action("a3", SEND, **SAFE), "reason": "ok"},
        {},
        None,
        "yes",
        {**APPROVE, "action": None},
        {**APPROVE, "action": action("a3", SEND, **BROADCAST)},
        {**APPROVE, "action": action("a3", EXPORT)},
        {**APPROVE, "action": action("a3", TICKET, reason="r", payload={})},
        {**APPROVE, "action": action("a9", SEND, **SAFE)},
        {**APPROVE, "action": action("a3", SEND, **{**SAFE, "channel": "sms"})},
        {**APPROVE, "action": action("a3", SEND, **SAFE, email="anna@example.com")},
        {**APPROVE, "action": action("a3", SEND, **{**SAFE, "max_recipients": 0})},
    ],
)
def test_invalid_or_unsafe_approval_is_rejected(answer: Any) -> None:
    result = run_guarded(approver=lambda _action, _reason: answer)
    assert (result["stop_reason"], result["phase"]) == ("policy_escalation_rejected", "execute")
    assert [entry["step"] for entry in result["trace"]] == [1, 2]
    assert [entry["step"] for entry in result["history"]] == [1, 2]


def test_crashing_approver_rejects_action() -> None:
    assert run_guarded(approver=crash)["stop_reason"] == "policy_escalation_rejected"


def test_approver_can_tighten_the_action() -> None:
    asked: list[Any] = []

    def approver(safe: Any, reason: str) -> Any:
        asked.append((json.loads(json.dumps(safe)), reason))
        safe["args"] |= {"max_recipients": 7, "free_text": "x"}
        return {**APPROVE, "action": safe}

    result = run_guarded(approver=approver)
    assert asked == [(action("a3", SEND, **SAFE), "mass_external_broadcast")]
    assert result["executed_plan"][1] == action("a3", SEND, **{**SAFE, "max_recipients": 7})
    assert result["history"][2]["human"] == {"approved": True, "reason": "ok"}
    assert result["history"][2]["escalation_ticket"]["ticket_id"] == "pol_20260306_001"


@pytest.mark.parametrize(
    ("seconds", "phase", "entries"), [(25.5, "plan", 0), (13, "execute", 0), (8, "execute", 2), (5, None, 5)]
)
def test_exhausted_time_stops_run_before_next_action(
    ticking: Callable[..., Any], seconds: float, phase: str | None, entries: int
) -> None:
    # The clock is read once before the plan and once before each of the four actions.
    result = run_guarded(clock=ticking(seconds))
    assert len(result["trace"]) == len(result["history"]) == entries
    assert result.get("phase") == phase
    assert result["stop_reason"] == ("max_seconds" if phase else "success")


def test_policy_hints_of_request_do_not_loosen_policy() -> None:
    request = build_request()
    request["policy_hints"] = {"status_update_template": "free_text_v0", "max_recipients_per_send": 10**9}
    assert run_guarded(request=request)["executed_plan"][2] == action("a4", SEND, **SAFE)


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([{"actions": [action("a", FETCH, **LOOKUP), action("b", SEND, **SAFE)]}], "success"),
        ([{"content": None}], "invalid_plan:actions"),
        ([{"plan": []}], "invalid_plan:actions"),
        ([{"content": "[]"}], "llm_invalid_json"),
        ([{"content": '{"actions": [], "actions": []}'}], "llm_invalid_json"),
        ([{"status": 429}], "llm_rate_limited"),
        ([{"fault": "drop"}], "llm_timeout"),
        ([{"refusal": "No."}], "llm_refused"),
    ],
)
def test_plan_from_model_ends_run_with_expected_reason(
    script: Callable[..., Any], replies: list[Any], reason: str
) -> None:
    model = script(*replies)
    result = run_guarded(chat=model.chat)
    assert result["stop_reason"] == reason
    assert result.get("phase") == (None if reason == "success" else "plan")
    assert ("error" in result) == reason.startswith("llm_")
    assert list(model.calls[0])[:2] == ["goal", "request"]
    assert model.calls[0]["request"] == build_request()


def test_policy_timeout_applies_to_slow_tool() -> None:
    gate = threading.Event()
    tools = builtin_tools()

    def slow(**args: Any) -> Any:
        gate.wait(10)
        return tools[FETCH](**args)

    try:
        result = run_guarded(tools={**tools, FETCH: slow}, policy={"action_timeout_s": 0.05})
    finally:
        gate.set()
    assert (result["stop_reason"], result["phase"]) == (f"tool_timeout:{FETCH}", "execute")
