"""What the models of scenario files have in common: kinds of fields, and faults that keep their place."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from redpen_evals.endpoint.json_values import CheckedJson

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
