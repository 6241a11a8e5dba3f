"""Inputs of a run: goal, context, request, policy and clock, valid and invalid."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from redpen import (
    build_incident_context,
    build_request,
    run_guarded_policy_agent,
    run_reflection_agent,
    run_self_critique_agent,
)
from redpen.context import IncidentContext
from redpen.errors import InvalidInputError, RedpenError
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy, load_policy

DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes."
)
TEXT_AGENTS = [run_self_critique_agent, run_reflection_agent]
APPROVE = {"decision": "approve"}


def test_example_context_of_self_critique() -> None:
    assert build_incident_context(report_date="2026-03-06", region="US") == {
        "report_date": "2026-03-06",
        "region": "US",
        "incident": {
            "incident_id": "inc_payments_20260306",
            "severity": "P1",
            "status": "degraded",
            "affected_checkout_pct": 27,
            "failed_payment_rate": 0.034,
            "chargeback_alerts": 5,
            "eta_minutes": 45,
        },
        "policy_hints": {
            "avoid_absolute_guarantees": True,
            "max_length_increase_pct": 20,
            "required_sections": ["current_status", "customer_impact", "next_actions"],
        },
        "approved_actions": [
            "monitor payment failures every 15 minutes",
            "publish customer update via status page every 15 minutes",
            "prepare support macro with workaround guidance",
        ],
    }


def test_example_context_of_reflection() -> None:
    one, other = build_incident_context(), build_incident_context(example="reflection")
    assert other["report_date"] == "2026-03-05"
    assert other["incident"] == {**one["incident"], "incident_id": "inc_payments_20260305"}
    assert "max_length_increase_pct" not in other["policy_hints"]
    assert other["approved_actions"][1] == "publish customer update via status page"


def test_example_builders_accept_date_and_region() -> None:
    context = build_incident_context(report_date="2026-04-01", region="EU")
    assert (context["report_date"], context["region"]) == ("2026-04-01", "EU")
    assert build_request(report_date="2026-04-01", region="EU") == {
        "request": {"report_date": "2026-04-01", "region": "EU", "incident_id": "inc_payments_20260306"},
        "policy_hints": {"status_update_template": "incident_p1_v2", "max_recipients_per_send": 50000},
    }


@pytest.mark.parametrize("run", TEXT_AGENTS)
@pytest.mark.parametrize(
    "context",
    [
        build_incident_context(),
        IncidentContext.model_validate(build_incident_context()),
        MappingProxyType(build_incident_context()),
    ],
    ids=["dict", "model", "mapping"],
)
def test_context_as_model_or_mapping_gives_the_same_payload(
    script: Callable[..., Any], run: Callable[..., Any], context: Any
) -> None:
    model = script({"draft": DRAFT}, APPROVE)
    assert run(goal="Inform.", incident_context=context, chat=model.chat).status == "ok"
    assert model.calls[0] == {"goal": "Inform.", "incident_context": build_incident_context()}
    assert str(model.calls[0]["incident_context"]) == str(build_incident_context())


def test_context_accepts_other_incident_fields(script: Callable[..., Any]) -> None:
    incident = {"incident_id": "inc_auth_1", "severity": "P2", "status": "degraded", "locked_accounts": 12}
    context = IncidentContext.model_validate(
        {"report_date": "2026-03-06", "region": "EU", "incident": incident}
    )
    model = script({"draft": "Sign-in in the EU is degraded. 12 accounts are locked."}, APPROVE)
    run_reflection_agent(goal="Inform.", incident_context=context, chat=model.chat)
    assert model.calls[0]["incident_context"] == {
        "report_date": "2026-03-06",
        "region": "EU",
        "incident": incident,
    }


@pytest.mark.parametrize(
    "changes",
    [{"severity": "P6"}, {"severity": "high"}, {"incident_id": 5}, {"status": None}],
)
def test_invalid_typed_context_is_rejected(changes: dict[str, Any]) -> None:
    context = build_incident_context()
    context["incident"].update(changes)
    with pytest.raises(ValidationError):
        IncidentContext.model_validate(context)


@pytest.mark.parametrize("hint", [True, "20", [20]])
def test_non_numeric_length_hint_is_rejected(hint: object) -> None:
    context = build_incident_context()
    context["policy_hints"]["max_length_increase_pct"] = hint
    with pytest.raises(ValidationError):
        IncidentContext.model_validate(context)


@pytest.mark.parametrize("run", TEXT_AGENTS)
def test_run_does_not_change_the_context(script: Callable[..., Any], run: Callable[..., Any]) -> None:
    context = build_incident_context()
    before = copy.deepcopy(context)
    run(goal="Inform.", incident_context=context, chat=script({"draft": DRAFT}, APPROVE).chat)
    assert context == before


class Loose(BaseModel):
    """A Pydantic model of the caller."""

    request: dict[str, Any]


@pytest.mark.parametrize("request_", [build_request(), Loose.model_validate(build_request())])
def test_request_may_be_model_or_mapping(request_: Any) -> None:
    assert run_guarded_policy_agent(goal="Inform.", request=request_).stop_reason == "success"


BAD_GOALS = [None, "", " \n", 5, ["Inform."], "\ud800"]
BAD_OBJECTS: list[Any] = [None, "context", [], 5, {"a": {1, 2}}, {1: 2}, {"a": object()}, {"a": "\ud800"}]


@pytest.mark.parametrize("run", TEXT_AGENTS)
@pytest.mark.parametrize("goal", BAD_GOALS)
def test_invalid_goal_is_rejected_before_any_request(
    script: Callable[..., Any], run: Callable[..., Any], goal: Any
) -> None:
    model = script()
    with pytest.raises(InvalidInputError, match="goal"):
        run(goal=goal, incident_context=build_incident_context(), chat=model.chat)
    assert model.endpoint.requests == ()


@pytest.mark.parametrize("run", TEXT_AGENTS)
@pytest.mark.parametrize("context", BAD_OBJECTS)
def test_non_json_context_is_rejected(
    script: Callable[..., Any], run: Callable[..., Any], context: Any
) -> None:
    with pytest.raises(InvalidInputError, match="incident_context"):
        run(goal="Inform.", incident_context=context, chat=script().chat)


@pytest.mark.parametrize("request_", [*BAD_OBJECTS, {}, {"request": None}, {"request": "US"}])
def test_invalid_request_is_rejected(request_: Any) -> None:
    with pytest.raises(InvalidInputError, match="request"):
        run_guarded_policy_agent(goal="Inform.", request=request_)


@pytest.mark.parametrize("goal", BAD_GOALS)
def test_invalid_goal_of_guarded_policy_is_rejected(goal: Any) -> None:
    with pytest.raises(InvalidInputError, match="goal"):
        run_guarded_policy_agent(goal=goal, request=build_request())


POLICIES = [SelfCritiquePolicy, ReflectionPolicy, GuardedPolicy]


@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.parametrize(
    ("policy", "named"),
    [
        ({"max_second": 5}, "max_second"),
        ({"max_seconds": "soon"}, "max_seconds"),
        ({"max_seconds": -1}, "max_seconds"),
        ({"max_seconds": float("nan")}, "max_seconds"),
        ([], "policy"),
        ("strict", "policy"),
        (5, "policy"),
    ],
)
def test_invalid_policy_is_rejected(kind: Any, policy: Any, named: str) -> None:
    with pytest.raises(InvalidInputError, match=named) as caught:
        load_policy(kind, policy)
    assert isinstance(caught.value, RedpenError)


def test_policy_of_another_agent_is_rejected() -> None:
    with pytest.raises(InvalidInputError):
        run_reflection_agent(
            goal="Inform.",
            incident_context={},
            policy=SelfCritiquePolicy(),  # type: ignore[arg-type]
        )


@pytest.mark.parametrize("kind", POLICIES)
def test_policy_may_be_none_mapping_or_model(kind: Any) -> None:
    assert load_policy(kind, None) == load_policy(kind, {}) == load_policy(kind, kind()) == kind()


def test_default_limits_of_policies() -> None:
    one, two, three = SelfCritiquePolicy(), ReflectionPolicy(), GuardedPolicy()
    assert (one.max_seconds, one.max_draft_chars, one.max_risks, one.max_required_changes) == (120, 900, 5, 5)
    assert (one.max_answer_chars, one.max_length_increase_pct, one.min_patch_similarity) == (980, 20, 0.4)
    assert (two.max_seconds, two.max_draft_chars, two.max_issues, two.max_fix_items) == (30, 900, 4, 4)
    assert (two.max_answer_chars, two.min_patch_similarity) == (900, 0.45)
    assert (three.max_seconds, three.max_actions, three.action_timeout_s) == (25, 8, 1.2)
    assert three.max_recipients_per_send == 50_000


CRITIQUE = {"decision": "revise", "required_changes": ['ADD "Please wait"']}
REVIEW = {
    "decision": "revise",
    "issues": [{"type": "contradiction", "note": "x"}],
    "fix_plan": ['Add "Please wait"'],
}


# After the start, the clock is read before the judgement and before the revision.
@pytest.mark.parametrize(
    "agent",
    [(run_self_critique_agent, 120, "critique", CRITIQUE), (run_reflection_agent, 30, "review", REVIEW)],
    ids=["self-critique", "reflection"],
)
@pytest.mark.parametrize(
    ("share", "entries"),
    [(1.01, 1), (1.0, 2), (0.51, 2), (0.5, 4)],
    ids=["judgement", "equal", "revise", "never"],
)
def test_exhausted_time_stops_text_agent(
    script: Callable[..., Any], ticking: Callable[..., Any], agent: Any, share: float, entries: int
) -> None:
    run, limit, phase, judgement = agent
    model = script({"draft": DRAFT}, judgement, {"revised_answer": f"{DRAFT} Please wait."})
    context = build_incident_context()
    clock = ticking(share * limit)
    result = run(goal="Inform.", incident_context=context, chat=model.chat, clock=clock).to_dict()
    assert len(result["trace"]) == len(result["history"]) == entries
    if entries == 4:
        assert result["status"] == "ok"
        return
    assert result["stop_reason"] == "max_seconds"
    assert result["phase"] == (phase if entries == 1 else "revise")
    assert len(model.calls) == entries
    assert not {"answer", "outcome", "error"} & result.keys()


def test_exhausted_time_stops_before_next_revision_attempt(
    script: Callable[..., Any], ticking: Callable[..., Any]
) -> None:
    uncorrected = {"revised_answer": DRAFT.replace("About", "Roughly")}
    critique = {"decision": "revise", "required_changes": ['ADD "Please wait"']}
    model = script({"draft": DRAFT}, critique, uncorrected, uncorrected, uncorrected)
    result = run_self_critique_agent(
        goal="Inform.", incident_context=build_incident_context(), chat=model.chat, clock=ticking(45)
    ).to_dict()
    assert (result["stop_reason"], result["phase"]) == ("max_seconds", "revise")
    assert (len(model.calls), len(result["trace"])) == (3, 2)
