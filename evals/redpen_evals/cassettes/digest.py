"""The digest of a recording, by which a replay notices that its file was edited."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from redpen_evals.cassettes.encoding import MAX_JSON_IN_JSON, Body, JsonBody, RawBody
from redpen_evals.cassettes.file import CallFailure
from redpen_evals.cassettes.matching import canonical
from redpen_evals.strict_json import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.types import JsonValue
    from redpen_evals.cassettes.file import Call, CallResult


def digest_of(calls: Iterable[Call]) -> str:
    """Return the SHA-256 of the requests' bodies and of the replies of a recording.

    It is the same for every order of keys and every layout of the file.
    """
    content: JsonValue = [[_body(call.request.body), _result(call.response)] for call in calls]
    text = str(canonical(JsonBody(content)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _result(result: CallResult) -> JsonValue:
    if isinstance(result, CallFailure):
        return [result.failure, result.message]
    headers: JsonValue = {name: list(values) for name, values in result.headers.items()}
    return [result.status, headers, _body(result.body)]


def _body(body: Body) -> JsonValue:
    if isinstance(body, RawBody):
        return [body.content.decode("latin-1")]
    return {"json": _without_layout(body.value, MAX_JSON_IN_JSON)}


def _without_layout(value: JsonValue, json_levels: int) -> JsonValue:
    """Return a value with each JSON text in it parsed, as a file shows it."""
    if isinstance(value, dict):
        return {key: _without_layout(item, json_levels) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_layout(item, json_levels) for item in value]
    if isinstance(value, str) and json_levels and value.startswith(("{", "[")):
        try:
            return {"$json": _without_layout(parse_json(value), json_levels - 1)}
        except ValueError:
            return value
    return value
