"""All stop reasons of runs, and the agents that give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from redpen.types import AgentName

Reach = Literal["run", "direct"]
"""``run``: a model's reply or a tool can cause it. ``direct``: only a direct call of the validator, or a
user-defined chat client, planner, event sink or review queue can, because an earlier check catches it, or
because it does not depend on the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReason:
    """One stop reason.

    Attributes:
        code: the reason; if it has an argument, the part before the colon.
        agents: the agents that can give it.
        argument: name of the argument after the colon (``decision``, ``tool`` …), or None.
        reach: how it can be caused.
    """

    code: str
    agents: frozenset[AgentName]
    argument: str | None = None
    reach: Reach = "run"

    def matches(self, stop_reason: str) -> bool:
        """Whether the ``stop_reason`` of a run is this one."""
        if self.argument is None:
            return stop_reason == self.code
        return stop_reason.startswith(f"{self.code}:") and len(stop_reason) > len(self.code) + 1


_CRITIQUE: frozenset[AgentName] = frozenset({"self-critique"})
_REVIEW: frozenset[AgentName] = frozenset({"reflection"})
_TEXT: frozenset[AgentName] = _CRITIQUE | _REVIEW
_ACTIONS: frozenset[AgentName] = frozenset({"guarded-policy"})
_ALL: frozenset[AgentName] = _TEXT | _ACTIONS


def _reasons(agents: frozenset[AgentName], prefix: str, *names: str) -> tuple[StopReason, ...]:
    return tuple(StopReason(code=f"{prefix}{name}", agents=agents) for name in names)


def _with_argument(agents: frozenset[AgentName], argument: str, *codes: str) -> tuple[StopReason, ...]:
    return tuple(StopReason(code=code, agents=agents, argument=argument) for code in codes)


def _direct(agents: frozenset[AgentName], *codes: str) -> tuple[StopReason, ...]:
    return tuple(StopReason(code=code, agents=agents, reach="direct") for code in codes)


STOP_REASONS: tuple[StopReason, ...] = (
    *_reasons(_ALL, "", "success", "max_seconds"),
    *_reasons(
        _ALL,
        "llm_",
        "timeout",
        "invalid_json",
        "rate_limited",
        "auth",
        "bad_request",
        "server_error",
        "no_choices",
        "truncated",
        "refused",
        "content_filtered",
    ),
    *_direct(_ALL, "events_unavailable"),
    *_direct(_ALL, "pending_review", "review_rejected", "review_expired", "review_unavailable"),
    *_reasons(_TEXT, "llm_", "invalid_schema", "empty"),
    *_reasons(_TEXT, "", "policy_escalation", "policy_denied:severity_budget"),
    *_reasons(_TEXT, "invalid_draft:", "empty", "too_long", "ungrounded", "restricted_phrase"),
    *_direct(_CRITIQUE, "invalid_critique:not_object"),
    *_reasons(
        _CRITIQUE,
        "invalid_critique:",
        "decision",
        "severity",
        "risks",
        "too_many_risks",
        "risk_item",
        "risk_type",
        "risk_note",
        "required_changes",
        "too_many_required_changes",
        "required_change_item",
        "reason",
        "approve_with_required_changes",
        "approve_with_high_risk",
        "revise_without_required_changes",
        "required_changes_not_enforceable",
        "high_risk_requires_escalate",
        "escalate_reason_required",
    ),
    *_with_argument(
        _CRITIQUE,
        "decision",
        "critique_decision_not_allowed_policy",
        "critique_decision_denied_execution",
    ),
    *_with_argument(_CRITIQUE, "type", "critique_risk_not_allowed_policy"),
    *_direct(_REVIEW, "invalid_review:not_object"),
    *_reasons(
        _REVIEW,
        "invalid_review:",
        "decision",
        "severity",
        "issues",
        "too_many_issues",
        "issue_item",
        "issue_type",
        "issue_note",
        "fix_plan",
        "too_many_fix_items",
        "fix_item",
        "reason",
        "approve_with_high_risk_issue",
        "revise_without_issues",
        "revise_without_fix_plan",
        "high_risk_requires_escalate",
        "escalate_reason_required",
    ),
    *_with_argument(
        _REVIEW,
        "decision",
        "review_decision_not_allowed_policy",
        "review_decision_denied_execution",
    ),
    *_with_argument(_REVIEW, "type", "review_issue_not_allowed_policy"),
    *_reasons(_TEXT, "invalid_revised:", "empty", "too_long", "no_changes"),
    *_reasons(
        _TEXT,
        "patch_violation:",
        "too_large_edit",
        "no_new_facts",
        "new_incident_id",
        "new_severity_label",
        "new_region",
        "too_many_changed_lines",
        "line_not_requested",
        "restricted_phrase",
        "restricted_claims",
        "new_statement",
        "judged",
    ),
    *_reasons(
        _CRITIQUE,
        "patch_violation:",
        "length_increase_limit",
        "required_changes_not_applied",
    ),
    *_reasons(_REVIEW, "patch_violation:", "fix_plan_not_applied"),
    *_direct(_TEXT, "invalid_draft:unread_language", "patch_violation:unread_language"),
    StopReason(code="guard_error", agents=_TEXT, argument="guard", reach="direct"),
    *_reasons(_TEXT, "invalid_judgement:", "answers", "answer", "quote"),
    *_reasons(_TEXT, "invalid_answer:", "too_long", "restricted_phrase"),
    *_with_argument(_TEXT, "code", "missing_disclaimer"),
    *_direct(_TEXT, "invalid_answer:empty"),
    *_reasons(_ACTIONS, "invalid_answer:", "ungrounded"),
    *_reasons(_ACTIONS, "invalid_plan:", "actions", "too_many_actions", "duplicate_action_id"),
    *_reasons(_ACTIONS, "invalid_action:", "not_object", "id", "tool", "args"),
    StopReason(code="planner_error", agents=_ACTIONS, argument="exception", reach="direct"),
    *_reasons(_ACTIONS, "", "policy_escalation_rejected"),
    *_with_argument(
        _ACTIONS,
        "tool",
        "tool_timeout",
        "tool_error",
        "tool_invalid_output",
        "tool_status_not_ok",
        "tool_unmapped",
    ),
    StopReason(code="tool_outcome_unknown", agents=_ACTIONS, argument="tool", reach="direct"),
    *_reasons(_ACTIONS, "missing_required_observation:", "snapshot", "send_status_update"),
)
"""The closed vocabulary: the ``stop_reason`` of a run matches exactly one row for its agent."""


def find_stop_reason(agent: AgentName, stop_reason: str) -> StopReason | None:
    """Return the row that a run's stop reason matches, or None."""
    for row in STOP_REASONS:
        if agent in row.agents and row.matches(stop_reason):
            return row
    return None
