"""What the models of scenario files have in common: kinds of fields, and faults that keep their place."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from redpen_evals.endpoint.forms import CheckedJson

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Text = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S")]
JsonMapping: TypeAlias = dict[str, CheckedJson]


class FileModel(BaseModel):
    """A part of a file: unknown keys and values of another type are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def fault(*place_and_text: str | int) -> ValidationError:
    """Return the error for a value at a place, so that the message can name field and line.

    Args:
        place_and_text: keys and positions that lead to the value, then what is wrong with it.
    """
    *place, text = place_and_text
    problem = PydanticCustomError("scenario", "{problem}", {"problem": text})
    return ValidationError.from_exception_data(
        "scenario", [InitErrorDetails(type=problem, loc=tuple(place), input=None)]
    )


def inside(field: str, error: ValidationError) -> ValidationError:
    """Return the faults of a part as faults of the whole."""
    moved = [
        InitErrorDetails(
            type=item["type"], loc=(field, *item["loc"]), input=item["input"], ctx=item.get("ctx", {})
        )
        for item in error.errors()
    ]
    return ValidationError.from_exception_data("scenario", moved)


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

TEXT_INVARIANTS: frozenset[TextInvariant] = frozenset(get_args(TextInvariant))
ACTION_INVARIANTS: frozenset[ActionInvariant] = frozenset(get_args(ActionInvariant))
OWN_INVARIANTS: frozenset[OwnInvariant] = frozenset(get_args(OwnInvariant))
