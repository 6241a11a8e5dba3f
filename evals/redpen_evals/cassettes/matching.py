"""Which recording answers a request: method, URL and canonical JSON body, through an index."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from redpen_evals.cassettes.encoding import Body, RawBody, body_bytes, parse_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.types import JsonValue
    from redpen_evals.cassettes.file import CallRequest

RequestKey: TypeAlias = tuple[str, str, str | bytes]

_CANONICAL: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(body: Body) -> str | bytes:
    """Reduce a body to what must be equal for two requests to match.

    Args:
        body: any body.

    Returns:
        JSON text with sorted keys, no white space and one spelling a number (`1.0` is `1`, but neither
        is `true`); the bytes themselves for a body that is no JSON.
    """
    if isinstance(body, RawBody):
        return body.content
    return _CANONICAL.encode(_one_spelling(body.value))


def request_key(method: str, url: str, body: Body) -> RequestKey:
    """Build the key under which a request is looked up."""
    return method.upper(), _with_path(url), canonical(body)


class CallIndex:
    """Recorded calls by their request, each handed out once, equal ones in their order.

    A client repeats itself byte for byte, so the bytes are looked up first; the canonical form of the
    recorded requests is only worked out for a request that is not found so.

    Args:
        requests: the recorded requests, in order.
    """

    __slots__ = ("_canonical", "_exact", "_requests", "_taken")

    def __init__(self, requests: Iterable[CallRequest]) -> None:
        """Index the requests."""
        self._requests = tuple(requests)
        self._taken: set[int] = set()
        self._canonical: dict[RequestKey, deque[int]] | None = None
        self._exact: dict[RequestKey, deque[int]] = {}
        for index, request in enumerate(self._requests):
            key = request.method, request.url, body_bytes(request.body)
            self._exact.setdefault(key, deque()).append(index)

    def find(self, method: str, url: str, content: bytes) -> int | None:
        """Find the next recording of a request.

        Args:
            method: HTTP method.
            url: the whole address.
            content: the body as sent.

        Returns:
            Its position, from 0, or None if there is none that is left.
        """
        found = self._first_left(self._exact.get((method, url, content)))
        if found is not None:
            return found
        if self._canonical is None:
            self._canonical = {}
            for index, request in enumerate(self._requests):
                key = request_key(request.method, request.url, request.body)
                self._canonical.setdefault(key, deque()).append(index)
        return self._first_left(self._canonical.get(request_key(method, url, parse_body(content))))

    def take(self, position: int) -> None:
        """Hand out a recording, so that it is not found again."""
        self._taken.add(position)

    def _first_left(self, waiting: deque[int] | None) -> int | None:
        while waiting:
            if waiting[0] not in self._taken:
                return waiting[0]
            waiting.popleft()
        return None


def _with_path(url: str) -> str:
    # A bare host and the same host with a slash are one address.
    parts = urlsplit(url)
    return url if parts.path else parts._replace(path="/").geturl()


def _one_spelling(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _one_spelling(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_one_spelling(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
