"""Parse one row: a JSON object with the texts to judge."""

from __future__ import annotations

from json import JSONDecodeError
from typing import Any

from redpen.errors import RedpenError
from redpen.text.json_values import parse_json
from redpen.types import JsonObject, JsonValue
from redpen_evals.checking.inputs import MAX_BYTES, Contexts


class BadLineError(ValueError):
    """A line that cannot be judged; the message says why. All functions here raise it."""


def row_fields(data: bytes | None, *, is_first: bool = False) -> JsonObject:
    """Return the object of a line, which is None if it was too long; the first may have a byte order mark."""
    if data is None:
        raise BadLineError(f"longer than {MAX_BYTES} bytes")
    try:
        value = parse_json(data.decode("utf-8-sig" if is_first else "utf-8"))
    except UnicodeDecodeError as error:
        raise BadLineError(f"not UTF-8 at byte {error.start + 1}") from error
    except JSONDecodeError as error:
        # The error's own message counts lines within the line.
        raise BadLineError(f"invalid JSON: {error.msg} at character {error.pos + 1}") from error
    except ValueError as error:
        raise BadLineError(f"invalid JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadLineError("has to hold an object")
    return value


def row_text(fields: JsonObject, key: str) -> str:
    """Return a text of a row."""
    value = fields[key]
    if not isinstance(value, str):
        raise BadLineError(f"{key}: has to be a text")
    return value


def row_identity(fields: JsonObject) -> dict[str, Any]:
    """Return the id of a row under ``id``; empty if it has none."""
    if "id" not in fields:
        return {}
    value = fields["id"]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadLineError("id: has to be a text or an integer")
    return {"id": value}


def row_context(value: JsonValue, contexts: Contexts) -> JsonObject:
    """Return the context of a row, given as an object or as a name in the library."""
    match value:
        case dict():
            return value
        case str():
            try:
                return contexts.named(value)
            except RedpenError as error:
                raise BadLineError(f"context: {error}") from error
        case _:
            raise BadLineError("context: has to be an object or a name in the library")
