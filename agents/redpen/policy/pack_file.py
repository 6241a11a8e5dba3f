"""The file model of a policy pack; unknown keys are errors, and there are no expressions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from redpen.policy.limits import Chars, Count, Seconds, Share
from redpen.policy.model import EventsNeed, PolicyModel
from redpen.policy.rules import MOST_RULES, Clock, Risk, Rule
from redpen.policy.texts import (
    MOST_PHRASES,
    ConcernMeasures,
    Disclaimer,
    PatchPolicy,
    Phrase,
    RestrictedPhrases,
    SeverityBudget,
)

DEFAULT = "default"
"""Name of the built-in pack, which every other pack extends, directly or not."""

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
"""Whether a judge decides if a required change without a quoted phrase is fulfilled."""


class Match(PolicyModel):
    """The situations to which a pack applies without being named."""

    tenant: _Words = Field(default=(), description="One or more tenants; by default any.")
    role: _Words = Field(default=(), description="One or more roles; by default any.")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys with a condition."""
        return tuple(name for name in type(self).model_fields if getattr(self, name))

    def fits(self, situation: dict[str, str]) -> bool:
        """Whether it has any condition, and the situation meets all of them."""
        return bool(self.keys) and all(situation.get(name) in getattr(self, name) for name in self.keys)

    def meets(self, other: Match) -> bool:
        """Whether some situation fits both, and neither is more specific than the other."""
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
    execute: _Names | None = Field(default=None, description="Tools that this runtime carries out.")


class Limits(PolicyModel):
    """Limits of runs; each applies to the agents that have it."""

    max_seconds: Seconds | None = Field(default=None, description="Time budget of a run, in seconds.")
    max_draft_chars: Chars | None = Field(default=None, description="Longest draft, in characters.")
    max_answer_chars: Chars | None = Field(default=None, description="Longest answer, in characters.")
    min_patch_similarity: Share | None = Field(
        default=None, description="Least similarity of a revision to its draft, 0 to 1."
    )
    max_risks: Count | None = Field(default=None, description="Risks in one critique.")
    max_required_changes: Count | None = Field(default=None, description="Required changes in one critique.")
    max_length_increase_pct: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        default=None, description="How much longer than its draft a revision may be, in percent."
    )
    max_issues: Count | None = Field(default=None, description="Issues in one review.")
    max_fix_items: Count | None = Field(default=None, description="Items in one fix plan.")
    max_actions: Count | None = Field(default=None, description="Actions in one plan.")
    action_timeout_s: Annotated[float, Field(gt=0, le=600)] | None = Field(
        default=None, description="Time that one tool call may take, in seconds."
    )
    max_recipients_per_send: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Recipients of one status update."
    )


class PackFile(PolicyModel):
    """One policy pack: a team's restrictions, where they apply, and the pack that they extend."""

    model_config = ConfigDict(title="PolicyPack")

    pack: PackName = Field(description="Name of the pack.")
    extends: PackName = Field(
        default=DEFAULT, description="The pack whose terms apply too; this one may only tighten them."
    )
    match: Match = Field(
        default=Match(), description="The situations to which it applies without being named."
    )
    restricted_phrases: Annotated[tuple[RestrictedPhrases, ...], Field(max_length=MOST_PHRASES)] = Field(
        default=(), description="Phrases that no text may use, even if something else allows them."
    )
    allowed_phrases: Annotated[tuple[Phrase, ...], Field(max_length=MOST_PHRASES)] | None = Field(
        default=None, description="Phrases that are never a claim; they replace the parent's."
    )
    disclaimers: Annotated[tuple[Disclaimer, ...], Field(max_length=MOST_PHRASES)] = Field(
        default=(), description="Sentences that a published text must contain."
    )
    concerns: ConcernMeasures | None = Field(
        default=None, description="Reactions to the concerns of the guards."
    )
    grounding: Literal["record", "enforce"] | None = Field(
        default=None, description="Reaction to a draft whose facts or claims the context does not support."
    )
    severity_budget: SeverityBudget | None = Field(
        default=None, description="Reactions to a judgement by its severity, besides its own decision."
    )
    auto_revision: bool | None = Field(
        default=None, description="Whether this runtime carries out `revise` without a reviewer."
    )
    templates: Templates = Field(default=Templates(), description="Templates of status updates.")
    limits: Limits = Field(default=Limits(), description="Limits of runs.")
    tools: Tools = Field(default=Tools(), description="Tools of the action gate.")
    rules: Annotated[tuple[Rule, ...], Field(max_length=MOST_RULES)] = Field(
        default=(), description="Further rules on actions; the strictest outcome wins."
    )
    risk: Risk | None = Field(default=None, description="Points whose sum makes the gate stricter.")
    clock: Clock | None = Field(default=None, description="Time zone of the rules.")
    patch: PatchPolicy | None = Field(default=None, description="How a revision may differ from its draft.")
    gate: Annotated[str, Field(max_length=200, pattern=r"^[\w.]+:[\w.]+$")] | None = Field(
        default=None, description="Custom gate as `module:function`; it can only make decisions stricter."
    )
    semantic_changes: SemanticChanges | None = Field(
        default=None,
        description="Whether a judge decides if a required change without a quoted phrase is fulfilled.",
    )
    events: EventsNeed | None = Field(
        default=None, description="`required` stops a run whose events cannot be stored."
    )
    loosens: tuple[_Name, ...] = Field(
        default=(),
        description="Codes and fields that this pack loosens on purpose; every report shows them.",
    )


PACK_FILE: TypeAdapter[PackFile] = TypeAdapter(PackFile)
