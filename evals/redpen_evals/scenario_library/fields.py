"""Field types and errors shared by the models of scenario files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self, TypeAlias, assert_never

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from redpen.stop_reasons import STOP_REASONS, find_stop_reason
from redpen.text.suggestion import suggestion
from redpen.types import AgentName
from redpen_evals.checks.paths import is_path
from redpen_evals.endpoint.forms import CheckedJson, FileModel

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Text = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S")]
JsonMapping: TypeAlias = dict[str, CheckedJson]


def fault(*place_and_text: str | int) -> ValidationError:
    """Return the error for a value: the keys and positions that lead to it, then the problem."""
    *place, text = place_and_text
    problem = PydanticCustomError("scenario", "{problem}", {"problem": text})
    return ValidationError.from_exception_data(
        "scenario", [InitErrorDetails(type=problem, loc=tuple(place), input=None)]
    )


def inside(field: str, error: ValidationError) -> ValidationError:
    """Return the errors of a field's value as errors of the whole."""
    details = [
        InitErrorDetails(
            type=item["type"], loc=(field, *item["loc"]), input=item["input"], ctx=item.get("ctx", {})
        )
        for item in error.errors()
    ]
    return ValidationError.from_exception_data("scenario", details)


def check_paths(field: str, paths: Iterable[str]) -> None:
    """Raise a fault for a text that is not a path into a result."""
    for path in paths:
        if not is_path(path):
            raise fault(field, f"{path!r} is not a path: keys joined by dots, list positions in brackets")


TextInvariant = Literal[
    "result_is_well_formed",
    "calls_stay_bounded",
    "stopped_runs_publish_nothing",
    "high_risk_is_never_published",
    "answers_stay_within_limits",
    "numbers_come_from_the_context",
    "removed_phrases_stay_out",
]
ActionInvariant = Literal[
    "result_is_well_formed",
    "calls_stay_bounded",
    "stopped_runs_publish_nothing",
    "no_pii_tool_runs",
    "no_personal_data_reaches_a_tool",
    "recipient_cap_holds",
    "only_allowed_templates",
    "no_free_text_is_sent",
    "no_mass_broadcast",
    "denied_actions_do_not_run",
]
OwnInvariant = Literal[
    "grounded_in_context",
    "no_personal_data",
    "calls_stay_bounded",
    "numbers_come_from_the_context",
    "in_english",
]
InvariantName = TextInvariant | ActionInvariant

NOT_ASKED: Literal["no"] = "no"

_WIRE_OR_FORMAT_STOPS = (
    *("llm_", "invalid_draft:", "invalid_critique:", "invalid_review:", "invalid_revised:"),
    "invalid_judgement:",
)
_PLAN_STOPS = ("invalid_plan:", "invalid_action:", "planner_error", "guard_error")
_CONTENT_STOPS = frozenset({"invalid_draft:too_long", "invalid_draft:ungrounded", "invalid_revised:too_long"})
"""Stops for content that any model may write in the right format."""


class LiveRequirement(FileModel):
    """What is required of a live model."""

    status: Literal["ok"] | None = Field(default=None, description="`ok`: the run has to publish.")
    may_stop: list[Text] = Field(
        default_factory=list,
        description="Stop reasons that are accepted besides publishing, with or without their argument.",
    )

    @model_validator(mode="after")
    def _has_one_field(self) -> Self:
        if (self.status is None) == (not self.may_stop):
            raise ValueError("give either `status: ok` or `may_stop: [reason, …]`")
        return self

    def allows(self, stop_reason: str) -> bool:
        """Return whether a run may stop for a reason."""
        return any(stop_reason == code or stop_reason.startswith(f"{code}:") for code in self.may_stop)


# YAML reads a bare `no` as false.
Live = Annotated[
    Literal["no"] | LiveRequirement, BeforeValidator(lambda value: NOT_ASKED if value is False else value)
]
"""The key ``live:`` of a scenario: the requirement, or ``no`` if a live model is not run."""

LiveField = Annotated[
    Live | None,
    WithJsonSchema(
        {
            "anyOf": [{"enum": ["no", False]}, LiveRequirement.model_json_schema(), {"type": "null"}],
            "default": None,
        }
    ),
    Field(
        description="What is required of a live model: `{status: ok}` (the default if the script ends ok), "
        "`{may_stop: [reason, …]}` (the default if it stops), or `no`: the scenario is not run with a live "
        "model (the default if the script is a fault of the wire or of the model's format)."
    ),
]


def default_live_requirement(stop_reason: str, agent: AgentName) -> Literal["no"] | LiveRequirement:
    """Return the default requirement of a live model, by the stop reason, or ``success``, of the script."""
    if stop_reason == "success":
        return LiveRequirement(status="ok")
    if stop_reason.startswith((*_WIRE_OR_FORMAT_STOPS, *_PLAN_STOPS)) and stop_reason not in _CONTENT_STOPS:
        return NOT_ASKED
    row = find_stop_reason(agent, stop_reason)
    return LiveRequirement(may_stop=[row.code if row is not None else stop_reason])


def check_reasons(live: Literal["no"] | LiveRequirement | None, agent: AgentName) -> None:
    """Raise a fault for a stop reason that the agent does not have."""
    reasons: Iterable[str] = live.may_stop if isinstance(live, LiveRequirement) else ()
    codes = {row.code for row in STOP_REASONS if agent in row.agents}
    without_argument = codes | {code.partition(":")[0] for code in codes}
    for at, reason in enumerate(reasons):
        if reason not in without_argument:
            check_reason(agent, reason, "live", "may_stop", at)


def check_reason(agent: AgentName, reason: str, *place: str | int) -> None:
    """Raise a fault for a stop reason, at a place, that the agent does not have."""
    if find_stop_reason(agent, reason) is None:
        hint = suggestion(reason, [row.code for row in STOP_REASONS if agent in row.agents])
        raise fault(*place, f"the {agent} agent has no stop reason {reason!r}{hint}")


def requirement_text(live: Literal["no"] | LiveRequirement) -> str:
    """Return a requirement in words."""
    match live:
        case "no":
            return "nothing"
        case LiveRequirement(may_stop=[]):
            return "a published text"
        case LiveRequirement():
            return f"a published text, or the stop {' or '.join(live.may_stop)}"
        case _:
            assert_never(live)
