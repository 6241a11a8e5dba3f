"""Fixtures of the tests of checks: hand-made results of runs."""

from __future__ import annotations

import pytest

from redpen_evals.checks.invariants import Evidence, check_invariants

RUN_ID = "6f1c7f0e-2b6f-4c3a-9d3e-0a4b5c6d7e8f"


@pytest.fixture
def published():
    """Give a function that builds the result of a run that published."""

    def build(answer="Checkout in the US is degraded for 27% of attempts.", **changes):
        return {
            "run_id": RUN_ID,
            "status": "ok",
            "stop_reason": "success",
            "outcome": "approved_direct",
            "answer": answer,
            "trace": [{"step": 1, "phase": "draft", "attempts_used": 1, "ok": True}],
            "history": [{"step": 1, "action": "draft_once", "draft": "Checkout is degraded."}],
            **changes,
        }

    return build


@pytest.fixture
def stopped():
    """Give a function that builds the result of a run that stopped."""

    def build(**changes):
        return {
            "run_id": RUN_ID,
            "status": "stopped",
            "stop_reason": "llm_timeout",
            "phase": "draft",
            "trace": [],
            "history": [],
            **changes,
        }

    return build


@pytest.fixture
def case_of(library):
    """Give a function that returns the loaded scenario of an agent."""

    def build(agent="self-critique", **changes):
        build_scenario = {
            "self-critique": library.self_critique,
            "reflection": library.reflection,
            "guarded-policy": library.guarded_policy,
        }[agent]
        return library.case(f"{agent}/case", build_scenario(**changes))

    return build


@pytest.fixture
def breaches_of(case_of):
    """Give a function that returns the breaches of one invariant by a run."""

    def judge(name, result, *, agent="self-critique", calls=(), tool_calls=(), **scenario):
        case = case_of(agent, invariants=[name], **scenario)
        return check_invariants(Evidence(case=case, result=result, calls=calls, tool_calls=tool_calls))

    return judge
