"""One run of a built-in agent: the scenario sets its model, tools, approver and clock."""

from __future__ import annotations

import threading

import pytest

from redpen.errors import Stop
from redpen_evals.targets.builtin import run_built_in

BROADCAST = {
    "id": "a2",
    "tool": "send_status_update",
    "args": {
        "channel": "external_email",
        "template_id": "incident_p1_v2",
        "audience_segment": "all_customers",
        "max_recipients": 100,
    },
}


class ScriptedChat:
    """A model without HTTP that answers from a list."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.payloads = []

    def complete(self, *, phase, prompt, payload):
        assert prompt
        self.payloads.append((phase, payload))
        reply = self.replies.pop(0)
        if isinstance(reply, Stop):
            raise reply
        return reply


def _chat(scenario):
    return ScriptedChat(*(reply["json"] for reply in scenario["replies"]))


@pytest.mark.parametrize("agent", ["self_critique", "reflection", "guarded_policy"])
def test_scenario_runs_with_the_agent_that_it_names(library, agent):
    scenario = getattr(library, agent)()
    chat = _chat(scenario)
    case = library.case(f"{scenario['agent']}/one", scenario)
    run = run_built_in(case, chat)
    assert run.result["status"] == scenario["expect"]["status"]
    assert chat.replies == []
    assert [phase for phase, _ in chat.payloads] == [reply["phase"] for reply in scenario["replies"]]
    assert chat.payloads[0][1]["goal"] == scenario["goal"]


def test_context_and_policy_of_the_scenario_reach_the_agent(library):
    scenario = library.self_critique(context_changes={"region": "EU"}, policy={"max_answer_chars": 10})
    chat = _chat(scenario)
    run = run_built_in(library.case("self-critique/one", scenario), chat)
    assert run.result["stop_reason"] == "invalid_answer:too_long"
    assert chat.payloads[0][1]["incident_context"]["region"] == "EU"


def test_model_failure_gives_stopped_result(library):
    chat = ScriptedChat(Stop("llm_timeout", error={"type": "APITimeoutError", "message": "late"}))
    run = run_built_in(library.case("self-critique/one", library.self_critique()), chat)
    assert (run.result["status"], run.result["stop_reason"]) == ("stopped", "llm_timeout")


def test_seconds_a_look_advances_clock_until_max_seconds(library):
    scenario = library.self_critique(seconds_a_look=500)
    run = run_built_in(library.case("self-critique/one", scenario), _chat(scenario))
    assert (run.result["stop_reason"], run.result["phase"]) == ("max_seconds", "critique")


def test_tool_calls_are_logged_with_arguments(library):
    run = run_built_in(library.case("guarded-policy/one", library.filed_plan()), None)
    assert list(run.tool_calls) == [(action["tool"], action["args"]) for action in library.plan()]


@pytest.mark.parametrize("planner", ["fixed", "file", "model"])
def test_plan_comes_from_the_planner_of_the_scenario(library, planner):
    scenario = library.guarded_policy(planner=planner)
    if planner != "model":
        scenario["replies"] = []
    if planner == "file":
        scenario["plan"] = "sound"
    run = run_built_in(
        library.case("guarded-policy/one", scenario), _chat(scenario) if planner == "model" else None
    )
    ids = [action["id"] for action in run.result["proposed_plan"]]
    assert ids == (["a1", "a2", "a3", "a4"] if planner == "fixed" else ["a1", "a2"])


@pytest.mark.parametrize(
    ("approver", "reason"),
    [
        ("builtin", "success"),
        ("narrow", "success"),
        ("reject", "policy_escalation_rejected"),
        ("mumble", "policy_escalation_rejected"),
    ],
)
def test_scripted_approver_decides_broadcast(library, approver, reason):
    library.write("plans/sound.yaml", {"title": "Loud.", "actions": [library.plan()[0], BROADCAST]})
    run = run_built_in(library.case("guarded-policy/one", library.filed_plan(approver=approver)), None)
    assert run.result["stop_reason"] == reason
    sent = [args["max_recipients"] for tool, args in run.tool_calls if tool == "send_status_update"]
    assert sent == {"builtin": [100], "narrow": [100]}.get(approver, [])


@pytest.mark.parametrize("approver", ["widen", "crash"])
def test_approver_cannot_send_what_policy_forbids(library, approver):
    library.write("plans/sound.yaml", {"title": "Loud.", "actions": [library.plan()[0], BROADCAST]})
    run = run_built_in(library.case("guarded-policy/one", library.filed_plan(approver=approver)), None)
    sent = [args for tool, args in run.tool_calls if tool == "send_status_update"]
    assert all(args["channel"] != "external_email" for args in sent)


def test_hanging_tool_times_out_and_leaves_no_thread(library):
    scenario = library.filed_plan(
        tools={"send_status_update": {"fault": "hang"}}, policy={"action_timeout_s": 0.01}
    )
    before = set(threading.enumerate())
    run = run_built_in(library.case("guarded-policy/one", scenario), None)
    assert run.result["stop_reason"] == "tool_timeout:send_status_update"
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert set(threading.enumerate()) <= before


def test_two_runs_of_a_case_share_no_state(library):
    case = library.case("guarded-policy/one", library.filed_plan())
    first, second = run_built_in(case, None), run_built_in(case, None)
    assert first.result["run_id"] != second.result["run_id"]
    first.result["proposed_plan"].clear()
    assert {**first.result, "run_id": 0, "proposed_plan": second.result["proposed_plan"]} == {
        **second.result,
        "run_id": 0,
    }
