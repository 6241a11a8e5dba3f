"""Own agents that ask for a review, which the key ``review:`` of the scenario decides."""

from __future__ import annotations

import re
import sys
import textwrap

import pytest

from redpen.yaml_files.problem import FileError
from redpen_evals.evaluation import Evaluator
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.reports.steps import view_steps

_MODULE = "support_with_a_person"
_SOURCE = """
import json, os, urllib.request
from redpen import run_reflection_agent, resume_run
from redpen.review import ReviewedRun

SENT = []

def ask(order):
    asked = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"order {order}"}]})
    request = urllib.request.Request(
        os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:9/v1") + "/chat/completions", asked.encode(),
        {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]

def answer(order, reviews=None, review=None):
    given = {"agent": "support", "given": {"order": order}} if review is None else {"review": review}
    with ReviewedRun(reviews, **given) as run:
        draft = run.step("model", "draft", {"order": order}, lambda _key: ask(order))
        decision = run.ask_person(original=draft, reason="a refund is promised")
        text = {"approve": draft, "edit": decision.text}.get(decision.kind)
        if text is not None:
            run.step("tool", "send", {"text": text}, lambda key: SENT.append(text) or {"sent": True})
        run.finish({"decision": decision.kind})
        return {"answer": text or "", "decision": decision.kind}

def twice(reviews=None, review=None):
    given = {"agent": "twice"} if review is None else {"review": review}
    with ReviewedRun(reviews, **given) as run:
        kinds = [run.ask_person(original=word, reason="asked").kind for word in ("one", "two")]
        run.finish({})
        return {"answer": " ".join(kinds)}

def waits(reviews=None, review=None):
    class Chat:
        def complete(self, *, phase, prompt, payload):
            if phase == "draft":
                return {"draft": "Checkout in the US is degraded."}
            return {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "A person should look."}
    if review is not None:
        return resume_run(reviews, review).to_dict()
    context = {"report_date": "2026-03-06", "region": "US", "incident": {}}
    return run_reflection_agent(
        goal="Tell customers.", incident_context=context, chat=Chat(), review=reviews).to_dict()

def alone(order): return "Hello."
"""
DRAFT = "We refund order 81."


@pytest.fixture
def evaluate(library, tmp_path):
    """Give a function that records a run of an agent of the module, and evaluates its replay."""
    (tmp_path / f"{_MODULE}.py").write_text(textwrap.dedent(_SOURCE), encoding="utf-8")
    sys.modules.pop(_MODULE, None)

    def evaluated(target, **scenario):
        name = library.add("support/asks", {"agent": f"{_MODULE}:{target}", "title": "Asks.", **scenario})
        options = {"layout": library.layout, "own": OwnSettings(paths=(tmp_path,)), "root": tmp_path}
        Evaluator(record="all", **options).evaluate(name)
        if module := sys.modules.get(_MODULE):
            module.SENT.clear()
        return Evaluator(**options).evaluate(name)

    yield evaluated
    sys.modules.pop(_MODULE, None)


def _order(review, **expect):
    return {
        "input": {"order": 81},
        "replies": [{"content": DRAFT}],
        "review": review,
        "expect": {"calls": 1, **expect},
    }


@pytest.mark.parametrize(
    ("review", "answer", "decision"),
    [
        ("approve", DRAFT, "approve"),
        ("reject", "", "reject"),
        ("expire", "", "expire"),
        ({"edit": "We look into order 81."}, "We look into order 81.", "edit"),
    ],
)
def test_scripted_decision_resumes_the_agent(evaluate, review, answer, decision):
    result = evaluate("answer", **_order(review, fields={"answer": answer, "decision": decision}))
    assert (result.outcome, result.reasons) == ("passed", ())
    assert [review["decision"] for review in result.detail["reviews"]] == [decision]
    (step,) = [step for step in view_steps(result) if step.title == "human_review"]
    assert dict(step.facts)["decision"] == decision


def test_model_and_tool_are_called_once_across_resume(evaluate):
    result = evaluate("answer", **_order("approve"))
    assert [call.state for call in result.calls] == ["replayed"]
    assert sys.modules[_MODULE].SENT == [DRAFT]


def test_run_without_decision_stays_pending(evaluate):
    result = evaluate("answer", **_order([], raises="PendingReview"))
    assert (result.outcome, result.reasons) == ("passed", ())
    assert result.detail["error"]["message"] == "a review is pending"
    assert sys.modules[_MODULE].SENT == []


def test_each_review_gets_its_own_decision(evaluate):
    result = evaluate("twice", review=["reject", "approve"], expect={"fields": {"answer": "reject approve"}})
    assert (result.outcome, result.reasons) == ("passed", ())


def test_unused_decision_fails_the_scenario(evaluate):
    result = evaluate("twice", review=["approve", "approve", "reject"])
    assert result.outcome == "failed"
    assert "review: the scenario has 3 decisions, and the run asked for 2" in result.reasons


def test_agent_that_returns_pending_result_is_called_again(evaluate):
    fields = {"outcome": "approved_by_reviewer", "answer": "Checkout in the US is degraded."}
    result = evaluate("waits", review="approve", expect={"fields": fields})
    assert (result.outcome, result.reasons) == ("passed", ())


def test_agent_without_review_parameters_is_errored(evaluate):
    result = evaluate("alone", input={"order": 81}, review="approve")
    assert result.outcome == "errored"
    assert "no parameter 'reviews' and no parameter 'review'" in result.reasons[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"command": ["python", "-V"], "agent": None}, "review: does not go with `command`"),
        ({"url": "http://127.0.0.1:9/", "agent": None}, "review: does not go with `url`"),
        ({"turns": [{"user": "Hello."}]}, "review: does not go with `turns`"),
    ],
)
def test_review_key_is_refused_for_command_url_and_turns(library, changes, message):
    scenario = {"agent": "support:answer", "review": "approve", **changes}
    scenario = {name: value for name, value in scenario.items() if value is not None}
    with pytest.raises(FileError, match=re.escape(message)):
        library.case("support/asks", scenario)
