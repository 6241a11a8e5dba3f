"""The file model of a policy pack; unknown keys are errors, and there are no expressions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from redpen.policy.limits import Chars, Count, Seconds, Share
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

DEFAULT = "default"
"""Name of the built-in pack, which every other pack extends, directly or indirectly."""

PackName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
_Word = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
_WORD_SCHEMA: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"\S"}
_Words = Annotated[
    Annotated[tuple[_Word, ...], Field(min_length=1, max_length=200)],
    BeforeValidator(lambda given: [given] if isinstance(given, str) else given),
    WithJsonSchema({"anyOf": [_WORD_SCHEMA, {"type": "array", "items": _WORD_SCHEMA, "minItems": 1}]}),
]
_Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"\S")]
_Names = Annotated[tuple[_Name, ...], Field(max_length=500)]

SemanticChanges = Literal["off", "judge"]
"""Whether a model judges if a required change without a quoted phrase is fulfilled."""


class Match(PolicyModel):
    """Conditions under which a pack applies without being named."""

    tenant: _Words = Field(default=(), description="Tenants, one or more; by default any.")
    role: _Words = Field(default=(), description="Roles, one or more; by default any.")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that have a condition."""
        return tuple(name for name in type(self).model_fields if getattr(self, name))

    def matches(self, situation: dict[str, str]) -> bool:
        """Whether there is a condition, and the situation meets all conditions."""
        return bool(self.keys) and all(situation.get(name) in getattr(self, name) for name in self.keys)

    def is_ambiguous_with(self, other: Match) -> bool:
        """Whether a situation can match both, and neither is more specific than the other."""
        shared = set(self.keys) & set(other.keys)
        return len(self.keys) == len(other.keys) > 0 and all(
            set(getattr(self, name)) & set(getattr(other, name)) for name in shared
        )


class Templates(PolicyModel):
    """Templates of status updates."""

    allowed: Annotated[_Names, Field(min_length=1)] | None = Field(
        default=None, description="Templates that may be used."
    )
    default: _Name | None = Field(
        default=None, description="The template that replaces one that is not allowed."
    )


class Tools(PolicyModel):
    """Tools of the action gate."""

    allow: _Names | None = Field(default=None, description="Tools that are allowed in principle.")
    execute: _Names | None = Field(default=None, description="Tools that this runtime executes.")


class Limits(PolicyModel):
    """Limits of runs; each applies to all agents that have such a limit."""

    max_seconds: Seconds | None = Field(default=None, description="Time budget of a run, in seconds.")
    max_draft_chars: Chars | None = Field(
        default=None, description="Maximum length of a draft, in characters."
    )
    max_answer_chars: Chars | None = Field(
        default=None, description="Maximum length of an answer, in characters."
    )
    min_patch_similarity: Share | None = Field(
        default=None, description="Minimum similarity of a revision to its draft, 0 to 1."
    )
    max_risks: Count | None = Field(default=None, description="Maximum number of risks in a critique.")
    max_required_changes: Count | None = Field(
        default=None, description="Maximum number of required changes in a critique."
    )
    max_length_increase_pct: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        default=None, description="How much longer than its draft a revision may be, in percent."
    )
    max_issues: Count | None = Field(default=None, description="Maximum number of issues in a review.")
    max_fix_items: Count | None = Field(default=None, description="Maximum number of items in a fix plan.")
    max_actions: Count | None = Field(default=None, description="Maximum number of actions in a plan.")
    action_timeout_s: Annotated[float, Field(gt=0, le=600)] | None = Field(
        default=None, description="Time limit of one tool call, in seconds."
    )
    max_recipients_per_send: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Maximum number of recipients of a status update."
    )


class PackFile(PolicyModel):
    """A policy pack: a team's restrictions, when they apply, and the pack that they extend."""

    model_config = ConfigDict(title="PolicyPack")

    pack: PackName = Field(description="Name of the pack.")
    extends: PackName = Field(
        default=DEFAULT, description="The pack whose terms also apply; this pack can only tighten them."
    )
    match: Match = Field(
        default=Match(), description="Conditions under which the pack applies without being named."
    )
    restricted_phrases: Annotated[tuple[RestrictedPhrases, ...], Field(max_length=MAX_PHRASES)] = Field(
        default=(), description="Phrases that no text may contain, even if other rules allow them."
    )
    allowed_phrases: Annotated[tuple[Phrase, ...], Field(max_length=MAX_PHRASES)] | None = Field(
        default=None, description="Phrases that never count as a claim; they replace the parent's."
    )
    disclaimers: Annotated[tuple[Disclaimer, ...], Field(max_length=MAX_PHRASES)] = Field(
        default=(), description="Sentences that a published text must contain."
    )
    concerns: ConcernMeasures | None = Field(default=None, description="Reactions to concerns of the guards.")
    grounding: Literal["record", "enforce"] | None = Field(
        default=None, description="Reaction to facts or claims in a draft that the context does not support."
    )
    severity_budget: SeverityBudget | None = Field(
        default=None, description="Reactions to a judgement by its severity, regardless of its decision."
    )
    auto_revision: bool | None = Field(default=None, description="Whether this runtime executes `revise`.")
    templates: Templates = Field(default=Templates(), description="Templates of status updates.")
    limits: Limits = Field(default=Limits(), description="Limits of runs.")
    tools: Tools = Field(default=Tools(), description="Tools of the action gate.")
    rules: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = Field(
        default=(),
        description="Rules on actions in addition to the built-in table; the strictest outcome wins.",
    )
    risk: Risk | None = Field(
        default=None, description="Risk points; a high total makes the decision stricter."
    )
    clock: Clock | None = Field(default=None, description="Time zone of the rules.")
    patch: PatchPolicy | None = Field(default=None, description="How a revision may differ from its draft.")
    gate: Annotated[str, Field(max_length=200, pattern=r"^[\w.]+:[\w.]+$")] | None = Field(
        default=None, description="Custom gate as `module:function`; it can only make decisions stricter."
    )
    semantic_changes: SemanticChanges | None = Field(
        default=None,
        description="Whether a model judges if a required change without a quoted phrase is fulfilled.",
    )
    events: EventsMode | None = Field(
        default=None, description="`required` stops a run if an event cannot be stored."
    )
    loosens: tuple[_Name, ...] = Field(
        default=(),
        description="Codes and fields that this pack loosens on purpose; every report lists them.",
    )


PACK_FILE: TypeAdapter[PackFile] = TypeAdapter(PackFile)
