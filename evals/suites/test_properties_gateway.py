"""Whatever a model answers is read or stops the run; whatever it plans, nothing unsafe reaches a tool."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.plans import (
    action_plans,
    broken_plans,
    holds_free_text,
    holds_personal_data,
    judgements,
)
from property_support.texts import any_contexts, any_json
from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.tools import builtin_tools
from redpen.chat.replies import DraftReply, RevisedReply, read_completion, read_text
from redpen.context import build_request
from redpen.errors import Stop
from redpen.gateway import fix_plan, required_changes
from redpen.gateway.action_policy import decide_by_table
from redpen.gateway.critique import read_critique
from redpen.gateway.plan import Action, read_plan
from redpen.gateway.review import read_review
from redpen.gateway.texts import check_answer, check_brief, check_draft, ungrounded_findings
from redpen.policy import EXPORT, SEND, TICKET, GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy
from redpen.stop_reasons import find_stop_reason
from redpen.types import JsonObject
from redpen_evals.fuzz.building import any_texts

pytestmark = pytest.mark.fuzz

KNOWN_ARGUMENTS = {
    "fetch_incident_snapshot": {"report_date", "region", "incident_id"},
    "send_status_update": {"channel", "template_id", "audience_segment", "max_recipients"},
    "create_manual_review_ticket": {"reason", "payload"},
}
TEMPLATES = {"incident_p1_v2", "incident_p2_v1"}
Call = tuple[str, dict[str, Any]]


@given(raw=judgements() | any_json())
def test_a_judgement_is_read_or_stops(raw: Any) -> None:
    with suppress(Stop):
        critique = read_critique(raw, SelfCritiquePolicy())
        assert critique.decision in {"approve", "revise", "escalate"}
        assert not (critique.high_risk and critique.decision != "escalate")
    with suppress(Stop):
        review = read_review(raw, ReflectionPolicy())
        assert bool(review.fix_plan) == (review.decision == "revise")


@given(raw=any_json())
def test_a_reply_is_read_or_stops(raw: Any) -> None:
    message = {"choices": [{"message": {"content": raw}, "finish_reason": "stop"}]}
    for completion in (raw, message):
        with suppress(Stop):
            read_completion(completion)
    for kind in (DraftReply, RevisedReply):
        for reply in ({"draft": raw, "revised_answer": raw}, raw if isinstance(raw, dict) else {}):
            with suppress(Stop):
                assert read_text(kind, reply).strip()


@given(text=any_texts(), context=any_contexts(), limit=st.integers(min_value=1, max_value=4_000))
def test_a_text_is_accepted_or_stops(text: str, context: dict[str, Any], limit: int) -> None:
    for check in (check_draft, check_answer):
        with suppress(Stop):
            check(text, max_chars=limit)
            assert 0 < len(text.strip()) <= limit
    with suppress(Stop):
        check_brief(text, context)
    assert isinstance(ungrounded_findings(text, context, claims="inherit"), list)


@given(items=st.lists(any_texts(), max_size=5), text=any_texts())
def test_any_instruction_can_be_read_and_carried_out(items: list[str], text: str) -> None:
    for read in (required_changes.required_phrases, fix_plan.required_phrases):
        phrases = read(items)
        assert len(phrases.missing(text)) <= len(phrases.include)
        assert {phrase for phrase, _ in phrases.left(text)} <= set(phrases.remove)
    required_changes.apply_changes(text, items)


@given(raw=broken_plans(any_json(most=4)), most=st.integers(min_value=0, max_value=9))
def test_a_plan_is_read_or_stops(raw: Any, most: int) -> None:
    with suppress(Stop):
        actions = read_plan(raw, max_actions=most)
        assert 0 < len(actions) <= most
        assert len({action.id for action in actions}) == len(actions)


@given(
    args=st.dictionaries(st.sampled_from(["channel", "audience_segment", "max_recipients", "x"]), any_json())
)
@pytest.mark.parametrize("tool", sorted([*KNOWN_ARGUMENTS, EXPORT, "other"]))
def test_the_gate_rules_on_any_arguments(tool: str, args: JsonObject) -> None:
    ruling = decide_by_table(Action(id="a1", tool=tool, args=args), GuardedPolicy())
    assert (ruling.action is None) == (ruling.decision == "deny")


@given(plan=action_plans(), cap=st.sampled_from([1, 100, 50_000]))
def test_no_plan_gets_anything_unsafe_to_a_tool(plan: JsonObject, cap: int) -> None:
    result, calls = carry_out(plan, cap=cap)
    for call in calls:
        is_safe(call, cap)
    assert find_stop_reason("guarded-policy", result["stop_reason"]) is not None
    assert result["status"] == "ok" or "answer" not in result


@given(
    plan=action_plans(), handed_back=action_plans(), approved=st.sampled_from([True, False, "yes", 1, None])
)
def test_no_approval_gets_anything_unsafe_to_a_tool(
    plan: JsonObject, handed_back: Any, approved: object
) -> None:
    def approver(_action: JsonObject, _reason: str) -> dict[str, Any]:
        return {"approved": approved, "action": handed_back["actions"][0], "reason": "go"}

    broadcast = {"channel": "external_email", "audience_segment": "all_customers", "max_recipients": 10}
    first = {"id": "a0", "tool": SEND, "args": broadcast}
    rest = [{**action, "id": f"b{at}"} for at, action in enumerate(plan["actions"])]  # type: ignore[arg-type,call-overload,union-attr]
    result, calls = carry_out({"actions": [first, *rest][:8]}, cap=50_000, approver=approver)
    for call in calls:
        is_safe(call, 50_000)
    assert find_stop_reason("guarded-policy", result["stop_reason"]) is not None


def carry_out(plan: Any, *, cap: int, **options: Any) -> tuple[dict[str, Any], list[Call]]:
    calls: list[Call] = []

    def noted(name: str) -> Callable[..., Any]:
        def tool(**args: Any) -> Any:
            calls.append((name, args))
            return builtin_tools()[name](**args)

        return tool

    result = run_guarded_policy_agent(
        goal="Inform.",
        request=build_request(),
        policy={"max_recipients_per_send": cap},
        planner=lambda _goal, _request: plan,
        tools={name: noted(name) for name in builtin_tools()},
        **options,
    )
    return result.to_dict(), calls


def is_safe(call: Call, cap: int) -> None:
    tool, args = call
    assert tool in KNOWN_ARGUMENTS
    assert args.keys() <= KNOWN_ARGUMENTS[tool]
    assert not holds_personal_data(args)
    assert not holds_free_text(args)
    if tool == SEND:
        assert type(args["max_recipients"]) is int
        assert 1 <= args["max_recipients"] <= cap
        assert args["template_id"] in TEMPLATES
        assert args["channel"] in {"external_email", "status_page"}
        assert args["audience_segment"] in {"all_customers", "enterprise_active"}
        assert (args["channel"], args["audience_segment"]) != ("external_email", "all_customers")
    if tool == TICKET:
        assert isinstance(args["payload"], dict)
