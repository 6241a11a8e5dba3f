"""Conversion of an agent's result to JSON values, and the texts in it that a customer reads."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import uuid
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Final

from redpen.errors import RedpenError
from redpen.screen import shortened, shown
from redpen.text.suggestion import suggestion
from redpen_evals.checks.paths import MISSING, value_at
from redpen_evals.errors import TargetError
from redpen_evals.strict_json import parse_json

PUBLISHED_PLACES: Final = ("answer", "final_output", "output", "text")
"""Usual names of the text for customers in a result that is not a string."""

_MAX_DEPTH: Final = 40
_MAX_PLACE_CHARS: Final = 60
_MAX_PATH_DOTS: Final = 4
_MAX_NUMBER: Final = 10**308
"""JSON parsers fail on larger numbers."""

_TIMES: Final = (datetime.datetime, datetime.date, datetime.time)
_TEXTS: Final = (str, *_TIMES, decimal.Decimal, uuid.UUID, pathlib.PurePath)


class UnshownResultError(TargetError):
    """An agent's result cannot be converted to JSON."""

    def __init__(self, message: str) -> None:
        super().__init__("agent", message)


class UnpublishedError(RedpenError):
    """An agent's result has no text at a path that a scenario names."""


def to_json(value: Any) -> Any:
    """Return a result as JSON values.

    Args:
        value: string, number, mapping, list, dataclass, named tuple, attrs or pydantic model, enum; or an
            object of a framework, of which only the attributes ``PUBLISHED_PLACES`` are kept.

    Raises:
        UnshownResultError: it is, or contains, something else.
    """
    return _to_json(value, "", 0)


def published_texts(value: Any, paths: Sequence[str] | None) -> tuple[str, ...]:
    """Return the texts of a result that a customer reads.

    Args:
        paths: of the texts; None for the usual places, which may have none: the text itself, the first of
            ``PUBLISHED_PLACES`` in a dict, or what the assistant says after the last question in a list of
            chat messages.

    Raises:
        UnpublishedError: a path does not lead to a string.
    """
    if paths is None:
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list):
            return tuple(_last_said(value))
        if not isinstance(value, dict):
            return ()
        return tuple(value[name] for name in PUBLISHED_PLACES if isinstance(value.get(name), str))[:1]
    texts = []
    for path in paths:
        text = value_at(value, path)
        if not isinstance(text, str):
            what = f"nothing{suggestion(path, _paths(value))}" if text is MISSING else _kind(text)
            raise UnpublishedError(f"publishes: {path} leads to {what} in the result, not to a text")
        texts.append(text)
    return tuple(texts)


def _last_said(messages: Sequence[Any]) -> Iterator[str]:
    """Yield the assistant's texts after the last message of the user, of a list of chat messages."""
    if not all(isinstance(message, dict) and isinstance(message.get("role"), str) for message in messages):
        return
    asked = [at for at, message in enumerate(messages) if message["role"] == "user"]
    for message in messages[asked[-1] + 1 if asked else 0 :]:
        if message["role"] == "assistant" and (text := _said(message.get("content"))):
            yield text


