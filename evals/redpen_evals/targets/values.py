"""What an agent returned, as JSON values, and what of it a customer reads."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import pathlib
import uuid
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from redpen.errors import RedpenError
from redpen_evals.checks.paths import MISSING, value_at

PUBLISHED_PLACES: Final = ("answer", "final_output", "output", "text")
"""Where the text for customers is looked for in a result that is no text itself."""

_MAX_DEPTH: Final = 40
_PLAIN: Final = (datetime.datetime, datetime.date, datetime.time)
_AS_TEXT: Final = (decimal.Decimal, uuid.UUID, pathlib.PurePath)


class UnshownResultError(RedpenError):
    """What an agent returned cannot be shown as JSON, or has no text where one should be."""


def to_json(value: Any) -> Any:
    """Return a result as JSON values.

    Args:
        value: text, number, mapping, list, dataclass, pydantic model or enum; or an object of a framework
            that has one of ``PUBLISHED_PLACES``, of which only these are kept.

    Raises:
        UnshownResultError: it is, or holds, something else.
    """
    return _to_json(value, "", 0)


def published_texts(value: Any, paths: Sequence[str] | None) -> tuple[str, ...]:
    """Return what of a result a customer reads.

    Args:
        value: JSON values.
        paths: where; None looks in the usual places, and finds nothing where none of them holds a text.

    Raises:
        UnshownResultError: a path that was named leads to no text.
    """
    if paths is None:
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, dict):
            return ()
        return tuple(value[name] for name in PUBLISHED_PLACES if isinstance(value.get(name), str))[:1]
    texts = []
    for path in paths:
        found = value_at(value, path)
        if not isinstance(found, str):
            what = "nothing" if found is MISSING else f"a {type(found).__name__}"
            raise UnshownResultError(f"publishes: {path} leads to {what} in the result, not to a text")
        texts.append(found)
    return tuple(texts)


def _to_json(value: Any, place: str, depth: int) -> Any:
    if value is None or isinstance(value, (bool, str)) and type(value) in {bool, str}:
        return value
    if depth > _MAX_DEPTH:
        raise UnshownResultError(f"the result nests deeper than {_MAX_DEPTH}{_at(place)}")
    if isinstance(value, enum.Enum):
        return _to_json(value.value, place, depth + 1)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (int, float)):
        return _number(value, place)
    if isinstance(value, _PLAIN):
        return value.isoformat()
    if isinstance(value, _AS_TEXT):
        return str(value)
    return _container(value, place, depth)


def _container(value: Any, place: str, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _to_json(item, _below(place, key), depth + 1) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((_to_json(item, place, depth + 1) for item in value), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_to_json(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(value)]
    if dump := getattr(type(value), "model_dump", None):
        try:
            return _to_json(dump(value, mode="json"), place, depth + 1)
        except (TypeError, ValueError) as error:
            return _published_only(value, place, depth, error)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        try:
            return _to_json(fields, place, depth + 1)
        except UnshownResultError as error:
            return _published_only(value, place, depth, error)
    return _published_only(value, place, depth, None)


def _published_only(value: Any, place: str, depth: int, error: Exception | None) -> Any:
    # Frameworks return objects that hold clients, agents and histories beside the answer.
    found = {name: getattr(value, name) for name in PUBLISHED_PLACES if hasattr(value, name)}
    shown = {name: item for name, item in found.items() if not callable(item)}
    if not shown:
        what = f"a {type(value).__module__}.{type(value).__qualname__}"
        raise UnshownResultError(f"the result{_at(place)} is {what}, which cannot be shown as JSON") from error
    return _to_json(shown, place, depth + 1)


def _number(value: float, place: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise UnshownResultError(f"the result{_at(place)} is {value}, which JSON cannot hold")
    return float(value) if isinstance(value, float) else int(value)


def _below(place: str, key: object) -> str:
    return f"{place}.{key}" if place else str(key)


def _at(place: str) -> str:
    return f" at {place}" if place else ""
