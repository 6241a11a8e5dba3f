"""The digest of a recording, by which a replay notices that its file was edited."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, cast

from redpen.types import JsonValue
from redpen_evals.cassettes.encoding import MAX_JSON_IN_JSON, Body, JsonBody, RawBody
from redpen_evals.cassettes.file import (
    SEALED_VERSION,
    Call,
    CallFailure,
    CallRequest,
    CallResult,
    CassetteFile,
    CassetteKind,
)
from redpen_evals.cassettes.matching import canonical
from redpen_evals.endpoint.scripted_calls import scripted_call
from redpen_evals.strict_json import change_leaves, parse_container

UNPROTECTED: Final = (
    "has no digest (sha256), so an edit of it would not be noticed: it is of an older release, or the line "
    "was deleted"
)
"""Describes a recording for which `is_unprotected` is true."""


def digest_of(calls: Iterable[Call], kind: CassetteKind) -> str:
    """Return the SHA-256 of the calls of a recording whose replies nothing else vouches for.

    Those are all calls of a live recording, and of a scripted one the calls that no script answers, such as
    of tools: the replies of the script are compared with the scenario. It is the same for every order of keys
    and every layout of the file.

    Returns:
        The digest in hex; empty for a scripted recording without such calls.
    """
    protected = _protected(calls, kind)
    if not protected and kind == "scripted":
        return ""
    return _hash([[call.phase, *_request(call.request), _result(call.response)] for call in protected])


def was_edited(cassette: CassetteFile) -> bool:
    """Return whether the calls of a recording are not the ones that its digest was made of."""
    if cassette.version >= SEALED_VERSION:
        return cassette.sha256 != digest_of(cassette.calls, cassette.kind)
    if not cassette.sha256:
        return False
    # The first digests covered neither methods nor addresses.
    content: JsonValue = [[_body(call.request.body), _result(call.response)] for call in cassette.calls]
    return cassette.sha256 != _hash(content)


def is_unprotected(cassette: CassetteFile) -> bool:
    """Return whether a recording has no digest, although nothing else would reveal an edit of it."""
    return not cassette.sha256 and bool(_protected(cassette.calls, cassette.kind))


def _protected(calls: Iterable[Call], kind: CassetteKind) -> list[Call]:
    return [call for call in calls if kind == "live" or scripted_call(call) is None]


def _hash(content: JsonValue) -> str:
    text = str(canonical(JsonBody(content)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _request(request: CallRequest) -> list[JsonValue]:
    return [request.method, request.url, _body(request.body)]


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

    def parsed(leaf: object) -> object:
        if isinstance(leaf, str) and json_levels and leaf[:1] in {"{", "["}:
            inner = parse_container(leaf)
            return leaf if inner is None else {"$json": _without_layout(inner, json_levels - 1)}
        return leaf

    return cast("JsonValue", change_leaves(value, parsed))
