"""The policies of the agents: limits, allowlists and sections.

There are two allowlists: the *policy* allowlist lists what is allowed in principle, the *execution* allowlist
what this runtime executes. The latter may be stricter, and is checked second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeVar, get_args

from pydantic import Field, ValidationError, model_validator

from redpen.errors import InvalidInputError
from redpen.policy.model import EventsMode, PolicyModel
from redpen.policy.rules import MAX_RULES, Clock, Risk, Rule
from redpen.policy.texts import (
    MAX_PHRASES,
    ConcernMeasures,
    Disclaimer,
    PatchPolicy,
    Phrase,
    RestrictedPhrases,
    SeverityBudget,
)

Decision = Literal["approve", "revise", "escalate"]
FindingType = Literal[
    "overconfidence",
    "missing_uncertainty",
    "contradiction",
    "scope_leak",
    "policy_violation",
    "legal_risk",
]

HIGH_RISK_TYPES: frozenset[str] = frozenset({"legal_risk", "policy_violation"})
"""Types of findings that must be escalated."""

FETCH = "fetch_incident_snapshot"
SEND = "send_status_update"
EXPORT = "export_customer_data"
TICKET = "create_manual_review_ticket"
ALL_TOOLS: frozenset[str] = frozenset({FETCH, SEND, EXPORT, TICKET})
"""Names of the built-in tools."""

_DECISIONS: frozenset[Decision] = frozenset(get_args(Decision))
_TYPES: frozenset[FindingType] = frozenset(get_args(FindingType))

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Chars = Annotated[int, Field(ge=1, le=4_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


_PHRASE_LIST = Field(default=(), max_length=MAX_PHRASES)


class TextPolicy(PolicyModel):
    """Policy fields that both text agents have.

    Attributes:
        max_seconds: time budget of a run, in seconds.
        max_draft_chars: maximum length of a draft, in characters.
        max_answer_chars: maximum length of an answer, in characters.
        min_patch_similarity: minimum similarity of a revision to its draft, 0 to 1.
        allowed_decisions: decisions that are allowed in principle.
        executable_decisions: decisions that this runtime executes.
        allowed_types: risk or issue types that a judgement may contain.
        draft_grounding: reaction to facts or claims in a draft that the context does not support: ``record``
            them in trace and result, or ``enforce``, which stops the run.
        concerns: reaction to a concern about a revision, or to each code of concern: ``record`` it,
            ``escalate`` to a reviewer, or ``block``, which stops the run.
        unread_language: whether a sentence that is not mostly English is a ``concern``, or a violation that
            stops the run (``block``).
        semantic_changes: with ``judge``, a required change without a quoted phrase is accepted, and a model
            is asked whether the revision fulfils it.
        restricted_phrases: phrases that no text may contain, even if other rules allow them.
        allowed_phrases: phrases that never count as a claim.
        disclaimers: sentences that a published text must contain.
        severity_budget: reaction to a judgement of each severity, regardless of its decision.
        patch: how a revision may differ from its draft.
        events: ``required`` stops the run if an event cannot be stored.
    """

    max_seconds: Seconds
    max_draft_chars: Chars = 900
    max_answer_chars: Chars
    min_patch_similarity: Share
    allowed_decisions: frozenset[Decision] = _DECISIONS
    executable_decisions: frozenset[Decision] = _DECISIONS
    allowed_types: frozenset[FindingType] = _TYPES
    draft_grounding: Literal["record", "enforce"] = "record"
    concerns: ConcernMeasures = ConcernMeasures()
    unread_language: Literal["concern", "block"] = "concern"
    semantic_changes: Literal["judge", "off"] = "off"
    restricted_phrases: tuple[RestrictedPhrases, ...] = _PHRASE_LIST
    allowed_phrases: tuple[Phrase, ...] = _PHRASE_LIST
    disclaimers: tuple[Disclaimer, ...] = _PHRASE_LIST
    severity_budget: SeverityBudget = SeverityBudget()
    patch: PatchPolicy = PatchPolicy()
    events: EventsMode = "optional"


class SelfCritiquePolicy(TextPolicy):
    """Limits and allowlists of the self-critique agent.

    Attributes:
        max_risks: maximum number of risks in a critique.
        max_required_changes: maximum number of required changes in a critique.
        max_length_increase_pct: how much longer than its draft a revision may be, in percent; a hint in the
            context can only tighten it.
        auto_revision: whether this runtime executes ``revise``.
    """

    max_seconds: Seconds = 120
    max_answer_chars: Chars = 980
    min_patch_similarity: Share = 0.4
    max_risks: Count = 5
    max_required_changes: Count = 5
    max_length_increase_pct: Annotated[float, Field(allow_inf_nan=False)] = 20
    auto_revision: bool = True

    @property
    def executed(self) -> frozenset[Decision]:
        """The execution allowlist, without ``revise`` if ``auto_revision`` is off."""
        return self.executable_decisions if self.auto_revision else self.executable_decisions - {"revise"}


class ReflectionPolicy(TextPolicy):
    """Limits and allowlists of the reflection agent.

    Attributes:
        max_issues: maximum number of issues in a review.
        max_fix_items: maximum number of items in a fix plan.
    """

    max_seconds: Seconds = 30
    max_answer_chars: Chars = 900
    min_patch_similarity: Share = 0.45
    max_issues: Count = 4
    max_fix_items: Count = 4


class GuardedPolicy(PolicyModel):
    """Limits and allowlists of the guarded-policy agent.

    Attributes:
        max_seconds: time budget of a run, in seconds.
        max_actions: maximum number of actions in a plan.
        action_timeout_s: time limit of one tool call, in seconds.
        max_recipients_per_send: maximum number of recipients of a status update.
        allowed_tools: tools that are allowed in principle.
        executable_tools: tools that this runtime executes.
        allowed_templates: templates that a status update may use.
        default_template: the template that replaces one that is not allowed.
        rules: rules on actions in addition to the built-in table; the strictest outcome wins.
        risk: risk points; a high total makes the decision stricter.
        clock: the time zone of the rules.
        events: ``required`` stops the run if an event cannot be stored.
    """

    max_seconds: Seconds = 25
    max_actions: Count = 8
    action_timeout_s: Annotated[float, Field(gt=0, le=600)] = 1.2
    max_recipients_per_send: Annotated[int, Field(ge=1)] = 50_000
    allowed_tools: frozenset[str] = ALL_TOOLS
    executable_tools: frozenset[str] = ALL_TOOLS - {EXPORT}
    allowed_templates: frozenset[str] = frozenset({"incident_p1_v2", "incident_p2_v1"})
    default_template: str = "incident_p1_v2"
    rules: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = ()
    risk: Risk = Risk()
    clock: Clock = Clock()
    events: EventsMode = "optional"

    @model_validator(mode="after")
    def _check_default_template(self) -> Self:
        if self.default_template not in self.allowed_templates:
            raise ValueError(f"default_template {self.default_template!r} is not in allowed_templates")
        return self

    @model_validator(mode="after")
    def _check_unique_codes(self) -> Self:
        codes = [rule.code for rule in self.rules]
        if twice := sorted({code for code in codes if codes.count(code) > 1}):
            raise ValueError(f"rules: {twice[0]!r} appears twice")
        return self


PolicyT = TypeVar("PolicyT", bound=PolicyModel)


def load_policy(kind: type[PolicyT], policy: PolicyT | Mapping[str, object] | None) -> PolicyT:
    """Return a validated policy.

    Args:
        kind: the policy class.
        policy: a policy of this class, a mapping of the fields that differ from the defaults, or None for the
            defaults.

    Raises:
        InvalidInputError: a field is unknown, or a value is invalid or out of range.
    """
    if isinstance(policy, kind):
        return policy
    try:
        return kind.model_validate({} if policy is None else policy)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "policy"
        raise InvalidInputError(f"policy: {where}: {first['msg']}") from error