def _said(content: Any) -> str:
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(text for text in parts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def unread_result(value: Any) -> str:
    """Return what a result without a published text is, and how to say where the text is."""
    return f"{_without_text(value)}; pass publishes= (in a scenario `publishes: PATH`)"


def _without_text(value: Any) -> str:
    if isinstance(value, str):
        return "the text is empty"
    if isinstance(value, dict) and value:
        place = next((name for name in PUBLISHED_PLACES if name in value), None)
        if place is not None:
            if isinstance(value[place], str):
                return f"{place} in the dict is empty"
            return f"{place} in the dict is {_shape(value[place])}, not a text"
        keys = shortened(shown(", ".join(map(str, value))), _MAX_PLACE_CHARS)
        return f"no text, answer, final_output or output in the dict, which has {keys}"
    if isinstance(value, list) and value:
        kinds = ", ".join(dict.fromkeys(type(item).__name__ for item in value))
        return f"the result is a list of {len(value)}: {kinds}"
    return f"the result is {_shape(value)}"


def _shape(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        return f"the number {shortened(str(value), _MAX_PLACE_CHARS)}"
    return _kind(value) if value else f"an empty {type(value).__name__}"


def _to_json(value: Any, place: str, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if depth > _MAX_DEPTH:
        raise UnshownResultError(f"the result nests deeper than {_MAX_DEPTH}, or in itself,{_at(place)}")
    if isinstance(value, enum.Enum):
        return _to_json(value.value, place, depth + 1)
    if isinstance(value, (int, float)):
        return _number(value, place)
    if isinstance(value, _TEXTS):
        return _text(value, place)
    return _container(value, place, depth)


def _container(value: Any, place: str, depth: int) -> Any:
    if isinstance(value, Mapping):
        return _mapping(value, place, depth)
    if isinstance(value, tuple) and (names := getattr(type(value), "_fields", None)):
        return _mapping(dict(zip(names, value, strict=False)), place, depth)
    if isinstance(value, Set):
        return sorted((_to_json(item, place, depth + 1) for item in value), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_to_json(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(value)]
    return _object(value, place, depth)


def _object(value: Any, place: str, depth: int) -> Any:
    if dump := getattr(type(value), "model_dump", None):
        try:
            return _to_json(dump(value, mode="json"), place, depth + 1)
        except Exception as error:  # noqa: BLE001 - a serializer of the user's own may raise anything
            return _published_only(value, place, depth, error)
    if names := _field_names(value):
        try:
            return _to_json({name: getattr(value, name) for name in names}, place, depth + 1)
        except (UnshownResultError, AttributeError) as error:
            return _published_only(value, place, depth, error)
    return _published_only(value, place, depth, None)


def _mapping(value: Mapping[Any, Any], place: str, depth: int) -> dict[str, Any]:
    converted: dict[str, Any] = {}
    for key, item in value.items():
        name = _key(key, place)
        if name in converted:
            raise UnshownResultError(f"the result{_at(place)} has two keys that are both {name!r} in JSON")
        converted[name] = _to_json(item, _below(place, name), depth + 1)
    return converted


def _key(key: Any, place: str) -> str:
    while isinstance(key, enum.Enum):
        key = key.value
    if key is None or isinstance(key, (bool, int, float)):
        return json.dumps(key)
    if isinstance(key, _TEXTS):
        return _text(key, place)
    raise UnshownResultError(
        f"the result{_at(place)} has {_kind(key)} as a key, which cannot be shown as JSON"
    )


def _field_names(value: Any) -> list[str]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in dataclasses.fields(value)]
    # Classes of the library attrs.
    return [field.name for field in getattr(type(value), "__attrs_attrs__", ())]


def _published_only(value: Any, place: str, depth: int, error: Exception | None) -> Any:
    # Frameworks return objects with clients, agents and histories beside the answer.
    shown = {}
    for name in PUBLISHED_PLACES:
        try:
            item = getattr(value, name)
        except AttributeError:
            continue
        except Exception as fault:
            message = f"{type(fault).__name__}: {fault}"
            raise UnshownResultError(f"the result{_at(_below(place, name))} raises {message}") from fault
        if not callable(item):
            shown[name] = item
    if not shown:
        what = f"the result{_at(place)} is {_kind(value)}, which cannot be shown as JSON"
        raise UnshownResultError(
            f"{what}: return a text, a mapping, a dataclass or a pydantic model"
        ) from error
    return _to_json(shown, place, depth + 1)


def _text(value: Any, place: str) -> str:
    # A subclass of str may override how it is shown.
    text = str.__str__(value) if isinstance(value, str) else str(value)
    if isinstance(value, _TIMES):
        text = value.isoformat()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise UnshownResultError(
            f"the result{_at(place)} contains {half!r}, half of a character, which UTF-8 cannot encode"
        ) from None
    return text


def _number(value: float, place: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise UnshownResultError(f"the result{_at(place)} is {value}, which JSON cannot represent")
    if abs(value) > _MAX_NUMBER:
        raise UnshownResultError(f"the result{_at(place)} is a number of more than 308 digits")
    return float(value) if isinstance(value, float) else int(value)


def _kind(value: object) -> str:
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def _paths(value: Any, place: str = "") -> list[str]:
    # Only of strings, and no deeper than anyone would write.
    if isinstance(value, str):
        return [place]
    if not isinstance(value, dict) or place.count(".") > _MAX_PATH_DOTS:
        return []
    return [path for key, item in value.items() for path in _paths(item, _below(place, key))]


def _below(place: str, key: object) -> str:
    return f"{place}.{key}" if place else str(key)


def _at(place: str) -> str:
    return f" at {shortened(place, _MAX_PLACE_CHARS)}" if place else ""


def as_json(value: Any, use: str) -> str:
    """Return an agent's input as ASCII JSON; raises TargetError that it cannot be used as ``use`` says."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TargetError("input", f"cannot be {use}: {error}") from None


_JSON_STARTS: Final = ("{", "[", '"')


def read_answer(content: bytes, what: str) -> Any:
    """Return an answer: a JSON object, array or string as such, anything else as text.

    Args:
        content: UTF-8; a final line break is removed.

    Raises:
        UnshownResultError: it is not valid UTF-8.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnshownResultError(f"{what} is not UTF-8 text: at byte {error.start}") from error
    # A bare number or word is more likely text than a JSON value.
    if text.lstrip().startswith(_JSON_STARTS):
        with contextlib.suppress(ValueError):
            return parse_json(text)
    return text.rstrip("\r\n")
