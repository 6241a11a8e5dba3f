"""Policy settings for ungrounded drafts, concerns and texts in another language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from redpen import build_incident_context, run_reflection_agent, run_self_critique_agent

RUNS = [run_self_critique_agent, run_reflection_agent]
GROUNDED = "Payments in the US are degraded. About 27% of checkouts are affected."
INVENTED = f"{GROUNDED} Refunds of $500 are on their way."
NEW_STATEMENT = f"{GROUNDED} No action is needed on your side."
APPROVE = {"decision": "approve"}
REVISE = {
    "decision": "revise",
    "issues": [{"type": "contradiction", "note": "x"}],
    "fix_plan": ["Say more"],
    "required_changes": ['ADD "action is needed"'],
}


def run(agent: Callable[..., Any], model: Any, **policy: Any) -> dict[str, Any]:
    if agent is run_self_critique_agent:
        policy["max_length_increase_pct"] = 100
    context = build_incident_context()
    context["policy_hints"].pop("max_length_increase_pct")
    result = agent(goal="Inform.", incident_context=context, chat=model.chat, policy=policy).to_dict()
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("agent", RUNS)
def test_ungrounded_draft_is_recorded(script: Callable[..., Any], agent: Callable[..., Any]) -> None:
    result = run(agent, script({"draft": INVENTED}, APPROVE))
    assert result["status"] == "ok"
    assert result["trace"][0]["ungrounded"] == len(result["ungrounded"]) > 0


@pytest.mark.parametrize("agent", RUNS)
def test_ungrounded_draft_stops_run_when_enforced(
    script: Callable[..., Any], agent: Callable[..., Any]
) -> None:
    result = run(agent, script({"draft": INVENTED}), draft_grounding="enforce")
    assert (result["stop_reason"], result["phase"]) == ("invalid_draft:ungrounded", "draft")
    assert result["violations"]
    assert (result["trace"], result["history"]) == ([], [])


@pytest.mark.parametrize("agent", RUNS)
@pytest.mark.parametrize("grounding", ["record", "enforce"])
def test_grounded_draft_is_not_reported(
    script: Callable[..., Any], agent: Callable[..., Any], grounding: str
) -> None:
    result = run(agent, script({"draft": GROUNDED}, APPROVE), draft_grounding=grounding)
    assert result["status"] == "ok"
    assert "ungrounded" not in result
    assert "ungrounded" not in result["trace"][0]


@pytest.mark.parametrize("agent", RUNS)
@pytest.mark.parametrize(
    ("concerns", "reason"),
    [
        ("record", "success"),
        ("escalate", "policy_escalation"),
        ("block", "patch_violation:new_statement"),
    ],
)
def test_concerns_setting_decides_the_stop_reason(
    script: Callable[..., Any], agent: Callable[..., Any], concerns: str, reason: str
) -> None:
    model = script({"draft": GROUNDED}, REVISE, {"revised_answer": NEW_STATEMENT})
    result = run(agent, model, concerns=concerns)
    assert result["stop_reason"] == reason
    assert result["concerns"]
    if reason == "success":
        assert result["trace"][2]["concerns"] == len(result["concerns"])
    else:
        assert result["phase"] == "revise"
        assert len(result["trace"]) == 2
    assert ("escalation_reason" in result) == (concerns == "escalate")
    assert len(result.get("escalation_reason", "")) <= 120


FOREIGN = "Todo está completamente resuelto y le reembolsaremos todo."


@pytest.mark.parametrize("agent", RUNS)
def test_draft_in_another_language_is_recorded(script: Callable[..., Any], agent: Callable[..., Any]) -> None:
    result = run(agent, script({"draft": FOREIGN}, APPROVE), draft_grounding="enforce")
    assert result["status"] == "ok"
    assert [item["code"] for item in result["ungrounded"]] == ["unread_language"]


@pytest.mark.parametrize("agent", RUNS)
def test_draft_in_another_language_is_blocked_by_policy(
    script: Callable[..., Any], agent: Callable[..., Any]
) -> None:
    result = run(agent, script({"draft": FOREIGN}, APPROVE), unread_language="block")
    assert (result["stop_reason"], result["phase"]) == ("invalid_draft:unread_language", "draft")


@pytest.mark.parametrize("agent", RUNS)
@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ({}, "success"),
        ({"concerns": "block"}, "patch_violation:unread_language"),
        ({"concerns": "escalate"}, "policy_escalation"),
        ({"unread_language": "block"}, "patch_violation:unread_language"),
    ],
)
def test_revision_in_another_language_follows_policy(
    script: Callable[..., Any], agent: Callable[..., Any], policy: dict[str, str], reason: str
) -> None:
    judgement = REVISE | {"required_changes": ['ADD "completamente resuelto"']}
    model = script({"draft": GROUNDED}, judgement, {"revised_answer": f"{GROUNDED} {FOREIGN}"})
    assert run(agent, model, min_patch_similarity=0.1, **policy)["stop_reason"] == reason
