"""The key ``review:`` of a scenario: what a person decides when the run asks one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Discriminator, Field, Tag, model_validator

from redpen.types import LONGEST_EDIT, LONGEST_NAME, LONGEST_REASON, MOST_OVERRIDES
from redpen_evals.scenario_library.fields import FileModel, JsonMapping, LiveOwes, fault

MOST_DECISIONS: Final = 20
"""Decisions of one scenario."""

ReviewWord = Literal["approve", "reject", "expire"]
"""``expire``: nobody decides, until the review counts as rejected."""

EditedText: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_EDIT, pattern=r"\S")]
Code: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
Codes: TypeAlias = Annotated[list[Code], Field(max_length=MOST_OVERRIDES)]


class ReviewEdit(FileModel):
    """What a person puts in place of what is shown."""

    edit: Annotated[
        Annotated[EditedText, Tag("as text")] | Annotated[JsonMapping, Tag("as action")],
        # Told apart by their type, so that a fault in one is not also told of the other.
        Discriminator(lambda value: "as action" if isinstance(value, dict) else "as text"),
    ] = Field(description="The reviewer's own text, or action `{id, tool, args}`.")
    override: (
        Annotated[
            Annotated[Code, Tag("as code")] | Annotated[Codes, Tag("as codes")],
            Discriminator(lambda value: "as codes" if isinstance(value, list) else "as code"),
        ]
        | None
    ) = Field(
        default=None,
        description="Code, or codes, of the findings that the reviewer lets stand in the edit; goes with "
        "`reason`.",
    )
    reason: Annotated[str, Field(max_length=LONGEST_REASON)] = Field(
        default="", description="Why; kept with the decision and with each override."
    )

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if self.override is not None and not self.reason.strip():
            raise fault("override", "goes with a `reason`")
        return self

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the findings that are let stand."""
        if self.override is None:
            return ()
        return (self.override,) if isinstance(self.override, str) else tuple(self.override)


ScriptedDecision: TypeAlias = ReviewWord | ReviewEdit


def _form(value: Any) -> str:
    # No key of a file, which a message would name in its place.
    if isinstance(value, list):
        return "as list"
    return "as edit" if isinstance(value, (dict, ReviewEdit)) else "as word"


_Decision = Annotated[
    Annotated[ReviewWord, Tag("as word")] | Annotated[ReviewEdit, Tag("as edit")], Discriminator(_form)
]
ReviewScript: TypeAlias = Annotated[
    Annotated[ReviewWord, Tag("as word")]
    | Annotated[ReviewEdit, Tag("as edit")]
    | Annotated[list[_Decision], Field(max_length=MOST_DECISIONS), Tag("as list")],
    Discriminator(_form),
]
ReviewField = Annotated[
    ReviewScript | None,
    Field(
        description="What a person decides when the run asks one: `approve`, `reject`, `expire`, or `{edit: "
        "TEXT or ACTION}`, with `override: CODE` and `reason: …` where findings of that code may stand; a "
        "list where the run asks more than once or an edit is refused. The run stops with `pending_review` "
        "until it is decided, and what it ends with is held to `expect`. With fewer decisions than questions "
        "(`[]` has none) it stays pending. So does one whose edit is refused; the result names the edit in "
        "`refused_decisions`, with the `stop_reason` and the findings for which it was.",
    ),
]
"""The field as scenario files have it."""


def decisions_of(script: ReviewScript | None) -> tuple[ScriptedDecision, ...]:
    """Return the decisions of a scenario, in their order."""
    if script is None:
        return ()
    return tuple(script) if isinstance(script, list) else (script,)


def check_kind(script: ReviewScript | None, kind: Literal["text", "action"]) -> None:
    """Raise a fault for an edit that is no text, or no action, where the agent asks about one."""
    for at, decision in enumerate(decisions_of(script)):
        if not isinstance(decision, ReviewEdit):
            continue
        place = ("review", at, "edit") if isinstance(script, list) else ("review", "edit")
        if kind == "text" and not isinstance(decision.edit, str):
            raise fault(*place, "has to be a text: this agent asks about texts")
        if kind == "action" and (
            isinstance(decision.edit, str) or decision.edit.keys() != {"id", "tool", "args"}
        ):
            raise fault(*place, "has to be an action {id, tool, args}: this agent asks about actions")


_PENDING: Final = "pending_review"
_ENDS: Final[Mapping[ScriptedDecision, str]] = {"reject": "review_rejected", "expire": "review_expired"}


def live_requirement_reviewed(
    owed: LiveOwes, decisions: Sequence[ScriptedDecision], *, asks_once: bool
) -> LiveOwes:
    """Return what a live model owes where a person decides.

    It writes otherwise than the script, and so may ask a person less or more often.

    Args:
        owed: without a person.
        decisions: of the scenario.
        asks_once: whether the agent asks a person once at most.
    """
    if asks_once and decisions and all(decision == "approve" for decision in decisions):
        return owed
    # An edit fits the text of the script alone, and is refused for another.
    ends = [_ENDS[one] for one in decisions if isinstance(one, str) and one in _ENDS]
    return LiveOwes(may_stop=list(dict.fromkeys([*owed.may_stop, *ends, _PENDING])))
