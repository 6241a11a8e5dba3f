"""Judges in runs of the text agents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redpen import build_incident_context, run_reflection_agent, run_self_critique_agent
from redpen.judges import load_judge
from redpen_evals.records import ScenarioResult
from redpen_evals.summary import judging_lines

from .conftest import answers

DRAFT = (
    "Card payments in the US are degraded and about 27% of checkouts are affected. We check payment failures "
    "every 15 minutes. We are sorry for the trouble this causes on a busy day, and thank you for waiting."
)
ADDED = "No action is needed on your side."
CRITIQUE = {
    "decision": "revise",
    "severity": "low",
    "risks": [],
    "required_changes": [f'ADD "{ADDED}"'],
    "reason": "One more line.",
}
REVIEW = {
    "decision": "revise",
    "issues": [{"type": "missing_uncertainty", "note": "Shops ask."}],
    "fix_plan": [f'Add "{ADDED}"'],
    "reason": "One more line.",
}
REVISED = {"revised_answer": f"{DRAFT} {ADDED}"}


@pytest.fixture
def judge(judge_folder):
    return load_judge("tone", folder=judge_folder)


@pytest.fixture
def run(scripted_chat, judge):
    """Give a function that runs self-critique to a revision with a concern, followed by its judge."""

    def make(*judgements, samples=1, **options):
        chat, endpoint = scripted_chat({"draft": DRAFT}, CRITIQUE, REVISED, *judgements)
        result = run_self_critique_agent(
            goal="Inform.",
            incident_context=build_incident_context(),
            chat=chat,
            judge=replace(judge, samples=samples),
            **options,
        )
        return result, endpoint

    return make


def test_text_with_guard_concern_is_judged_and_keeps_the_concern(run):
    result, endpoint = run(answers(blame="No action is needed"))
    assert [concern["code"] for concern in result.concerns] == ["new_statement", "judged"]
    assert (result.outcome, len(endpoint.requests)) == ("revised_once", 4)
    assert result.trace[2]["judge"] == "tone v1"
    assert result.trace[2]["concerns"] == 2


def test_unmeasured_judge_does_not_block_and_gives_reason(run):
    result, _ = run(answers(promise="No action is needed"))
    assert result.status == "ok"
    assert result.trace[2]["judge_may_block"] is False
    assert "was not measured" in result.concerns[-1]["reason"]


def test_summary_names_judge_that_may_not_block(run):
    result, _ = run(answers())
    ran = ScenarioResult.model_validate(
        {
            "scenario": "self-critique/one",
            "agent": "self-critique",
            "outcome": "passed",
            "calls": [{"phase": "judge", "state": "replayed"}],
            "detail": {"trace": list(result.trace)},
        }
    )
    cost, standing = judging_lines([ran])
    assert cost.startswith("judges: 1 calls in 1 scenarios")
    assert standing.startswith("judge tone v1: its findings are concerns in 1 of 1 scenarios")
    trace = [{**step, "judge_may_block": True} for step in result.trace]
    assert len(judging_lines([ran.model_copy(update={"detail": {"trace": trace}})])) == 1


def test_disagreeing_samples_in_run_are_a_concern(run):
    result, endpoint = run(answers(), answers(promise="No action is needed"), answers(), samples=3)
    assert result.concerns[-1]["reason"].startswith("1 of 3 samples")
    assert len(endpoint.requests) == 6


def test_failed_judge_call_stops_the_run(run):
    result, _ = run()
    assert result.stop_reason.startswith("llm_")
    assert (result.phase, result.answer) == ("judge", None)


def test_judge_is_not_called_after_time_limit(run):
    looks = iter([0, 1, 2, 999])
    result, endpoint = run(answers(), clock=lambda: next(looks))
    assert (result.stop_reason, result.phase) == ("max_seconds", "judge")
    assert len(endpoint.requests) == 3


def test_reflection_agent_asks_its_judge(scripted_chat, judge):
    chat, endpoint = scripted_chat({"draft": DRAFT}, REVIEW, REVISED, answers())
    result = run_reflection_agent(
        goal="Inform.", incident_context=build_incident_context(), chat=chat, judge=judge
    )
    assert result.trace[2]["judge"] == "tone v1"
    assert len(endpoint.requests) == 4
