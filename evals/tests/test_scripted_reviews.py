"""The key ``review:`` of a scenario: scripted decisions of a reviewer and the results of the run."""

from __future__ import annotations

import json
import sqlite3

import pytest

from redpen.events import EventLog, event_schema
from redpen.yaml_files.problem import FileError
from redpen_evals.evaluation import Evaluator
from redpen_evals.reports.steps import view_steps
from redpen_evals.scenario_library.fields import LiveRequirement
from redpen_evals.scenario_library.scenario import live_requirement
from redpen_evals.targets.builtin import run_built_in

jsonschema = pytest.importorskip("jsonschema")

DRAFT = "Checkout in the US is degraded."
PENDING = {"status": "stopped", "stop_reason": "pending_review"}
OK = {"status": "ok", "outcome": "approved_by_reviewer", "answer": DRAFT}
BROADCAST = {
    "channel": "external_email",
    "template_id": "incident_p1_v2",
    "audience_segment": "all_customers",
    "max_recipients": 100,
}


@pytest.fixture
def evaluate(library):
    """Give a function that records a reflection run with decisions, and evaluates its replay."""

    def evaluated(review, expect, **options):
        name = library.add("reflection/asks", library.reflection(review=review, expect=expect))
        Evaluator(layout=library.layout, record="all").evaluate(name)
        return Evaluator(layout=library.layout, **options).evaluate(name)

    return evaluated


@pytest.fixture
def broadcast(library):
    """Give a function that returns a guarded-policy case whose plan writes to all customers."""

    def case(review, sends=1, **changes):
        plan = library.plan()[:1]
        for number in range(sends):
            plan.append({"id": f"s{number}", "tool": "send_status_update", "args": BROADCAST})
        library.write("plans/mails.yaml", {"title": "Mails to all.", "actions": plan})
        scenario = library.guarded_policy(planner="file", plan="mails", replies=[], review=review, **changes)
        return library.case("guarded-policy/mails", scenario)

    return case


def test_approved_run_is_replayed_with_each_call_recorded_once(library, evaluate):
    result = evaluate("approve", OK)
    assert (result.outcome, result.reasons) == ("passed", ())
    assert [call.phase for call in result.calls] == ["draft", "review"]
    recorded = json.loads(library.cassette("reflection/asks").read_text(encoding="utf-8"))
    assert len(recorded["calls"]) == 2


def test_results_of_two_runs_are_equal_and_hold_no_review_id(evaluate):
    results = [evaluate("approve", OK).detail for _ in range(2)]
    assert results[0] == results[1]
    assert results[0]["reviews"][0].keys() == {"decision", "by", "reason", "time", "overrides"}


def test_record_of_pending_run_has_no_review_id(evaluate):
    result = evaluate([], PENDING)
    assert (result.outcome, result.stop_reason) == ("passed", "pending_review")
    assert "review_id" not in result.detail


@pytest.mark.parametrize(
    ("review", "expect"),
    [
        ("reject", {"status": "stopped", "stop_reason": "review_rejected", "phase": "review"}),
        ("expire", {"status": "stopped", "stop_reason": "review_expired", "phase": "review"}),
        ("reject", OK),
        ("expire", OK),
        ("approve", {"status": "stopped", "stop_reason": "review_rejected"}),
    ],
)
def test_expectation_is_checked_against_result_after_review(evaluate, review, expect):
    result = evaluate(review, expect)
    wanted = {"approve": "success", "reject": "review_rejected", "expire": "review_expired"}[review]
    assert result.stop_reason == wanted
    assert result.outcome == ("passed" if expect.get("stop_reason", "success") == wanted else "failed")


def test_unused_decision_fails_the_scenario(evaluate):
    result = evaluate(["approve", "reject"], OK)
    assert result.outcome == "failed"
    assert result.reasons == ("review: the scenario has 2 decisions, and the run asked for 1",)
    assert result.broken == ("review",)


def test_refused_edit_is_followed_by_next_decision(evaluate):
    edits = [{"edit": f"{DRAFT} 12,345 carts wait."}, {"edit": f"{DRAFT} We are looking into it."}]
    expect = {"status": "ok", "outcome": "edited_by_reviewer", "answer": edits[1]["edit"]}
    result = evaluate(edits, expect)
    assert (result.outcome, result.reasons) == ("passed", ())
    (refused,) = result.detail["refused_decisions"]
    assert refused["stop_reason"] == "patch_violation:no_new_facts"
    assert [item["text"] for item in refused["findings"]] == ["12,345"]
    assert len(result.detail["reviews"]) == 1


def test_override_applies_only_to_its_code(evaluate):
    edit = {"edit": f"{DRAFT} 12,345 carts wait.", "override": "restricted_claims", "reason": "It is so."}
    result = evaluate([edit, {**edit, "override": "no_new_facts"}], {"status": "ok", "answer": edit["edit"]})
    assert (result.outcome, result.reasons) == ("passed", ())
    assert len(result.detail["refused_decisions"]) == 1
    assert result.detail["reviews"][0]["overrides"] == [{"code": "no_new_facts", "reason": "It is so."}]


