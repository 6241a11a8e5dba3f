"""Validates a YAML file against a model; every fault is reported as ``file:line: field: problem``."""

from __future__ import annotations

from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError, Problem
from redpen.yaml_files.source import Location, Source, read_source

T = TypeVar("T")

_SEEN_CHARS = 60
_MAX_FAULTS = 50


def load_model(path: Path, shape: TypeAdapter[T], *, fields: frozenset[str]) -> T:
    """Read a YAML file into a model.

    Args:
        path: the file.
        shape: the model.
        fields: names of its fields, at any depth; a misspelt key is matched against them.

    Raises:
        FileError: the faults of the file, at most ``_MAX_FAULTS``.
    """
    return validate(read_source(path), shape, fields=fields)


def validate(source: Source, shape: TypeAdapter[T], *, fields: frozenset[str]) -> T:
    """Return a parsed file as a model; arguments and errors are those of ``load_model``."""
    try:
        return shape.validate_python(source.value)
    except ValidationError as error:
        faults = _without_implied_faults(error.errors())
        problems = [_problem(source, item, fields) for item in faults[:_MAX_FAULTS]]
        if left := len(faults) - len(problems):
            problems.append(
                Problem(path=source.path, line=problems[-1].line, field="", text=f"and {left} more faults")
            )
        raise FileError(tuple(problems)) from error


def field_names(shape: Any) -> frozenset[str]:
    """Return the names of the fields of a model and of the models in it, as files write them."""
    names: set[str] = set()
    _collect(shape, names, set())
    return frozenset(names)


def _without_implied_faults(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """Drop the "too short" fault that pydantic adds for a list with faulty items."""
    places = [fault["loc"] for fault in faults]
    return [
        fault
        for fault in faults
        if fault["type"] != "too_short"
        or not any(
            len(place) > len(fault["loc"]) and place[: len(fault["loc"])] == fault["loc"] for place in places
        )
    ]


def _problem(source: Source, error: ErrorDetails, fields: frozenset[str]) -> Problem:
    location = shown = _located(source, error["loc"])
    if error["type"] == "missing":
        shown = (*location, error["loc"][-1])
    elif error["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        shown = (*location, error["ctx"]["discriminator"].strip("'"))
        location = shown
    return Problem(
        path=source.path,
        line=source.line_of(location),
        field=field_of(shown),
        text=_text(error, fields),
    )


def _text(error: ErrorDetails, fields: frozenset[str]) -> str:
    match error["type"]:
        case "extra_forbidden":
            key = error["loc"][-1]
            return "does not belong here" if key in fields else f"unknown key{suggestion(key, fields)}"
        case "missing" | "union_tag_not_found":
            return "is missing"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"has to be a mapping of keys to values, not {_seen(error['input'])}"
        case "literal_error" | "union_tag_invalid":
            context = error.get("ctx", {})
            expected = str(context.get("expected") or context.get("expected_tags") or "")
            seen = context.get("tag", error["input"])
            known = [word.strip(" '") for word in expected.replace(" or ", ",").split(",")]
            return f"{_seen(seen)} is not one of {', '.join(known)}{suggestion(seen, known)}"
        case "value_error":
            return str(error.get("ctx", {}).get("error", error["msg"]))
        case _:
            message = error["msg"][:1].lower() + error["msg"][1:]
            return f"{message}, not {_seen(error['input'])}" if "should be" in message else message


def _located(source: Source, location: tuple[int | str, ...]) -> Location:
    # Pydantic adds union tags to its locations; they do not exist in the file and are dropped.
    found: Location = ()
    for part in location:
        if (*found, part) in source.lines:
            found = (*found, part)
    return found


def field_of(location: Location) -> str:
    """Return a location formatted for messages, such as ``replies[2].json``."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _seen(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SEEN_CHARS else shown[:_SEEN_CHARS] + "…"


def _collect(shape: Any, names: set[str], seen: set[int]) -> None:
    if id(shape) in seen:
        return
    seen.add(id(shape))
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        for name, field in shape.model_fields.items():
            names.add(field.alias or name)
            _collect(field.annotation, names, seen)
        return
    if get_origin(shape) is Literal:
        return
    if get_origin(shape) in {Annotated, Union, UnionType} or get_args(shape):
        for part in get_args(shape):
            _collect(part, names, seen)
