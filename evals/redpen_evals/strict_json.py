"""Strict JSON: unambiguous, and of bounded depth and size."""

from __future__ import annotations

import functools
import json
import math
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from redpen.types import JsonObject, JsonValue

MAX_DEPTH: Final = 64
MAX_VALUES: Final = 1_000_000
"""Values of one text; each takes some hundred bytes of memory, though as few as three of the text."""

MAX_DIGITS: Final = 300
"""Digits of an integer, so that it can still be converted to a floating-point number."""

_SHOWN_CHARS: Final = 40


class DuplicateKeyError(ValueError):
    """An object that has a key twice."""

    def __init__(self, key: str) -> None:
        """Name the key."""
        self.key = key
        super().__init__(f"the key {key[:_SHOWN_CHARS]!r} appears twice in one object")


def parse_json(
    text: str,
    *,
    max_depth: int = MAX_DEPTH,
    max_values: int = MAX_VALUES,
    decoder: json.JSONDecoder | None = None,
) -> JsonValue:
    """Parse unambiguous JSON.

    Args:
        text: JSON text.
        max_depth: levels of nested arrays and objects.
        max_values: values in all.
        decoder: made by ``strict_decoder``, with another bound on integers.

    Returns:
        The value.

    Raises:
        ValueError: invalid JSON, a repeated key, NaN or infinity, a number out of range, a lone surrogate, or
            too many levels or values.
    """
    value = cast("JsonValue", decode(decoder or _STRICT, text, max_values=max_values))
    # In valid UTF-8 a lone surrogate can only come from an escape.
    if "\\u" in text:
        check_texts(value)
    if text.count("[") + text.count("{") > max_depth:
        check_depth(value, max_depth)
    return value


def strict_decoder(
    object_pairs_hook: Callable[[list[tuple[str, Any]]], object], *, max_digits: int = MAX_DIGITS
) -> json.JSONDecoder:
    """Return a decoder that refuses numbers out of range; the hook has to refuse repeated keys."""
    return json.JSONDecoder(
        object_pairs_hook=object_pairs_hook,
        parse_float=_finite,
        parse_int=functools.partial(_integer, max_digits),
        parse_constant=_refuse,
    )


def decode(decoder: json.JSONDecoder, text: str, *, max_values: int = MAX_VALUES) -> object:
    """Decode a text.

    Raises:
        json.JSONDecodeError: invalid JSON, or JSON that ends early.
        ValueError: what the decoder refuses, more than ``max_values`` values, or too many levels for it.
    """
    # Each value but the outermost follows one of these.
    if sum(map(text.count, ",[{")) > max_values:
        raise ValueError(f"more than {max_values:,} values")
    try:
        return cast("object", decoder.decode(text))
    except RecursionError:
        raise ValueError("nested too deep") from None


def check_depth(value: object, max_depth: int) -> None:
    """Raise ValueError for a value that nests deeper."""
    level = [value]
    for _ in range(max_depth):
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise ValueError("nested too deep")


def check_texts(value: object) -> None:
    """Raise ValueError for a value with a lone surrogate in a text or key, which no file can hold."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text if not text.isascii():
                _check_text(text)
            case dict() as item:
                pending += item
                pending += item.values()
            case list() as items:
                pending += items
            case _:
                pass


def parse_container(text: str) -> JsonObject | list[JsonValue] | None:
    """Return the object or list that a text is in unambiguous JSON; None for any other text."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return cast("JsonObject | list[JsonValue]", parse_json(text))
    except ValueError:
        return None


def change_leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a JSON value in which everything but the objects and lists is changed."""
    if isinstance(value, dict):
        return {key: change_leaves(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [change_leaves(item, change) for item in value]
    return change(value)


def unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return the object of some keys and values; raises DuplicateKeyError."""
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateKeyError(key)
            seen.add(key)
    return value


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("a text holds a lone surrogate, half a character") from None


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is out of range")
    return value


def _integer(max_digits: int, text: str) -> int:
    if len(text) > max_digits:
        raise ValueError(f"{text[:20]}… is out of range")
    return int(text)


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not valid JSON")


_STRICT: Final = strict_decoder(unique)
