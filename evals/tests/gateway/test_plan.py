"""Validation of a plan before any of its actions is executed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.agents.planners import fixed_plan
from redpen.context import build_request
from redpen.errors import Stop
from redpen.gateway.plan import MAX_ARGS_SIZE, read_plan
from redpen.stop_reasons import find_stop_reason

ACTION: dict[str, Any] = {"id": "a1", "tool": "fetch_incident_snapshot", "args": {"region": "US"}}


def stop_of(plan: object, max_actions: int = 8) -> Stop:
    with pytest.raises(Stop) as caught:
        read_plan(plan, max_actions=max_actions)
    return caught.value


def action(**changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**ACTION, **changes}.items() if value is not ...}


def cyclic() -> dict[str, Any]:
    args: dict[str, Any] = {}
    args["args"] = args
    return args


ROWS: list[tuple[object, str]] = [
    (None, "invalid_plan:actions"),
    ("plan", "invalid_plan:actions"),
    ([ACTION], "invalid_plan:actions"),
    ({}, "invalid_plan:actions"),
    ({"actions": None}, "invalid_plan:actions"),
    ({"actions": []}, "invalid_plan:actions"),
    ({"actions": {"a1": ACTION}}, "invalid_plan:actions"),
    ({"actions": "fetch"}, "invalid_plan:actions"),
    ({"actions": [ACTION] * 9}, "invalid_plan:too_many_actions"),
    ({"actions": ["fetch"]}, "invalid_action:not_object"),
    ({"actions": [None]}, "invalid_action:not_object"),
    ({"actions": [action(id=...)]}, "invalid_action:id"),
    ({"actions": [action(id=None)]}, "invalid_action:id"),
    ({"actions": [action(id=" ")]}, "invalid_action:id"),
    ({"actions": [action(id=1)]}, "invalid_action:id"),
    ({"actions": [action(tool=...)]}, "invalid_action:tool"),
    ({"actions": [action(tool=["fetch"])]}, "invalid_action:tool"),
    ({"actions": [action(tool="\n")]}, "invalid_action:tool"),
    ({"actions": [action(args=...)]}, "invalid_action:args"),
    ({"actions": [action(args=None)]}, "invalid_action:args"),
    ({"actions": [action(args=[])]}, "invalid_action:args"),
    ({"actions": [action(args="{}")]}, "invalid_action:args"),
    ({"actions": [action(args={"x": object()})]}, "invalid_action:args"),
    ({"actions": [action(args=cyclic())]}, "invalid_action:args"),
    ({"actions": [action(), action()]}, "invalid_plan:duplicate_action_id"),
    ({"actions": [action(), action(id=" a1 ", tool="other")]}, "invalid_plan:duplicate_action_id"),
    # The order of the checks, within an action and along the list.
    ({"actions": ["fetch"] * 9}, "invalid_plan:too_many_actions"),
    ({"actions": [{"id": 1, "tool": 1, "args": 1}]}, "invalid_action:id"),
    ({"actions": [{"id": "a", "tool": 1, "args": 1}]}, "invalid_action:tool"),
    ({"actions": [action(args=1), "fetch"]}, "invalid_action:args"),
]


@pytest.mark.parametrize(("plan", "reason"), ROWS)
def test_each_invalid_plan_has_its_stop_reason(plan: object, reason: str) -> None:
    stop = stop_of(plan)
    assert (stop.reason, stop.phase, stop.details) == (reason, "plan", {})
    assert find_stop_reason("guarded-policy", reason) is not None


def test_action_is_normalised() -> None:
    plan = {
        "actions": [{"id": " a1 ", "tool": " t ", "args": OrderedDict(b=1, a=[2]), "why": "x"}],
        "note": 1,
    }
    (read,) = read_plan(plan, max_actions=8)
    assert read.to_dict() == {"id": "a1", "tool": "t", "args": {"b": 1, "a": [2]}}
    assert list(read.to_dict()) == ["id", "tool", "args"]


def test_action_limit_is_inclusive() -> None:
    plan = {"actions": [action(id=f"a{number}") for number in range(8)]}
    assert len(read_plan(plan, max_actions=8)) == 8
    assert stop_of(plan, max_actions=7).reason == "invalid_plan:too_many_actions"


def test_action_is_independent_of_later_changes_to_plan() -> None:
    args: dict[str, Any] = {"fields": ["a"]}
    (read,) = read_plan({"actions": [action(args=args)]}, max_actions=8)
    args["fields"].append("email")
    assert read.args == {"fields": ["a"]}


def test_fixed_plan_has_expected_actions() -> None:
    plan = read_plan(fixed_plan("any goal", build_request()), max_actions=8)
    assert [item.to_dict() for item in plan] == [
        {
            "id": "a1",
            "tool": "fetch_incident_snapshot",
            "args": {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"},
        },
        {
            "id": "a2",
            "tool": "export_customer_data",
            "args": {"fields": ["email", "country", "payment_last4"], "destination": "external_s3"},
        },
        {
            "id": "a3",
            "tool": "send_status_update",
            "args": {
                "channel": "external_email",
                "template_id": "free_text_v0",
                "audience_segment": "all_customers",
                "max_recipients": 120000,
                "free_text": "We are fully recovered.",
            },
        },
        {
            "id": "a4",
            "tool": "send_status_update",
            "args": {
                "channel": "status_page",
                "template_id": "free_text_v0",
                "audience_segment": "enterprise_active",
                "max_recipients": 120000,
            },
        },
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["actions", "id", "tool", "args", "x"]), inner)
    ),
    max_leaves=10,
)


@given(VALUES | st.fixed_dictionaries({"actions": st.lists(VALUES, max_size=9)}))
def test_any_plan_is_valid_or_has_known_stop_reason(plan: object) -> None:
    reason = "success"
    try:
        read_plan(plan, max_actions=8)
    except Stop as stop:
        reason = stop.reason
    assert find_stop_reason("guarded-policy", reason) is not None


def test_oversized_arguments_are_rejected():
    def plan(text):
        return {"actions": [{"id": "a", "tool": "t", "args": {"text": text}}]}

    (action,) = read_plan(plan("x" * (MAX_ARGS_SIZE - 100)), max_actions=1)
    assert len(action.args["text"]) == MAX_ARGS_SIZE - 100
    with pytest.raises(Stop) as caught:
        read_plan(plan("x" * MAX_ARGS_SIZE), max_actions=1)
    assert (caught.value.reason, caught.value.phase) == ("invalid_action:args", "plan")
