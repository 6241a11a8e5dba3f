"""The contract of a critique, the judgement of a draft in the self-critique agent."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.gateway.contract import JudgementNames, JudgementReader, Note
from redpen.gateway.required_changes import is_enforceable
from redpen.policy import HIGH_RISK_TYPES, SelfCritiquePolicy
from redpen.types import JsonObject

_NAMES = JudgementNames(
    kind="critique",
    finding="risk",
    findings_key="risks",
    instruction="required_change_item",
    instructions="required_changes",
    instructions_key="required_changes",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """A valid critique; ``high_risk`` is computed from its content."""

    decision: str
    severity: str
    risks: tuple[Note, ...]
    required_changes: tuple[str, ...]
    reason: str

    @property
    def findings(self) -> tuple[Note, ...]:
        """The risks."""
        return self.risks

    @property
    def high_risk(self) -> bool:
        """Whether the severity is high, or a risk is of a high-risk type."""
        return self.severity == "high" or any(risk.type in HIGH_RISK_TYPES for risk in self.risks)

    def to_dict(self) -> JsonObject:
        """Return the critique as a JSON object."""
        return {
            "decision": self.decision,
            "severity": self.severity,
            "risks": [risk.to_dict() for risk in self.risks],
            "required_changes": list(self.required_changes),
            "reason": self.reason,
            "high_risk": self.high_risk,
        }


def read_critique(raw: object, policy: SelfCritiquePolicy) -> Critique:
    """Validate a critique: first against its contract, then against the execution allowlist.

    Args:
        raw: the model's answer, a JSON value.
        policy: limits and allowlists.

    Raises:
        Stop: the reason of the first check that fails, with ``raw_critique``.
    """
    reader = JudgementReader(_NAMES, raw)
    critique = Critique(
        decision=reader.decision(policy.allowed_decisions),
        severity=reader.severity(),
        risks=reader.findings(limit=policy.max_risks, allowed_types=policy.allowed_types),
        required_changes=reader.instructions(limit=policy.max_required_changes),
        reason=reader.reason(),
    )
    if fault := _contradiction(critique, ask_model=policy.semantic_changes == "judge"):
        raise reader.invalid(fault)
    reader.check_execution(critique.decision, policy.executed)
    return critique


def _contradiction(critique: Critique, *, ask_model: bool) -> str | None:
    match critique.decision:
        case "approve":
            if critique.required_changes:
                return "approve_with_required_changes"
            return "approve_with_high_risk" if critique.high_risk else None
        case "revise":
            if not critique.required_changes:
                return "revise_without_required_changes"
            if not all(is_enforceable(change, ask_model=ask_model) for change in critique.required_changes):
                return "required_changes_not_enforceable"
            return "high_risk_requires_escalate" if critique.high_risk else None
        case _:
            return None if critique.reason else "escalate_reason_required"
