"""JSON values: strict parsing, and validated deep copies of foreign objects."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from redpen.types import JsonObject, JsonValue

MAX_DEPTH = 100
"""Maximum nesting of arrays and objects."""

MAX_INTEGER_DIGITS = 4300
"""Maximum digits of an integer."""

MAX_SIZE = 2_000_000
"""Maximum size: characters of strings and keys, digits of integers, and eight for every value."""

_INTEGER_LIMIT = 10**MAX_INTEGER_DIGITS
_VALUE_SIZE = 8
_SMALL_CHARS: Final = MAX_SIZE // (_VALUE_SIZE + 2)
"""Longest text that cannot exceed ``MAX_SIZE``: each value of it takes at least one character."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str) -> JsonValue:
    """Parse one JSON value.

    Args:
        text: JSON; ``NaN`` and ``Infinity`` are accepted too, as by Python's parser.

    Returns:
        The value.

    Raises:
        ValueError: not JSON, nested over ``MAX_DEPTH``, larger than ``MAX_SIZE``, a repeated key, an
            integer of more than ``MAX_INTEGER_DIGITS`` digits, or a lone surrogate in a string.
    """
    try:
        # An integer of a short text cannot be too long, and the parser's own conversion is much faster.
        reading = int if len(text) <= MAX_INTEGER_DIGITS else _integer
        value = json.loads(text, object_pairs_hook=_object, parse_int=reading)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return cast("JsonValue", value) if _keeps_limits(text) else copy_json(value)


def copy_json(value: object, *, max_size: int = MAX_SIZE) -> JsonValue:
    """Return a deep copy of a JSON value that shares nothing with the original.

    Args:
        value: None, bool, int, float, str, mappings with string keys, lists and tuples.
        max_size: limit in the unit of ``MAX_SIZE``. A small value that contains the same objects repeatedly
            may have an exponentially large copy.

    Raises:
        ValueError: it contains another type, is nested deeper than ``MAX_DEPTH`` (a cycle is), is too large,
            or holds a lone surrogate or an integer of more than ``MAX_INTEGER_DIGITS`` digits.
    """
    return _Copier(left=max_size).copy(value, 0)


def copy_object(value: object, *, max_size: int = MAX_SIZE) -> JsonObject:
    """Return a deep copy of a JSON object; raises ValueError as ``copy_json``, and for other values."""
    if not isinstance(value, Mapping):
        raise ValueError("not an object")
    return cast("JsonObject", copy_json(value, max_size=max_size))


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; none for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []


def printable(value: JsonValue) -> Any:
    """Return the value as standard JSON: ``NaN`` and the infinities are replaced by strings."""
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case list():
            return [printable(item) for item in value]
        case dict():
            return {key: printable(item) for key, item in value.items()}
        case _:
            return value


@dataclass(slots=True, kw_only=True)
class _Copier:
    left: int

    def copy(self, value: object, depth: int) -> JsonValue:
        self._spend(_VALUE_SIZE)
        # Frequent types come first, the slow test for a Mapping last.
        match value:
            case str():
                return self._text(value)
            case bool() | None:
                return value
            case float():
                return float.__float__(value)
            case int():
                return self._integer(int.__int__(value))
            case dict() | list() | tuple() | Mapping() if depth == MAX_DEPTH:
                raise ValueError("nested too deep")
            case list() | tuple():
                return [self.copy(item, depth + 1) for item in cast("Sequence[object]", value)]
            case dict() | Mapping():
                return {self._key(key): self.copy(item, depth + 1) for key, item in value.items()}
            case _:
                raise ValueError(f"{type(value).__name__} is not a JSON value")

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise ValueError("an object has a key that is not a string")
        return self._text(key)

    def _integer(self, number: int) -> int:
        if abs(number) >= _INTEGER_LIMIT:
            raise ValueError("an integer is too long to read")
        self._spend(number.bit_length() // 3)
        return number

    def _text(self, text: str) -> str:
        # The copy is a plain string even if a subclass overrides its methods.
        text = str.__str__(text)
        self._spend(len(text))
        if text.isascii():
            return text
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError("a string holds a lone surrogate") from error
        return text

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise ValueError("too large to read")


def _keeps_limits(text: str) -> bool:
    """Return whether a text is too short and too simple to contain what ``copy_json`` rejects."""
    return (
        len(text) <= _SMALL_CHARS
        and text.count("{") + text.count("[") <= MAX_DEPTH
        and (text.isascii() or not _SURROGATE.search(text))
        and not ("\\u" in text and _SURROGATE_ESCAPE.search(text))
    )


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("an object repeats a key")
    return result


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_INTEGER_DIGITS:
        raise ValueError("an integer is too long to read")
    return int(digits)
