"""Scripted tools and approvers of a scenario."""

from __future__ import annotations

import threading

import pytest

from redpen.errors import Stop
from redpen.gateway.execution import call_tool
from redpen.policy import ALL_TOOLS, FETCH, SEND
from redpen_evals.scenario_library.scenario import ToolScript
from redpen_evals.targets.tools import scripted_approver, scripted_tools

ACTION = {"id": "a1", "tool": SEND, "args": {"channel": "status_page", "max_recipients": 50_000}}


def _call(box, name=SEND, **args):
    return call_tool(box.tools, name, args, timeout_s=30)


FAULTS = {
    "raise_timeout": f"tool_timeout:{SEND}",
    "raise": f"tool_error:{SEND}:RuntimeError",
    "no_object": f"tool_invalid_output:{SEND}",
    "failed_status": f"tool_status_not_ok:{SEND}",
    "no_data": f"tool_invalid_output:{SEND}",
    "missing": f"tool_unmapped:{SEND}",
}


@pytest.mark.parametrize(("fault", "reason"), FAULTS.items(), ids=list(FAULTS))
def test_scripted_fault_stops_with_its_reason(fault, reason):
    box = scripted_tools({SEND: ToolScript(fault=fault)})
    with pytest.raises(Stop) as caught:
        _call(box, channel="status_page")
    assert caught.value.reason == reason
    assert box.calls == ([] if fault == "missing" else [(SEND, {"channel": "status_page"})])


def test_hanging_tool_times_out_and_its_thread_ends_on_release():
    box = scripted_tools({SEND: ToolScript(fault="hang")})
    before = set(threading.enumerate())
    with pytest.raises(Stop) as caught:
        call_tool(box.tools, SEND, {}, timeout_s=0.01)
    assert caught.value.reason == f"tool_timeout:{SEND}"
    (hung,) = set(threading.enumerate()) - before
    box.release()
    hung.join()
    assert set(threading.enumerate()) <= before


def test_every_fault_of_the_schema_is_tested():
    faults = ToolScript.model_json_schema()["properties"]["fault"]["anyOf"][0]["enum"]
    assert set(faults) == {*FAULTS, "hang"}


def test_scripted_answer_replaces_built_in_one():
    answer = {"status": "ok", "data": {"severity": "P0"}}
    box = scripted_tools({FETCH: ToolScript(answer=answer)})
    assert _call(box, FETCH, region="US") == {"severity": "P0"}
    assert box.calls == [(FETCH, {"region": "US"})]


def test_tools_without_script_are_built_in():
    box = scripted_tools({})
    assert set(box.tools) == ALL_TOOLS
    data = _call(box, FETCH, report_date="2026-03-06", region="us", incident_id="inc_1")
    assert (data["region"], data["severity"]) == ("US", "P1")


def test_scenario_may_add_its_own_tool():
    box = scripted_tools({"page_someone": ToolScript(answer={"status": "ok", "data": {}})})
    assert _call(box, "page_someone") == {}
    assert "page_someone" not in scripted_tools({"page_someone": ToolScript(fault="missing")}).tools


def test_logged_arguments_are_a_copy():
    box = scripted_tools({})
    args = {"reason": "x", "payload": {"fields": ["a"]}}
    box.tools["create_manual_review_ticket"](**args)
    args["payload"]["fields"].append("b")
    assert box.calls == [("create_manual_review_ticket", {"reason": "x", "payload": {"fields": ["a"]}})]


@pytest.mark.parametrize(
    ("script", "decision"),
    [
        ("reject", {"approved": False, "action": ACTION, "reason": "not today"}),
        ("mumble", "yes, go ahead"),
        (
            "narrow",
            {
                "approved": True,
                "action": {**ACTION, "args": {**ACTION["args"], "max_recipients": 100}},
                "reason": "a few first",
            },
        ),
        (
            "widen",
            {
                "approved": True,
                "action": {
                    **ACTION,
                    "args": {
                        "channel": "external_email",
                        "max_recipients": 50_000,
                        "audience_segment": "all_customers",
                    },
                },
                "reason": "send to all",
            },
        ),
    ],
)
def test_scripted_approver_returns_its_decision(script, decision):
    assert scripted_approver(script)(ACTION, "mass_external_broadcast") == decision


def test_crashing_approver_raises():
    with pytest.raises(RuntimeError):
        scripted_approver("crash")(ACTION, "mass_external_broadcast")


def test_built_in_approver_approves_only_the_safe_broadcast():
    approver = scripted_approver("builtin")
    assert approver(ACTION, "mass_external_broadcast")["approved"] is True
    assert approver(ACTION, "another_reason")["approved"] is False
