"""The self-critique agent: every key of its result, for each outcome."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from agent_runs import assert_same_json
from redpen import build_incident_context, run_self_critique_agent

DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes."
)
REVISED = f"{DRAFT} Please try again."
RISK = {"type": "missing_uncertainty", "note": "Nothing on what to do."}
APPROVE = {"decision": "approve", "severity": "low", "risks": [RISK], "reason": "Fine."}
REVISE = {
    "decision": "revise",
    "severity": "Medium",
    "risks": [RISK],
    "required_changes": ['ADD "Please try again."'],
    "reason": " One thing. ",
}
GOAL = "Inform customers."
TYPES = [
    "contradiction",
    "legal_risk",
    "missing_uncertainty",
    "overconfidence",
    "policy_violation",
    "scope_leak",
]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def trace_hash(text: str) -> str:
    return sha(json.dumps(text))


def run(script: Any, **options: Any) -> dict[str, Any]:
    options.setdefault("incident_context", build_incident_context())
    result = run_self_critique_agent(goal=GOAL, chat=script.chat, **options).to_dict()
    assert uuid.UUID(result["run_id"]).version == 4
    json.dumps(result, allow_nan=False)
    return result


STEP_1 = {
    "step": 1,
    "phase": "draft",
    "draft_hash": trace_hash(DRAFT),
    "chars": len(DRAFT),
    "attempts_used": 1,
    "retried": False,
    "ok": True,
}
CRITIQUE = {
    "decision": "revise",
    "severity": "medium",
    "risks": [RISK],
    "required_changes": ['ADD "Please try again."'],
    "reason": "One thing.",
    "high_risk": False,
}


def test_result_of_approved_draft(script: Callable[..., Any]) -> None:
    result = run(script({"draft": f"  {DRAFT}\n"}, APPROVE))
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
                    "phase": "critique",
                    "decision": "approve",
                    "severity": "low",
                    "risks": 1,
                    "required_changes": 0,
                    "ok": True,
                },
                {
                    "step": 3,
                    "phase": "audit_finalize",
                    "final_hash": trace_hash(DRAFT),
                    "changed": False,
                    "diff_lines": 0,
                    "ok": True,
                },
            ],
            "history": [
                {"step": 1, "action": "draft_once", "draft": DRAFT},
                {
                    "step": 2,
                    "action": "critique_once",
                    "critique": {
                        "decision": "approve",
                        "severity": "low",
                        "risks": [RISK],
                        "required_changes": [],
                        "reason": "Fine.",
                        "high_risk": False,
                    },
                },
                {"step": 3, "action": "audit_finalize", "status": "final", "changed": False},
            ],
            "critique_decision": "approve",
            "severity": "low",
            "risks": [RISK],
            "required_changes": [],
            "audit": {
                "changed": False,
                "before_hash": sha(DRAFT),
                "after_hash": sha(DRAFT),
                "before_chars": len(DRAFT),
                "after_chars": len(DRAFT),
                "delta_chars": 0,
                "length_increase_pct": 0.0,
                "risks_count": 1,
                "required_changes_count": 0,
                "diff_excerpt": [],
            },
        },
    )


def test_result_of_revised_draft(script: Callable[..., Any]) -> None:
    model = script({"draft": DRAFT}, REVISE, {"revised_answer": f" {REVISED} "})
    result = run(model)
    words, added = 18, 3
    pct = round((len(REVISED) - len(DRAFT)) / len(DRAFT) * 100, 2)
    assert result["trace"][0] == STEP_1
    assert_same_json(
        result["trace"][1:],
        [
            {
                "step": 2,
                "phase": "critique",
                "decision": "revise",
                "severity": "medium",
                "risks": 1,
                "required_changes": 1,
                "ok": True,
            },
            {
                "step": 3,
                "phase": "revise",
                "patch_similarity": round(2 * words / (2 * words + added), 3),
                "length_increase_pct": pct,
                "required_changes_total": 1,
                "required_changes_enforced": 1,
                "required_changes_unenforced": 0,
                "attempts_used": 1,
                "retried": False,
                "revised_hash": trace_hash(REVISED),
                "ok": True,
            },
            {
                "step": 4,
                "phase": "audit_finalize",
                "final_hash": trace_hash(REVISED),
                "changed": True,
                "diff_lines": 1,
                "ok": True,
            },
        ],
    )
    assert_same_json(
        result["history"],
        [
            {"step": 1, "action": "draft_once", "draft": DRAFT},
            {"step": 2, "action": "critique_once", "critique": CRITIQUE},
            {
                "step": 3,
                "action": "revise_once",
                "required_changes": CRITIQUE["required_changes"],
                "revised_answer": REVISED,
            },
            {"step": 4, "action": "audit_finalize", "status": "final", "changed": True},
        ],
    )
    assert result["outcome"] == "revised_once"
    assert result["answer"] == REVISED
    assert (result["critique_decision"], result["severity"]) == ("revise", "medium")
    assert_same_json(
        result["audit"],
        {
            "changed": True,
            "before_hash": sha(DRAFT),
            "after_hash": sha(REVISED),
            "before_chars": len(DRAFT),
            "after_chars": len(REVISED),
            "delta_chars": len(REVISED) - len(DRAFT),
            "length_increase_pct": pct,
            "risks_count": 1,
            "required_changes_count": 1,
            "diff_excerpt": ["+Please try again."],
        },
    )
    assert "phase" not in result
    assert [list(call) for call in model.calls] == [
        ["goal", "incident_context"],
        ["goal", "incident_context", "draft", "allowed_risk_types"],
        ["goal", "incident_context", "draft", "required_changes"],
    ]
    assert model.calls[0] == {"goal": GOAL, "incident_context": build_incident_context()}
    assert model.calls[1]["draft"] == model.calls[2]["draft"] == DRAFT
    assert model.calls[1]["allowed_risk_types"] == TYPES
    assert model.calls[2]["required_changes"] == CRITIQUE["required_changes"]


@pytest.mark.parametrize("severity", ["low", "high"])
def test_result_of_escalation(script: Callable[..., Any], severity: str) -> None:
    raw = {"decision": "escalate", "severity": severity, "required_changes": ["Loose"], "reason": "y" * 130}
    result = run(script({"draft": DRAFT}, raw))
    critique = {
        "decision": "escalate",
        "severity": severity,
        "risks": [],
        "required_changes": ["Loose"],
        "reason": "y" * 130,
        "high_risk": severity == "high",
    }
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "stopped",
            "stop_reason": "policy_escalation",
            "phase": "critique",
            "escalation_reason": "y" * 120,
            "trace": [
                STEP_1,
                {
                    "step": 2,
                    "phase": "critique",
                    "decision": "escalate",
                    "severity": severity,
                    "risks": 0,
                    "required_changes": 1,
                    "ok": True,
                },
            ],
            "history": [
                {"step": 1, "action": "draft_once", "draft": DRAFT},
                {"step": 2, "action": "critique_once", "critique": critique},
            ],
            "critique": critique,
        },
    )


@pytest.mark.parametrize(
    ("raw", "policy", "reason"),
    [
        ({"decision": "maybe", "x": [1, None]}, None, "critique_decision_not_allowed_policy:maybe"),
        ({}, None, "invalid_critique:decision"),
        (REVISE, {"auto_revision": False}, "critique_decision_denied_execution:revise"),
    ],
)
def test_invalid_critique_stops_with_raw_critique(
    script: Callable[..., Any], raw: dict[str, Any], policy: Any, reason: str
) -> None:
    result = run(script({"draft": DRAFT}, {"json": raw}), policy=policy)
    assert_same_json(
        result,
        {
            "run_id": result["run_id"],
            "status": "stopped",
            "stop_reason": reason,
            "phase": "critique",
            "trace": [STEP_1],
            "history": [{"step": 1, "action": "draft_once", "draft": DRAFT}],
            "raw_critique": raw,
        },
    )


@pytest.mark.parametrize("content", [None, ""])
def test_critique_without_content_is_an_empty_object(script: Callable[..., Any], content: str | None) -> None:
    result = run(script({"draft": DRAFT}, {"content": content}))
    assert (result["stop_reason"], result["raw_critique"]) == ("invalid_critique:decision", {})


LONG = "We monitor failures. " * 50


def test_too_long_draft_is_shortened_once(script: Callable[..., Any]) -> None:
    model = script({"draft": LONG}, {"draft": f" {DRAFT} "}, APPROVE)
    result = run(model)
    assert result["trace"][0] == {**STEP_1, "attempts_used": 2, "retried": True}
    assert result["answer"] == DRAFT
    assert_same_json(model.calls[1], {"draft": LONG.strip(), "max_chars": 900})
    assert model.calls[2]["draft"] == DRAFT


@pytest.mark.parametrize(("chars", "replies"), [(900, [APPROVE]), (901, [{"draft": DRAFT}, APPROVE])])
def test_length_limit_applies_to_trimmed_text(
    script: Callable[..., Any], chars: int, replies: list[Any]
) -> None:
    model = script({"draft": f"  {'a' * chars}\n"}, *replies)
    assert run(model)["trace"][0]["attempts_used"] == len(replies)


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([{"status": 429}], "llm_rate_limited"),
        ([{"draft": " "}], "llm_empty"),
        ([{"draft": 5}], "llm_invalid_schema"),
        ([{"content": None}], "llm_invalid_schema"),
        ([{"content": " "}], "llm_invalid_json"),
        ([{"draft": LONG}, {"draft": LONG}], "invalid_draft:too_long"),
        ([{"draft": LONG}, {"draft": ""}], "llm_empty"),
        ([{"draft": LONG}, {"short": "x"}], "llm_invalid_schema"),
        ([{"draft": LONG}, {"fault": "drop"}], "llm_timeout"),
        ([{"draft": LONG}, {"refusal": "No."}], "llm_refused"),
    ],
)
def test_stop_in_draft_phase_leaves_no_entry(
    script: Callable[..., Any], replies: list[Any], reason: str
) -> None:
    result = run(script(*replies))
    assert (result["status"], result["stop_reason"], result["phase"]) == ("stopped", reason, "draft")
    assert (result["trace"], result["history"]) == ([], [])
    assert ("error" in result) == reason.startswith("llm_")
    assert not {"answer", "outcome", "raw_critique"} & result.keys()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"status": 500}, "llm_server_error"),
        ({"content": "[]"}, "llm_invalid_json"),
        ({"content": "{", "finish_reason": "length"}, "llm_truncated"),
        ({"choices": []}, "llm_no_choices"),
    ],
)
def test_model_failure_in_critique_stops_with_error(
    script: Callable[..., Any], reply: dict[str, Any], reason: str
) -> None:
    result = run(script({"draft": DRAFT}, reply))
    assert (result["stop_reason"], result["phase"]) == (reason, "critique")
    assert result["trace"] == [STEP_1]
    assert list(result["error"]) == ["type", "message"]
    assert "raw_critique" not in result


def test_too_long_answer_stops_at_finalize(script: Callable[..., Any]) -> None:
    result = run(script({"draft": DRAFT}, APPROVE), policy={"max_answer_chars": 20})
    assert (result["stop_reason"], result["phase"]) == ("invalid_answer:too_long", "finalize")
    assert [entry["step"] for entry in result["trace"]] == [1, 2]


def test_audit_normalizes_whitespace_for_hashes_only(script: Callable[..., Any]) -> None:
    draft = "Payments in the US are degraded.\nWe  monitor failures every 15 minutes."
    model = script(
        {"draft": draft},
        {**REVISE, "required_changes": ['ADD "Please wait"']},
        {"revised_answer": f"{draft} Please wait."},
    )
    audit = run(model)["audit"]
    assert audit["before_hash"] == sha(
        "Payments in the US are degraded. We monitor failures every 15 minutes."
    )
    assert audit["before_chars"] == len(draft)
    assert audit["diff_excerpt"] == [
        "-We  monitor failures every 15 minutes.",
        "+We  monitor failures every 15 minutes. Please wait.",
    ]


def test_each_phase_uses_its_own_prompt(script: Callable[..., Any]) -> None:
    model = script({"draft": LONG}, {"draft": DRAFT}, REVISE, {"revised_answer": REVISED})
    run(model)
    assert len(set(model.prompts)) == 4
    for prompt, key in zip(model.prompts, ["draft", "draft", "decision", "revised_answer"], strict=True):
        assert f'{{"{key}"' in prompt
