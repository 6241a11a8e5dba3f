"""Revisions of the self-critique agent: up to three attempts by the model, then a deterministic edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from redpen import build_incident_context, run_self_critique_agent

DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes. Support has guidance on a workaround."
)
GOOD = f"{DRAFT} Please try again."
UNCORRECTED = DRAFT.replace("About", "Roughly")
ASKED = ['ADD "Please try again."']


def critique(*changes: str) -> dict[str, Any]:
    return {"decision": "revise", "required_changes": list(changes or ASKED), "reason": ""}


def revised(text: str) -> dict[str, Any]:
    return {"revised_answer": text}


def run(script: Any, **options: Any) -> dict[str, Any]:
    options.setdefault("incident_context", build_incident_context())
    return run_self_critique_agent(goal="Inform customers.", chat=script.chat, **options).to_dict()


def hints(**changes: Any) -> dict[str, Any]:
    context = build_incident_context()
    context["policy_hints"] = {
        key: value for key, value in {**context["policy_hints"], **changes}.items() if value is not ...
    }
    return context


@pytest.mark.parametrize("failed", [0, 1, 2])
def test_missing_required_phrase_is_retried_with_strict_prompt(
    script: Callable[..., Any], failed: int
) -> None:
    model = script({"draft": DRAFT}, critique(), *[revised(UNCORRECTED)] * failed, revised(GOOD))
    result = run(model)
    assert result["answer"] == GOOD
    step = result["trace"][2]
    assert (step["attempts_used"], step["retried"]) == (failed + 1, failed > 0)
    assert [entry["step"] for entry in result["trace"]] == [1, 2, 3, 4]
    # Every attempt starts from the accepted draft; the second and later ones use the strict prompt.
    attempts = model.calls[2:]
    assert attempts == [attempts[0]] * (failed + 1)
    assert attempts[0]["draft"] == DRAFT
    ordinary, *strict = model.prompts[2:]
    assert len(set(strict)) <= 1
    assert ordinary not in strict


def test_last_candidate_is_edited_deterministically_after_3_attempts(script: Callable[..., Any]) -> None:
    changes = ['REMOVE "We monitor failures"', 'MUST_INCLUDE "Please wait"', 'ADD "Please try again"']
    last = UNCORRECTED.replace("We monitor failures", "Our team works. We monitor failures")
    model = script(
        {"draft": DRAFT}, critique(*changes), revised(UNCORRECTED), revised(UNCORRECTED), revised(last)
    )
    result = run(model, policy={"max_length_increase_pct": 60})
    assert result["answer"] == (
        "Payments in the US are degraded. Roughly 27% of checkouts are affected. Our team works. "
        "Every 15 minutes. Support has guidance on a workaround. Please wait. Please try again"
    )
    step = result["trace"][2]
    assert (step["attempts_used"], step["retried"]) == (4, True)
    assert step["required_changes_total"] == 3
    assert result["history"][2]["revised_answer"] == result["answer"]


@pytest.mark.parametrize(
    ("changes", "total", "enforced"),
    [
        (['ADD "Please try again."'] * 2, 2, 1),
        (['ADD "Please try again."', 'MUST_INCLUDE "please  TRY again."'], 2, 1),
        (['ADD "Please try again."', 'REMOVE "fully recovered"'], 2, 2),
    ],
)
def test_trace_counts_enforced_required_changes(
    script: Callable[..., Any], changes: list[str], total: int, enforced: int
) -> None:
    step = run(script({"draft": DRAFT}, critique(*changes), revised(GOOD)))["trace"][2]
    counts = [step[f"required_changes_{name}"] for name in ("total", "enforced", "unenforced")]
    assert counts == [total, enforced, total - enforced]


def assert_stopped(result: dict[str, Any], reason: str) -> None:
    assert (result["status"], result["stop_reason"], result["phase"]) == ("stopped", reason, "revise")
    assert [entry["step"] for entry in result["trace"]] == [1, 2]
    assert [entry["step"] for entry in result["history"]] == [1, 2]
    assert not {"answer", "outcome", "audit"} & result.keys()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a " * 500, "invalid_revised:too_long"),
        ("\u200b", "invalid_revised:empty"),
        (f"  {DRAFT.replace(' ', '  ')}\n", "invalid_revised:no_changes"),
        ("Something else altogether, with no word in common.", "patch_violation:too_large_edit"),
        (f"{GOOD} Support answers questions too.", "patch_violation:length_increase_limit"),
        (GOOD.replace("27%", "28%"), "patch_violation:no_new_facts"),
        (GOOD.replace("Payments", "inc_other_7"), "patch_violation:new_incident_id"),
        (GOOD.replace("degraded", "degraded (P0)"), "patch_violation:new_severity_label"),
        (GOOD.replace("the US", "Canada"), "patch_violation:new_region"),
        (GOOD.replace("are degraded", "are fully recovered"), "patch_violation:restricted_claims"),
    ],
)
@pytest.mark.parametrize("before", [0, 2])
def test_other_violation_stops_without_retry(
    script: Callable[..., Any], text: str, reason: str, before: int
) -> None:
    model = script(
        {"draft": DRAFT}, critique(), *[revised(UNCORRECTED)] * before, revised(text), revised(GOOD)
    )
    assert_stopped(run(model), reason)
    assert model.endpoint.remaining == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"revised_answer": " "}, "llm_empty"),
        ({"draft": GOOD}, "llm_invalid_schema"),
        ({"content": "x"}, "llm_invalid_json"),
        ({"status": 503}, "llm_server_error"),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_model_failure_in_any_attempt_stops(
    script: Callable[..., Any], reply: dict[str, Any], reason: str, before: int
) -> None:
    result = run(script({"draft": DRAFT}, critique(), *[revised(UNCORRECTED)] * before, reply))
    assert_stopped(result, reason)
    assert list(result["error"]) == ["type", "message"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        # A phrase that has to be both added and removed cannot be applied deterministically either.
        (['ADD "Please wait"', 'REMOVE "please wait"'], "patch_violation:required_changes_not_applied"),
        (['ADD "It is fully recovered."'], "patch_violation:restricted_claims"),
        (['ADD "Write to help@example.org."'], "patch_violation:no_new_facts"),
        ([f'ADD "{"Please wait. " * 8}"'], "patch_violation:length_increase_limit"),
    ],
)
def test_deterministic_edit_is_checked_again(
    script: Callable[..., Any], changes: list[str], reason: str
) -> None:
    model = script({"draft": DRAFT}, critique(*changes), *[revised(UNCORRECTED)] * 3)
    assert_stopped(run(model), reason)


def test_deterministic_deletion_of_whole_text_stops(script: Callable[..., Any]) -> None:
    model = script({"draft": "We are waiting."}, critique('REMOVE "waiting"'), *[revised("Waiting!")] * 3)
    assert_stopped(run(model, policy={"min_patch_similarity": 0.1}), "invalid_revised:empty")


INCREASE = round((len(GOOD) - len(DRAFT)) / len(DRAFT) * 100, 2)


@pytest.mark.parametrize(
    ("hint", "fits"),
    [
        (20, True),
        (1000, True),
        (INCREASE + 0.1, True),
        (INCREASE - 0.1, False),
        (0, False),
        (-5, False),
        (0.0, False),
        # A boolean, or a value that is not a number, does not change the limit.
        (..., True),
        (None, True),
        (True, True),
        (False, True),
        ("5", True),
        ([5], True),
    ],
)
def test_length_hint_tightens_the_limit(script: Callable[..., Any], hint: object, fits: bool) -> None:
    model = script({"draft": DRAFT}, critique(), revised(GOOD))
    result = run(model, incident_context=hints(max_length_increase_pct=hint))
    assert result["stop_reason"] == ("success" if fits else "patch_violation:length_increase_limit")


def test_length_hint_cannot_loosen_the_limit(script: Callable[..., Any]) -> None:
    model = script({"draft": DRAFT}, critique(), revised(GOOD))
    result = run(
        model, incident_context=hints(max_length_increase_pct=1000), policy={"max_length_increase_pct": 5}
    )
    assert result["stop_reason"] == "patch_violation:length_increase_limit"


@pytest.mark.parametrize(
    ("avoid", "reason"),
    [(True, "patch_violation:restricted_claims"), (False, "success"), (..., "success")],
)
def test_guarantee_hint_forbids_claims_of_the_draft(
    script: Callable[..., Any], avoid: object, reason: str
) -> None:
    draft = f"We guarantee updates. {DRAFT}"
    model = script({"draft": draft}, critique(), revised(f"{draft} Please try again."))
    result = run(model, incident_context=hints(avoid_absolute_guarantees=avoid))
    assert result["stop_reason"] == reason
