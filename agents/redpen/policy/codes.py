"""All decision codes and their meanings; the codes are stable, their descriptions may change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from redpen.stop_reasons import STOP_REASONS, StopReason

Giver = Literal["gate", "judgement", "guards", "run"]
"""The source of a code: the action gate, the limits on judgements, the text guards, or the end of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCode:
    """A decision code, or a family of stop reasons.

    Attributes:
        code: the code; that of a family of stop reasons ends in ``*``.
        giver: source of the code.
        meaning: meaning of the code, one clause.
        example: a situation that has this code.
    """

    code: str
    giver: Giver
    meaning: str
    example: str

    def covers(self, code: str) -> bool:
        """Whether a code equals this one or belongs to this family."""
        if self.code.endswith("*"):
            return code.startswith(self.code[:-1])
        return code == self.code

    @property
    def members(self) -> tuple[StopReason, ...]:
        """The stop reasons of a family; empty for a single code."""
        if self.giver != "run" or not self.code.endswith("*"):
            return ()
        return tuple(row for row in STOP_REASONS if self.covers(row.code))


def _rows(giver: Giver, *rows: tuple[str, str, str]) -> tuple[DecisionCode, ...]:
    return tuple(
        DecisionCode(code=code, giver=giver, meaning=meaning, example=example)
        for code, meaning, example in rows
    )


TABLE_CODES: Final = _rows(
    "gate",
    (
        "policy.pass",
        "the action runs as proposed",
        "fetch_incident_snapshot for the incident of the run",
    ),
    (
        "policy.tool_not_allowed",
        "the tool is not allowed in principle",
        "a tool that `tools.allow` does not list",
    ),
    ("policy.pii_export", "customer data is never exported", "export_customer_data with any arguments"),
    (
        "policy.pii_argument",
        "an argument contains personal data",
        "a ticket's reason with a customer's e-mail address",
    ),
    (
        "policy.mass_broadcast",
        "a reviewer decides on an e-mail to all customers",
        "send_status_update to external_email, all_customers",
    ),
    (
        "policy.rewrite",
        "the action runs with arguments that the policy sets",
        "80,000 recipients where 50,000 are allowed",
    ),
    ("policy.unknown_channel", "the channel is unknown", "channel: sms"),
    ("policy.unknown_audience", "the audience is unknown", "audience_segment: everyone"),
    ("policy.invalid_recipients", "the number of recipients is below 1", "max_recipients: 0"),
    (
        "execution.tool_denied",
        "the tool is allowed, but this runtime does not execute it",
        "a tool that `tools.execute` does not list",
    ),
)
"""Codes of the action gate's built-in table."""

PACK_CODES: Final = _rows(
    "gate",
    (
        "policy.risk",
        "the risk points of an action reach a threshold of the pack",
        "risk 80, with `escalate_at: 40`",
    ),
    ("policy.rule_conflict", "two rules set one argument to different values", "two audiences for one send"),
    ("policy.gate", "the custom gate decided without a code", "`gate: acme.rules:decide`"),
    ("policy.gate_error", "the custom gate failed, so the action is denied", "a gate that raises"),
)
"""Codes of a pack's risk score, rule conflicts and custom gate; each rule has its own code."""

FINDING_CODES: Final = _rows(
    "guards",
    ("empty", "the text is visibly blank", "a revision that consists of spaces"),
    ("too_long", "the text is longer than its limit", "an answer of 1,000 characters where 980 are allowed"),
    ("no_changes", "a revision does not change its draft", "the draft with different white space"),
    (
        "too_large_edit",
        "a revision differs too much from its draft",
        "a new text where one sentence should change",
    ),
    (
        "length_increase_limit",
        "a revision is too much longer than its draft",
        "50 % longer where 20 % is allowed",
    ),
    ("too_many_changed_lines", "a revision changes more lines than it may", "4 lines where 3 are allowed"),
    ("line_not_requested", "a line changed that no required change covers", "a new closing sentence"),
    ("restricted_phrase", "a phrase that the policy restricts", "compensation, where nobody approved any"),
    (
        "no_new_facts",
        "a fact that is in neither context nor draft",
        "2 days, where the context says 45 minutes",
    ),
    ("new_incident_id", "an unknown incident id", "inc_payments_20260307"),
    ("new_severity_label", "a severity that is not the incident's", "P0 for an incident of severity P1"),
    ("new_region", "a region that is not the incident's", "Europe for an incident in the US"),
    ("restricted_claims", "a claim that the context does not allow", "we will refund every order"),
    ("unread_language", "a sentence that is not mostly English", "El problema está resuelto."),
    (
        "required_changes_not_applied",
        "a required phrase is missing, or a phrase to remove is still there",
        'ADD "about 45 minutes", which the revision lacks',
    ),
    ("missing_disclaimer", "a sentence that the policy requires is missing", "no time of the next update"),
    ("guard_error", "a guard crashed, so the text is blocked", "an exception while facts are read"),
    ("new_statement", "a statement that may be a claim (a concern)", "Things look fine from here."),
    ("judged", "a finding of a judge, which asks a model", "A small something is in the post."),
)
"""Codes of the text guards' findings."""

