"""The contract of a review, the judgement of a draft in the reflection agent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from redpen.gateway.contract import JudgementNames, JudgementReader, Note
from redpen.policy import HIGH_RISK_TYPES, ReflectionPolicy, SeverityBudget
from redpen.types import JsonObject

_NAMES = JudgementNames(
    kind="review",
    finding="issue",
    findings_key="issues",
    instruction="fix_item",
    instructions="fix_items",
    instructions_key="fix_plan",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A valid review; the fix plan is empty unless the decision is ``revise``.

    ``severity`` is None if the review has none or the policy sets no severity budget.
    """

    decision: str
    issues: tuple[Note, ...]
    fix_plan: tuple[str, ...]
    reason: str
    severity: str | None = None

    @property
    def findings(self) -> tuple[Note, ...]:
        """The issues."""
        return self.issues

    @property
    def high_risk(self) -> bool:
        """Whether the review escalates; no other decision may have high-risk issues."""
        return self.decision == "escalate"

    def to_dict(self) -> JsonObject:
        """Return the review as a JSON object."""
        return {
            "decision": self.decision,
            "issues": [issue.to_dict() for issue in self.issues],
            "fix_plan": list(self.fix_plan),
            "reason": self.reason,
            "high_risk": self.high_risk,
        }


def read_review(raw: object, policy: ReflectionPolicy) -> Review:
    """Validate a review: first against its contract, then against the execution allowlist.

    Args:
        raw: the model's answer, a JSON value.
        policy: limits and allowlists.

    Raises:
        Stop: the reason of the first check that fails, with ``raw_review``.
    """
    reader = JudgementReader(_NAMES, raw)
    review = Review(
        decision=reader.decision(policy.allowed_decisions),
        issues=reader.findings(limit=policy.max_issues, allowed_types=policy.allowed_types),
        fix_plan=reader.instructions(limit=policy.max_fix_items),
        reason=reader.reason(),
    )
    if policy.severity_budget != SeverityBudget():
        review = replace(review, severity=reader.optional_severity())
    if fault := _contradiction(review):
        raise reader.invalid(fault)
    reader.check_execution(review.decision, policy.executable_decisions)
    return review if review.decision == "revise" else replace(review, fix_plan=())


def _contradiction(review: Review) -> str | None:
    has_high_risk_issue = any(issue.type in HIGH_RISK_TYPES for issue in review.issues)
    match review.decision:
        case "approve":
            return "approve_with_high_risk_issue" if has_high_risk_issue else None
        case "revise":
            if not review.issues:
                return "revise_without_issues"
            if not review.fix_plan:
                return "revise_without_fix_plan"
            return "high_risk_requires_escalate" if has_high_risk_issue else None
        case _:
            return None if review.reason else "escalate_reason_required"
