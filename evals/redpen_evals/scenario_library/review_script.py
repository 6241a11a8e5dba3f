"""The key ``review:`` of a scenario: a person's decisions when the run asks for one."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Discriminator, Field, Tag, model_validator

from redpen.types import LONGEST_EDIT, LONGEST_NAME, LONGEST_REASON, MOST_OVERRIDES
from redpen_evals.endpoint.forms import FileModel
from redpen_evals.scenario_library.fields import JsonMapping, fault

MAX_DECISIONS: Final = 20
"""Maximum number of decisions of one scenario."""

ReviewWord = Literal["approve", "reject", "expire"]
"""``expire``: no decision is made until the review counts as rejected."""

EditedText: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_EDIT, pattern=r"\S")]
Code: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
Codes: TypeAlias = Annotated[list[Code], Field(max_length=MOST_OVERRIDES)]


class ReviewEdit(FileModel):
    """A person's own version of the proposed text or action."""

    edit: Annotated[
        Annotated[EditedText, Tag("as text")] | Annotated[JsonMapping, Tag("as action")],
        # Discriminated by type, so that a fault in one is not reported for the other too.
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
        description="Code, or codes, of the findings that the reviewer accepts in the edit; goes with "
        "`reason`.",
    )
    reason: Annotated[str, Field(max_length=LONGEST_REASON)] = Field(
        default="", description="Why; stored with the decision and with each override."
    )

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if self.override is not None and not self.reason.strip():
            raise fault("override", "goes with a `reason`")
        return self

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the accepted findings."""
        if self.override is None:
            return ()
        return (self.override,) if isinstance(self.override, str) else tuple(self.override)


ScriptedDecision: TypeAlias = ReviewWord | ReviewEdit


def _form(value: Any) -> str:
    # Tags are unlike keys of a file, so that messages do not confuse them.
    if isinstance(value, list):
        return "as list"
    return "as edit" if isinstance(value, (dict, ReviewEdit)) else "as word"


_Decision = Annotated[
    Annotated[ReviewWord, Tag("as word")] | Annotated[ReviewEdit, Tag("as edit")], Discriminator(_form)
]
ReviewScript: TypeAlias = Annotated[
    Annotated[ReviewWord, Tag("as word")]
    | Annotated[ReviewEdit, Tag("as edit")]
    | Annotated[list[_Decision], Field(max_length=MAX_DECISIONS), Tag("as list")],
    Discriminator(_form),
]
ReviewField = Annotated[
    ReviewScript | None,
    Field(
        description="What a person decides when the run asks one: `approve`, `reject`, `expire`, or `{edit: "
        "TEXT or ACTION}`, with `override: CODE` and `reason: …` to accept findings of that code; a list if "
        "the run asks more than once or an edit is refused. The run stops with `pending_review` until it is "
        "decided, and `expect` describes its end. With fewer decisions than questions (`[]` has none) it "
        "stays pending. So does one whose edit is refused; the result lists the edit in `refused_decisions`, "
        "with the `stop_reason` and the findings that it was refused for.",
    ),
]
"""The field of scenario files."""


def decisions_of(script: ReviewScript | None) -> tuple[ScriptedDecision, ...]:
    """Return the decisions of a scenario, in their order."""
    if script is None:
        return ()
    return tuple(script) if isinstance(script, list) else (script,)


def check_kind(script: ReviewScript | None, kind: Literal["text", "action"]) -> None:
    """Raise a fault for an edit that is not of the kind, text or action, that the agent asks about."""
    for at, decision in enumerate(decisions_of(script)):
        if not isinstance(decision, ReviewEdit):
            continue
        place = ("review", at, "edit") if isinstance(script, list) else ("review", "edit")
        if kind == "text" and not isinstance(decision.edit, str):
            raise fault(*place, "has to be a string: this agent asks about texts")
        if kind == "action" and (
            isinstance(decision.edit, str) or decision.edit.keys() != {"id", "tool", "args"}
        ):
            raise fault(*place, "has to be an action {id, tool, args}: this agent asks about actions")
