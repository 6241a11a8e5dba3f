"""Properties: no plan or approval causes an unsafe call, and every run ends with a known stop reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redpen import build_incident_context, build_request
from redpen import run_guarded_policy_agent as run_guarded
from redpen import run_reflection_agent as run_reflection
from redpen import run_self_critique_agent as run_self_critique
from redpen.agents.tools import builtin_tools
from redpen.errors import Stop
from redpen.gateway.action_policy import ARGUMENTS
from redpen.gateway.personal_data import find_personal_data
from redpen.stop_reasons import find_stop_reason

FETCH, SEND = "fetch_incident_snapshot", "send_status_update"
EXPORT, TICKET = "export_customer_data", "create_manual_review_ticket"
CAP = 50_000

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [0, 1, CAP, CAP + 1, "120000", "12e4", "1000", 10**30, "anna@example.com", "email", "card_number"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
# Set by the profile: fewer by default, more in CI.
EXAMPLES = settings().max_examples


def is_standard_json(value: Any) -> bool:
    return "Infinity" not in (text := json.dumps(value)) and "NaN" not in text


CHANNELS = (
    st.sampled_from(["external_email", "status_page", " External_Email ", "sms", "STATUS_PAGE"]) | VALUES
)
AUDIENCES = st.sampled_from(["all_customers", "enterprise_active", "ALL_CUSTOMERS", "everyone"]) | VALUES
TEMPLATES = st.sampled_from(["incident_p1_v2", "incident_p2_v1", "free_text_v0"]) | VALUES
SENDS = st.fixed_dictionaries(
    {},
    optional={
        "channel": CHANNELS,
        "audience_segment": AUDIENCES,
        "template_id": TEMPLATES,
        "max_recipients": SCALARS,
        "free_text": VALUES,
        "Free_Text": VALUES,
        "body": VALUES,
        "email": VALUES,
    },
)
LOOKUPS = st.fixed_dictionaries(
    {
        "report_date": st.just("2026-03-06"),
        "region": st.sampled_from(["US", "eu", None]),
        "incident_id": SCALARS,
    },
    optional={"callback": VALUES},
)
TICKETS = st.fixed_dictionaries({"reason": VALUES, "payload": VALUES}, optional={"cc": VALUES})


def action_of(tool: str, args: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"tool": st.just(tool), "args": args})


ACTIONS = st.one_of(
    action_of(SEND, SENDS),
    action_of(SEND, SENDS),
    action_of(FETCH, LOOKUPS),
    action_of(TICKET, TICKETS),
    action_of(EXPORT, st.dictionaries(st.text(max_size=5), VALUES, max_size=2)),
    st.fixed_dictionaries({"tool": st.text(min_size=1, max_size=6), "args": st.just({})}),
)


def numbered(actions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"actions": [{"id": f"a{number}", **item} for number, item in enumerate(actions)]}


PLANS = st.lists(ACTIONS, min_size=1, max_size=8).map(numbered)


def run_plan(plan: Any, **options: Any) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    calls: list[tuple[str, dict[str, Any]]] = []

    def recorded(name: str) -> Callable[..., Any]:
        def tool(**args: Any) -> Any:
            calls.append((name, args))
            return builtin_tools()[name](**args)

        return tool

    tools = {name: recorded(name) for name in builtin_tools()}
    result = run_guarded(
        goal="Inform.", request=build_request(), planner=lambda _goal, _request: plan, tools=tools, **options
    ).to_dict()
    return result, calls


def assert_valid_result(result: dict[str, Any], agent: Any) -> None:
    assert find_stop_reason(agent, result["stop_reason"]) is not None
    assert (result["status"] == "ok") == (result["stop_reason"] == "success")
    assert ("phase" in result) == (result["status"] == "stopped")
    assert ("answer" in result) == ("outcome" in result) == (result["status"] == "ok")
    assert all(isinstance(entry["step"], int) for entry in result["trace"] + result["history"])
    json.dumps(result, allow_nan=False)


def assert_safe_calls(calls: list[tuple[str, dict[str, Any]]]) -> None:
    for tool, args in calls:
        assert tool != EXPORT
        assert args.keys() <= ARGUMENTS[tool]
        if tool == SEND:
            assert type(args["max_recipients"]) is int
            assert 1 <= args["max_recipients"] <= CAP
            assert args["template_id"] in {"incident_p1_v2", "incident_p2_v1"}
            assert args["channel"] in {"external_email", "status_page"}
            assert args["audience_segment"] in {"all_customers", "enterprise_active"}
            assert (args["channel"], args["audience_segment"]) != ("external_email", "all_customers")
        else:
            assert find_personal_data(args, names=tool != FETCH) is None


@settings(max_examples=3 * EXAMPLES, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(PLANS)
def test_any_plan_results_in_safe_calls(plan: Any) -> None:
    result, calls = run_plan(plan)
    assert_safe_calls(calls)
    assert_valid_result(result, "guarded-policy")


# The approver approves everything, and returns another action.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(SENDS | VALUES, st.sampled_from([SEND, TICKET, EXPORT, FETCH]))
def test_any_approved_action_results_in_safe_calls(args: Any, tool: str) -> None:
    plan = numbered(
        [{"tool": SEND, "args": {"channel": "external_email", "audience_segment": "all_customers"}}]
    )
    answer = {"approved": True, "action": {"id": "a0", "tool": tool, "args": args}, "reason": "go"}
    result, calls = run_plan(plan, approver=lambda _action, _reason: answer)
    assert_safe_calls(calls)
    assert_valid_result(result, "guarded-policy")


ANYTHING = VALUES | st.sampled_from([object(), {1: 2}, b"x", {"actions": [{1: 2}]}, {"actions": ({},)}])


@settings(deadline=None)
@given(ANYTHING | st.fixed_dictionaries({"actions": st.lists(ANYTHING, max_size=9)}))
def test_malformed_plan_ends_with_known_stop_reason(plan: Any) -> None:
    result, calls = run_plan(plan)
    assert_safe_calls(calls)
    assert_valid_result(result, "guarded-policy")


@settings(deadline=None)
@given(ANYTHING | st.fixed_dictionaries({"status": st.just("ok"), "data": ANYTHING}))
def test_any_tool_result_ends_with_known_stop_reason(answer: Any) -> None:
    tools = {name: lambda **_: answer for name in builtin_tools()}
    assert_valid_result(
        run_guarded(goal="Inform.", request=build_request(), tools=tools).to_dict(), "guarded-policy"
    )


class Replies:
    """A model that gives the replies in turn, then fails."""

    def __init__(self, replies: list[Any]) -> None:
        self._replies: Iterator[Any] = iter(replies)

    def complete(self, *, phase: str, prompt: str, payload: Mapping[str, Any]) -> Any:  # noqa: ARG002
        for reply in self._replies:
            return reply
        raise Stop("llm_timeout", error={"type": "APITimeoutError", "message": "Request timed out."})


DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes."
)
TEXTS = st.text(max_size=30) | st.sampled_from(
    [DRAFT, f"{DRAFT} Please wait.", "We wait.", "a" * 1000, " ", "\u200b"]
)
NOTES = st.fixed_dictionaries(
    {"type": st.sampled_from(["contradiction", "legal_risk"]) | SCALARS, "note": TEXTS}
)
ITEMS = st.sampled_from(
    [
        'ADD "Please wait."',
        'REMOVE "27%"',
        'MUST_REMOVE "Payments"',
        'replace "About" with "Some"',
        'Add "wait"',
        "Be kind",
    ]
)
PARTS = {
    "decision": st.sampled_from(["approve", "revise", "revise", "escalate"]) | SCALARS,
    "severity": st.sampled_from(["low", "medium", "high"]) | SCALARS,
    "risks": st.lists(NOTES, max_size=2) | VALUES,
    "issues": st.lists(NOTES, min_size=1, max_size=2) | VALUES,
    "required_changes": st.lists(ITEMS, max_size=3) | VALUES,
    "fix_plan": st.lists(ITEMS, max_size=3) | VALUES,
    "reason": TEXTS | SCALARS,
}
JUDGEMENTS = st.fixed_dictionaries({}, optional=PARTS)
DRAFTS = st.fixed_dictionaries({"draft": TEXTS}) | st.just({"draft": DRAFT})
REVISIONS = st.fixed_dictionaries({"revised_answer": TEXTS | SCALARS})


@pytest.mark.parametrize(
    ("agent", "run"), [("self-critique", run_self_critique), ("reflection", run_reflection)]
)
@settings(max_examples=3 * EXAMPLES // 2, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(draft=DRAFTS, judgement=JUDGEMENTS | VALUES, revisions=st.lists(REVISIONS, max_size=3))
def test_any_model_replies_end_with_known_stop_reason(
    agent: Any, run: Callable[..., Any], draft: Any, judgement: Any, revisions: list[Any]
) -> None:
    chat = Replies([draft, judgement, *revisions])
    result = run(goal="Inform.", incident_context=build_incident_context(), chat=chat).to_dict()
    assert_valid_result(result, agent)
    if result["status"] == "ok":
        assert 0 < len(result["answer"].strip()) <= 980


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4).filter(is_standard_json))
@pytest.mark.parametrize(
    ("agent", "run"), [("self-critique", run_self_critique), ("reflection", run_reflection)]
)
def test_any_context_ends_with_known_stop_reason(
    agent: Any, run: Callable[..., Any], context: dict[str, Any]
) -> None:
    judgement = {
        "decision": "revise",
        "issues": [{"type": "contradiction", "note": "x"}],
        "fix_plan": ['Add "Please wait"'],
        "required_changes": ['ADD "Please wait"'],
    }
    context = {**build_incident_context(), "incident": context, "policy_hints": context}
    chat = Replies([{"draft": DRAFT}, judgement, {"revised_answer": f"{DRAFT} Please wait."}])
    assert_valid_result(run(goal="Inform.", incident_context=context, chat=chat).to_dict(), agent)
