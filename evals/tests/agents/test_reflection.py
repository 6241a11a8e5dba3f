"""The reflection agent: every key of its result, for each outcome."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from agent_runs import assert_same_json
from redpen import build_incident_context, run_reflection_agent

DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes."
)
REVISED = DRAFT.replace("About", "An estimated")
ISSUE = {"type": "missing_uncertainty", "note": "A bare figure."}
APPROVE = {"decision": "approve", "issues": [ISSUE], "fix_plan": ["Loose words"], "reason": "Fine."}
PLAN = ['Replace "About" with "An estimated"', "Soften the tone"]
REVISE = {"decision": "revise", "issues": [ISSUE], "fix_plan": PLAN, "reason": None}
GOAL = "Inform customers."
CONTEXT = build_incident_context(example="reflection")


def sha(text: str) -> str:
    return hashlib.sha256(json.dumps(text).encode()).hexdigest()[:12]


def run(script: Any, **options: Any) -> dict[str, Any]:
    options.setdefault("incident_context", CONTEXT)
    result = run_reflection_agent(goal=GOAL, chat=script.chat, **options).to_dict()
    assert uuid.UUID(result["run_id"]).version == 4
    json.dumps(result, allow_nan=False)
    return result


STEP_1 = {"step": 1, "phase": "draft", "draft_hash": sha(DRAFT), "chars": len(DRAFT), "ok": True}


def test_result_of_approved_draft(script: Callable[..., Any]) -> None:
    result = run(script({"draft": f" {DRAFT} "}, APPROVE))
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "ok",
            "stop_reason": "success",
            "outcome": "approved_direct",
            "answer": DRAFT,
            "trace": [
                STEP_1,
                {
                    "step": 2,
                    "phase": "review",
                    "decision": "approve",
                    "issues": 1,
                    "fix_items": 0,
                    "ok": True,
                },
                {"step": 3, "phase": "finalize", "final_hash": sha(DRAFT), "ok": True},
            ],
            "history": [
                {"step": 1, "action": "draft_once", "draft": DRAFT},
                {
                    "step": 2,
                    "action": "review_once",
                    "review": {
                        "decision": "approve",
                        "issues": [ISSUE],
                        "fix_plan": [],
                        "reason": "Fine.",
                        "high_risk": False,
                    },
                },
                {"step": 3, "action": "finalize", "status": "final"},
            ],
            "review_decision": "approve",
            "issues": [ISSUE],
            "fix_plan": [],
        },
    )


def test_result_of_revised_draft(script: Callable[..., Any]) -> None:
    model = script({"draft": DRAFT}, REVISE, {"revised_answer": f"\n{REVISED}"})
    result = run(model)
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "ok",
            "stop_reason": "success",
            "outcome": "revised_once",
            "answer": REVISED,
            "trace": [
                STEP_1,
                {"step": 2, "phase": "review", "decision": "revise", "issues": 1, "fix_items": 2, "ok": True},
                {
                    "step": 3,
                    "phase": "revise",
                    "patch_similarity": round(2 * 17 / (18 + 19), 3),
                    "fix_plan_quoted_checks": 2,
                    "revised_hash": sha(REVISED),
                    "ok": True,
                },
                {"step": 4, "phase": "finalize", "final_hash": sha(REVISED), "ok": True},
            ],
            "history": [
                {"step": 1, "action": "draft_once", "draft": DRAFT},
                {
                    "step": 2,
                    "action": "review_once",
                    "review": {
                        "decision": "revise",
                        "issues": [ISSUE],
                        "fix_plan": PLAN,
                        "reason": "",
                        "high_risk": False,
                    },
                },
                {"step": 3, "action": "revise_once", "fix_plan": PLAN, "revised_answer": REVISED},
                {"step": 4, "action": "finalize", "status": "final"},
            ],
            "review_decision": "revise",
            "issues": [ISSUE],
            "fix_plan": PLAN,
        },
    )
    about = {"goal": GOAL, "incident_context": CONTEXT}
    types = [
        "contradiction",
        "legal_risk",
        "missing_uncertainty",
        "overconfidence",
        "policy_violation",
        "scope_leak",
    ]
    assert_same_json(
        model.calls,
        [
            about,
            {**about, "draft": DRAFT, "allowed_issue_types": types},
            {**about, "draft": DRAFT, "fix_plan": PLAN},
        ],
    )
    assert len(set(model.prompts)) == 3


def test_result_of_escalation(script: Callable[..., Any]) -> None:
    risky = {"type": "legal_risk", "note": "Promises money."}
    raw = {"decision": "escalate", "issues": [risky], "fix_plan": PLAN, "reason": f" {'r' * 121} "}
    result = run(script({"draft": DRAFT}, raw))
    review = {
        "decision": "escalate",
        "issues": [risky],
        "fix_plan": [],
        "reason": "r" * 121,
        "high_risk": True,
    }
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "stopped",
            "stop_reason": "policy_escalation",
            "phase": "review",
            "escalation_reason": "r" * 120,
            "trace": [
                STEP_1,
                {
                    "step": 2,
                    "phase": "review",
                    "decision": "escalate",
                    "issues": 1,
                    "fix_items": 0,
                    "ok": True,
                },
            ],
            "history": [
                {"step": 1, "action": "draft_once", "draft": DRAFT},
                {"step": 2, "action": "review_once", "review": review},
            ],
            "review": review,
        },
    )


@pytest.mark.parametrize(
    ("raw", "policy", "reason"),
    [
        ({"decision": "maybe"}, None, "review_decision_not_allowed_policy:maybe"),
        ({"verdict": "approve"}, None, "invalid_review:decision"),
        (REVISE, {"executable_decisions": ["approve"]}, "review_decision_denied_execution:revise"),
    ],
)
def test_invalid_review_stops_with_raw_review(
    script: Callable[..., Any], raw: dict[str, Any], policy: Any, reason: str
) -> None:
    result = run(script({"draft": DRAFT}, raw), policy=policy)
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "stopped",
            "stop_reason": reason,
            "phase": "review",
            "trace": [STEP_1],
            "history": [{"step": 1, "action": "draft_once", "draft": DRAFT}],
            "raw_review": raw,
        },
    )


def test_too_long_draft_stops_without_retry(script: Callable[..., Any]) -> None:
    model = script({"draft": "a" * 901}, {"draft": DRAFT})
    result = run(model)
    assert (result["stop_reason"], result["phase"]) == ("invalid_draft:too_long", "draft")
    assert (result["trace"], result["history"]) == ([], [])
    assert model.endpoint.remaining == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a " * 460, "invalid_revised:too_long"),
        (DRAFT.replace(" ", "\n"), "invalid_revised:no_changes"),
        ("Something else altogether, with no word in common.", "patch_violation:too_large_edit"),
        (REVISED.replace("27%", "28%"), "patch_violation:no_new_facts"),
        (REVISED.replace("Payments", "inc_other_7"), "patch_violation:new_incident_id"),
        (REVISED.replace("degraded", "degraded (P0)"), "patch_violation:new_severity_label"),
        (REVISED.replace("the US", "Canada"), "patch_violation:new_region"),
        (REVISED.replace("are degraded", "are fully recovered"), "patch_violation:restricted_claims"),
        (DRAFT.replace("About", "Roughly"), "patch_violation:fix_plan_not_applied"),
        (f"{DRAFT} An estimated share.", "patch_violation:fix_plan_not_applied"),
        # This agent does not limit the increase in length.
        (
            f"{REVISED} Please try again, and please wait a little before you do so, or choose another way.",
            "success",
        ),
    ],
)
def test_failed_revision_is_not_retried(script: Callable[..., Any], text: str, reason: str) -> None:
    model = script({"draft": DRAFT}, REVISE, {"revised_answer": text}, {"revised_answer": REVISED})
    result = run(model)
    assert result["stop_reason"] == reason
    assert result.get("phase") == (None if reason == "success" else "revise")
    assert len(result["trace"]) == len(result["history"]) == (4 if reason == "success" else 2)
    assert model.endpoint.remaining == 1


@pytest.mark.parametrize("avoid", [True, False])
def test_restricted_claim_of_draft_is_allowed_regardless_of_hint(
    script: Callable[..., Any], avoid: bool
) -> None:
    context = build_incident_context(example="reflection")
    context["policy_hints"]["avoid_absolute_guarantees"] = avoid
    draft = f"We guarantee updates. {DRAFT}"
    model = script({"draft": draft}, REVISE, {"revised_answer": f"We guarantee updates. {REVISED}"})
    assert run(model, incident_context=context)["stop_reason"] == "success"


@pytest.mark.parametrize(
    ("replies", "reason", "phase"),
    [
        ([{"draft": ""}], "llm_empty", "draft"),
        ([{"text": DRAFT}], "llm_invalid_schema", "draft"),
        ([{"draft": DRAFT}, {"content": "no"}], "llm_invalid_json", "review"),
        ([{"draft": DRAFT}, {"status": 401}], "llm_auth", "review"),
        ([{"draft": DRAFT}, REVISE, {"revised_answer": None}], "llm_invalid_schema", "revise"),
        ([{"draft": DRAFT}, REVISE, {"revised_answer": "\n"}], "llm_empty", "revise"),
        ([{"draft": DRAFT}, REVISE, {"refusal": "No."}], "llm_refused", "revise"),
    ],
)
def test_model_failure_stops_with_error(
    script: Callable[..., Any], replies: list[Any], reason: str, phase: str
) -> None:
    result = run(script(*replies))
    assert (result["status"], result["stop_reason"], result["phase"]) == ("stopped", reason, phase)
    assert list(result["error"]) == ["type", "message"]
    assert len(result["trace"]) == len(replies) - 1
    assert not {"answer", "outcome", "raw_review", "review"} & result.keys()


def test_too_long_answer_stops_at_finalize(script: Callable[..., Any]) -> None:
    result = run(script({"draft": DRAFT}, APPROVE), policy={"max_answer_chars": 20})
    assert (result["stop_reason"], result["phase"]) == ("invalid_answer:too_long", "finalize")
