"""The compared part of a result, and the display ids of results."""

from __future__ import annotations

import pytest

from redpen_evals.comparison.changes import Behaviour, behaviour
from redpen_evals.records import RecordedCall
from redpen_evals.records.model import display_id


def test_behaviour_holds_outcome_and_cost(project, passed):
    assert behaviour(project.result()) == passed()


def test_behaviour_ignores_title_reasons_command_and_detail(project):
    plain = behaviour(project.result())
    assert behaviour(project.result(title="x", reasons=["y"], command="z", detail={"trace": [1]})) == plain


def test_behaviour_of_stop_has_phase_violations_and_broken(project):
    stopped = project.result(
        outcome="failed",
        status="stopped",
        stop_reason="policy_escalation",
        phase="review",
        result=None,
        answer=None,
        violations=["new_region", "no_new_facts"],
        broken=["stop_reason"],
        calls=[],
    )
    assert behaviour(stopped) == Behaviour(
        outcome="failed",
        status="stopped",
        stop_reason="policy_escalation",
        phase="review",
        decision="approve",
        violations=("new_region", "no_new_facts"),
        broken=("stop_reason",),
    )


@pytest.mark.parametrize(
    ("counts", "tokens"),
    [
        ([], 0),
        ([(100, 20), (None, None)], 120),
        ([(None, 20)], 20),
        ([(None, None), (None, None)], None),
    ],
)
def test_tokens_are_none_when_no_call_was_counted(project, counts, tokens):
    calls = [
        RecordedCall(phase="draft", state="replayed", prompt_tokens=sent, completion_tokens=got)
        for sent, got in counts
    ]
    assert behaviour(project.result(calls=calls)).tokens == tokens


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (("a/b", "", 1), "a/b"),
        (("a/b", "", 2), "a/b #2"),
        (("a/b", "critique=v2", 1), "a/b [critique=v2]"),
        (("a/b", "critique=v2", 3), "a/b [critique=v2] #3"),
    ],
)
def test_display_id_names_scenario_variant_and_sample(key, name):
    assert display_id(key) == name
