"""The contract of a review: each check, and the order of the checks."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from redpen.errors import Stop
from redpen.gateway.review import read_review
from redpen.policy import ReflectionPolicy
from redpen.stop_reasons import find_stop_reason

POLICY = ReflectionPolicy()
ISSUE = {"type": "missing_uncertainty", "note": "The estimate is bare."}
RISKY = {"type": "legal_risk", "note": "Promises money."}
ITEM = 'Replace "will be" with "should be"'
REVISE: dict[str, Any] = {
    "decision": "revise",
    "issues": [ISSUE],
    "fix_plan": [ITEM],
    "reason": "One phrase.",
}


def review(**changes: Any) -> dict[str, Any]:
    """Return a valid review with some keys changed; ``...`` removes a key."""
    return {key: value for key, value in {**REVISE, **changes}.items() if value is not ...}


def stop_of(raw: object, policy: ReflectionPolicy = POLICY) -> Stop:
    with pytest.raises(Stop) as caught:
        read_review(raw, policy)
    return caught.value


INVALID = "invalid_review:"

ROWS: list[tuple[str, object]] = [
    (f"{INVALID}not_object", "revise"),
    (f"{INVALID}decision", review(decision=None)),
    ("review_decision_not_allowed_policy:reject", review(decision=" reject ")),
    (f"{INVALID}issues", review(issues=None)),
    (f"{INVALID}too_many_issues", review(issues=[ISSUE] * 5)),
    (f"{INVALID}issue_item", review(issues=[None])),
    (f"{INVALID}issue_type", review(issues=[{"type": "", "note": "x"}])),
    ("review_issue_not_allowed_policy:style", review(issues=[{"type": "style ", "note": "x"}])),
    (f"{INVALID}issue_note", review(issues=[{"type": "contradiction", "note": ""}])),
    (f"{INVALID}fix_plan", review(fix_plan=ITEM)),
    (f"{INVALID}too_many_fix_items", review(fix_plan=[ITEM] * 5)),
    (f"{INVALID}fix_item", review(fix_plan=[ITEM, None])),
    (f"{INVALID}reason", review(reason={})),
    (f"{INVALID}approve_with_high_risk_issue", review(decision="approve", issues=[RISKY])),
    (f"{INVALID}revise_without_issues", review(issues=[])),
    (f"{INVALID}revise_without_fix_plan", review(fix_plan=[])),
    (f"{INVALID}high_risk_requires_escalate", review(issues=[ISSUE, RISKY])),
    (f"{INVALID}escalate_reason_required", review(decision="escalate", reason=None)),
]


@pytest.mark.parametrize(("reason", "raw"), ROWS, ids=[reason for reason, _ in ROWS])
def test_each_failed_check_has_its_stop_reason(reason: str, raw: object) -> None:
    untouched = copy.deepcopy(raw)
    stop = stop_of(raw)
    assert (stop.reason, stop.phase) == (reason, "review")
    assert stop.details == {"raw_review": untouched}
    assert find_stop_reason("reflection", reason) is not None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (review(decision=1, issues=1, fix_plan=1, reason=1), f"{INVALID}decision"),
        (review(decision="x", issues=1, fix_plan=1, reason=1), "review_decision_not_allowed_policy:x"),
        (review(issues=1, fix_plan=1, reason=1), f"{INVALID}issues"),
        (review(issues=[1] * 5, fix_plan=1), f"{INVALID}too_many_issues"),
        (review(issues=[{"type": "contradiction"}, 1], fix_plan=1), f"{INVALID}issue_note"),
        (review(fix_plan=1, reason=1), f"{INVALID}fix_plan"),
        (review(fix_plan=[1] * 5, reason=1), f"{INVALID}too_many_fix_items"),
        (review(fix_plan=[1], reason=1), f"{INVALID}fix_item"),
        (review(issues=[], fix_plan=[]), f"{INVALID}revise_without_issues"),
        (review(issues=[RISKY], fix_plan=[]), f"{INVALID}revise_without_fix_plan"),
        (review(decision="approve", fix_plan=[" "]), f"{INVALID}fix_item"),
        (review(decision="approve", fix_plan=[ITEM] * 5), f"{INVALID}too_many_fix_items"),
    ],
)
def test_checks_are_ordered(raw: object, reason: str) -> None:
    assert stop_of(raw).reason == reason


@pytest.mark.parametrize("kind", ["legal_risk", "policy_violation"])
@pytest.mark.parametrize(
    ("decision", "reason"),
    [("approve", "approve_with_high_risk_issue"), ("revise", "high_risk_requires_escalate")],
)
def test_high_risk_issue_must_be_escalated(kind: str, decision: str, reason: str) -> None:
    raw = review(decision=decision, issues=[{"type": kind, "note": "x"}])
    assert stop_of(raw).reason == f"{INVALID}{reason}"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            {"decision": "approve"},
            {"decision": "approve", "issues": [], "fix_plan": [], "reason": "", "high_risk": False},
        ),
        (
            review(decision=" approve ", fix_plan=[ITEM], severity="high", reason=None),
            {"decision": "approve", "issues": [ISSUE], "fix_plan": [], "reason": "", "high_risk": False},
        ),
        (
            review(fix_plan=[f" {ITEM} "], reason=...),
            {"decision": "revise", "issues": [ISSUE], "fix_plan": [ITEM], "reason": "", "high_risk": False},
        ),
        (
            review(decision="escalate", issues=[]),
            {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "One phrase.",
             "high_risk": True},
        ),
        (
            review(decision="escalate", issues=[RISKY]),
            {"decision": "escalate", "issues": [RISKY], "fix_plan": [], "reason": "One phrase.",
             "high_risk": True},
        ),
    ],
)  # fmt: skip
def test_review_is_normalised(raw: object, expected: dict[str, Any]) -> None:
    read = read_review(raw, POLICY).to_dict()
    assert read == expected
    assert list(read) == list(expected)


def test_list_limits_are_inclusive() -> None:
    read = read_review(review(issues=[ISSUE] * 4, fix_plan=[ITEM] * 4), POLICY)
    assert (len(read.issues), len(read.fix_plan)) == (4, 4)


@pytest.mark.parametrize("decision", ["approve", "revise", "escalate"])
def test_execution_allowlist_is_checked_last(decision: Any) -> None:
    policy = ReflectionPolicy(executable_decisions=POLICY.allowed_decisions - {decision})
    raw = review(decision=decision)
    stop = stop_of(raw, policy)
    assert stop.reason == f"review_decision_denied_execution:{decision}"
    assert stop.details == {"raw_review": raw}
    assert stop_of({**raw, "reason": []}, policy).reason == f"{INVALID}reason"