BUDGET_CODES: Final = _rows(
    "judgement",
    (
        "policy.severity_budget",
        "the policy escalates or blocks a judgement of this severity",
        "a critique of high severity that approves, where `severity_budget: {high: escalate}`",
    ),
)
"""Codes of a pack's limits on judgements of drafts."""

STOP_CODES: Final = _rows(
    "run",
    ("success", "the run published its answer", "a draft that was approved"),
    ("max_seconds", "the time budget is used up", "a model that takes longer than `limits.max_seconds`"),
    (
        "events_unavailable",
        "the policy requires events, and one could not be stored",
        "`events: required`, and a full disk",
    ),
    ("llm_*", "a model call failed", "llm_timeout: no answer in time"),
    ("policy_escalation", "a reviewer has to decide on the text", "a critique that escalates"),
    ("policy_escalation_rejected", "a reviewer rejected the action", "an approver that rejects it"),
    ("pending_review", "a reviewer has to decide before the run continues", "an escalation, with `review=`"),
    ("review_rejected", "a reviewer rejected the text or action in question", "`redpen review reject`"),
    ("review_expired", "no reviewer decided in time", "a review older than `expire_after_s`"),
    ("review_unavailable", "a reviewer has to decide, but the question cannot be stored", "a full disk"),
    (
        "policy_denied:*",
        "the policy stops a run that the judgement allows to continue",
        "policy_denied:severity_budget",
    ),
    (
        "missing_disclaimer",
        "a sentence that the policy requires is missing",
        "missing_disclaimer:disclaimer.next_update",
    ),
    ("invalid_draft:*", "the draft cannot be used", "invalid_draft:too_long: over `limits.max_draft_chars`"),
    (
        "invalid_critique:*",
        "the critique violates its contract",
        "invalid_critique:reason: it is not a string",
    ),
    (
        "critique_*",
        "policy or runtime does not allow the decision, or a risk type, of the critique",
        "revise, with auto_revision off",
    ),
    ("invalid_review:*", "the review violates its contract", "invalid_review:decision: it is missing"),
    (
        "review_decision_*",
        "policy or runtime does not allow the decision of the review",
        "a decision that is not allowed",
    ),
    (
        "review_issue_*",
        "the policy does not allow an issue type of the review",
        "an issue type that is not allowed",
    ),
    ("invalid_revised:*", "the revision cannot be used", "invalid_revised:no_changes"),
    ("patch_violation:*", "the guards reject the revision", "patch_violation:no_new_facts"),
    ("guard_error", "a guard crashed, so the text is blocked", "guard_error:facts"),
    (
        "invalid_judgement:*",
        "a judge's answer cannot be trusted",
        "invalid_judgement:quote: the text does not contain it",
    ),
    ("invalid_answer:*", "the answer cannot be published", "invalid_answer:too_long"),
    ("invalid_plan:*", "the plan violates its contract", "invalid_plan:too_many_actions"),
    ("invalid_action:*", "an action of the plan violates its contract", "invalid_action:tool: it is missing"),
    ("planner_error", "the planner crashed", "planner_error:LookupError"),
    (
        "tool_*",
        "a tool call failed, or its result is unknown",
        "tool_timeout:send_status_update",
    ),
    (
        "missing_required_observation:*",
        "the plan ran without a result that the brief requires",
        "missing_required_observation:snapshot",
    ),
)
"""Families of stop reasons."""

DECISION_CODES: Final = (*TABLE_CODES, *PACK_CODES, *BUDGET_CODES, *FINDING_CODES, *STOP_CODES)
"""All built-in codes; rules, phrases and disclaimers of packs have additional ones."""

CONCERN: Final = "concern"
"""Risk code of an action whose prose the request and the snapshot do not support."""

RISK_CODES: Final = frozenset({CONCERN, *(row.code for row in TABLE_CODES)})
"""Codes that can have risk points, in addition to the codes of rules."""
