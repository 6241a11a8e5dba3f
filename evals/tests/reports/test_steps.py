"""The steps of a run as the report shows them."""

import pytest

from redpen_evals.records import RecordedCall
from redpen_evals.reports.steps import view_steps


def titles(result):
    return [step.title for step in view_steps(result)]


def calls(*phases):
    return tuple(RecordedCall(phase=phase, state="replayed") for phase in phases)


def test_each_call_belongs_to_its_step(samples):
    result = samples.revised()
    steps = view_steps(result)
    assert [step.title for step in steps] == ["draft", "critique", "revise", "audit_finalize"]
    assert [[number for number, _ in step.calls] for step in steps] == [[1], [2], [3], []]
    assert all(step.ok for step in steps)
    assert dict(steps[1].facts)["decision"] == "revise"


def test_call_that_stopped_run_is_last_step(samples):
    steps = view_steps(samples.refused())
    assert [(step.title, step.ok) for step in steps] == [
        ("draft", True),
        ("critique", True),
        ("revise", None),
    ]
    assert [number for number, _ in steps[-1].calls] == [3]


def test_check_and_judge_calls_belong_to_revise_step(samples):
    asked = calls("draft", "critique", "revise", "check", "judge")
    steps = view_steps(samples.revised().model_copy(update={"calls": asked}))
    assert [step.title for step in steps] == ["draft", "critique", "revise", "audit_finalize"]
    assert [number for number, _ in steps[2].calls] == [3, 4, 5]


def test_plan_step_precedes_action_steps(samples):
    steps = view_steps(samples.actions())
    assert [step.title for step in steps] == [
        "plan",
        "a1 fetch_incident_snapshot",
        "a2 send_status_update",
        "finalize",
    ]
    assert dict(steps[2].facts)["policy decision"] == "rewrite"


def test_rewritten_action_is_shown_as_diff(samples):
    name, pieces = view_steps(samples.actions())[2].blocks[0]
    assert name == "proposed → executed action"
    changed = {piece.state: piece.text for piece in pieces if piece.state != "same"}
    assert "60000" in changed["removed"]


def test_action_executed_as_proposed_is_shown_once(samples):
    name, pieces = view_steps(samples.actions())[1].blocks[0]
    assert name == "proposed and executed action"
    assert {piece.state for piece in pieces} == {"same"}


def test_every_call_is_in_exactly_one_step(result):
    made = result(
        phase="revise",
        calls=calls("plan", "draft", "shorten", "critique", "revise", "revise", "odd"),
        detail={
            "trace": [{"step": 1, "phase": "draft", "ok": True}, {"step": 2, "phase": "draft", "ok": False}]
        },
    )
    steps = view_steps(made)
    assert [step.title for step in steps] == ["plan", "draft", "draft", "critique", "revise", "odd"]
    numbers = [number for step in steps for number, _ in step.calls]
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6, 7]
    assert [number for number, _ in steps[1].calls] == [2, 3]


@pytest.mark.parametrize("trace", [None, 5, "x", [None, 1, "x", []], {"phase": "draft"}])
def test_malformed_trace_yields_steps_from_calls_only(result, trace):
    assert titles(result(detail={"trace": trace, "history": trace}, calls=calls("draft"))) == ["draft"]


def test_long_values_are_truncated_with_counts(result):
    detail = {
        "trace": [{"step": 1, "phase": "draft", "note": "x" * 1000}],
        "history": [{"step": 1, "critique": "y" * 7000}],
    }
    (step,) = view_steps(result(detail=detail))
    assert len(dict(step.facts)["note"]) == 301
    assert dict(step.blocks)["critique"][-1].text == "1,000"