def test_edited_action_passes_through_the_gateway(broadcast):
    edit = {"edit": {"id": "s0", "tool": "send_status_update", "args": BROADCAST}}
    run = run_built_in(
        broadcast([edit, {**edit, "override": "policy.mass_broadcast", "reason": "Yes."}]), None
    )
    assert [item["stop_reason"] for item in run.result["refused_decisions"]] == ["policy_escalation_rejected"]
    assert [args for tool, args in run.tool_calls if tool == "send_status_update"] == [BROADCAST]


def test_tool_is_called_once_across_resumes(broadcast):
    run = run_built_in(broadcast(["approve", "approve"], sends=2), None)
    assert run.result["status"] == "ok"
    assert [tool for tool, _ in run.tool_calls] == [
        "fetch_incident_snapshot",
        "create_manual_review_ticket",
        "send_status_update",
        "create_manual_review_ticket",
        "send_status_update",
    ]
    assert [review["decision"] for review in run.result["reviews"]] == ["approve", "approve"]


def test_nothing_is_sent_while_review_is_pending(broadcast):
    run = run_built_in(broadcast([]), None)
    assert run.result["stop_reason"] == "pending_review"
    assert [tool for tool, _ in run.tool_calls] == ["fetch_incident_snapshot", "create_manual_review_ticket"]


def test_edited_action_with_other_id_is_errored(library, broadcast):
    action = {"id": "s9", "tool": "send_status_update", "args": BROADCAST}
    case = broadcast({"edit": action}, expect=PENDING)
    result = Evaluator(layout=library.layout).evaluate(case.id)
    assert result.outcome == "errored"
    assert result.reasons[0].startswith(f"{case.place('review')}: ")
    assert "an edited action must keep its id 's0'" in result.reasons[0]


@pytest.mark.parametrize(
    ("agent", "changes", "message"),
    [
        ("reflection", {"review": "aprove"}, "review: 'aprove' is not one of approve, reject, expire"),
        (
            "reflection",
            {"review": {"edit": "x", "edits": "y"}},
            "review.edits: unknown key (did you mean `edit`?)",
        ),
        ("reflection", {"review": {"edit": "  "}}, "review.edit: "),
        ("reflection", {"review": {"edit": "x", "override": "no_new_facts"}}, "goes with a `reason`"),
        ("reflection", {"review": ["approve", {"edit": {"id": "a"}}]}, "review[1].edit: has to be a string"),
        ("guarded_policy", {"review": {"edit": "x"}}, "review.edit: has to be an action {id, tool, args}"),
        ("guarded_policy", {"review": "approve", "approver": "reject"}, "approver: does not go with"),
    ],
)
def test_invalid_review_value_is_reported(library, agent, changes, message):
    scenario = getattr(library, agent)(**changes)
    with pytest.raises(FileError) as caught:
        library.case(f"{scenario['agent']}/one", scenario)
    (problem,) = caught.value.problems
    assert message in str(problem)


@pytest.mark.parametrize(
    ("review", "stop_reason", "owed"),
    [
        ("approve", "success", LiveRequirement(status="ok")),
        ("reject", "review_rejected", LiveRequirement(may_stop=["review_rejected", "pending_review"])),
        ("expire", "review_expired", LiveRequirement(may_stop=["review_expired", "pending_review"])),
        ({"edit": DRAFT}, "success", LiveRequirement(may_stop=["pending_review"])),
    ],
)
def test_default_live_value_accounts_for_scripted_review(library, review, stop_reason, owed):
    status = "ok" if stop_reason == "success" else "stopped"
    expect = {"status": status, "stop_reason": stop_reason}
    case = library.case("reflection/one", library.reflection(review=review, expect=expect))
    assert live_requirement(case.built_in) == owed


def test_events_of_resumed_run_continue_and_match_schema(evaluate):
    reported = []

    class Sink:
        def write(self, event):
            reported.append(event)

        def close(self):
            """Do nothing: the sink holds no resource."""

    evaluate("approve", OK, events=EventLog(sink=Sink()))
    kinds = [event.kind for event in reported]
    assert kinds[-5:] == ["review_asked", "stopped", "resumed", "decided", "published"]
    assert [event.seq for event in reported] == list(range(1, len(reported) + 1))
    assert len({event.run_id for event in reported}) == 1
    for event in reported:
        jsonschema.validate(event.model_dump(mode="json", exclude_none=True), event_schema())


@pytest.mark.parametrize(
    ("review", "expect", "wanted"),
    [
        ("approve", OK, [("human_review", True, "approve")]),
        (
            "reject",
            {"status": "stopped", "stop_reason": "review_rejected"},
            [("human_review", False, "reject")],
        ),
        ({"edit": f"{DRAFT} 12,345 carts wait."}, PENDING, [("human_review", False, "edit")]),
    ],
)
def test_report_steps_show_decision_of_reviewer(evaluate, review, expect, wanted):
    steps = view_steps(evaluate(review, expect))
    found = [
        (step.title, step.ok, dict(step.facts)["decision"]) for step in steps if step.title == "human_review"
    ]
    assert found == wanted


def test_review_database_is_removed_after_run(evaluate, monkeypatch):
    opened = []
    connect = sqlite3.connect

    def noted(path, *arguments, **options):
        opened.append(path)
        return connect(path, *arguments, **options)

    monkeypatch.setattr(sqlite3, "connect", noted)
    evaluate("approve", OK)
    assert opened
    assert not any(path.exists() for path in opened)
