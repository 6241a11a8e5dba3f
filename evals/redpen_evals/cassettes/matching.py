"""Match requests with recordings by method, URL and canonical JSON body, volatile values masked."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from redpen.errors import ConfigurationError
from redpen_evals.cassettes.encoding import Body, JsonBody, RawBody, body_bytes, parse_body
from redpen_evals.cassettes.file import CallRequest
from redpen_evals.strict_json import change_leaves

MASK: Final = "(volatile)"
"""Replaces a volatile value in a recording."""

_STEP: Final = re.compile(r"\.([A-Za-z_][\w-]{0,99})|\[\"([^\"]{1,200})\"\]|\[(\*|[0-9]{1,6})\]")
_HEADER: Final = re.compile(r"header:([A-Za-z0-9-]{1,100})")

Step = str | int | None
"""A key, a position in a list, or None for every position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatile:
    """Values that are neither compared nor recorded.

    Attributes:
        names: as in the setting, for reports.
        paths: paths in JSON bodies of requests, as steps from the outermost value.
        headers: names of response headers, in lower case.
    """

    names: tuple[str, ...] = ()
    paths: tuple[tuple[Step, ...], ...] = ()
    headers: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether any body is changed."""
        return bool(self.paths)

    def masked(self, content: bytes) -> bytes:
        """Return a request's body with each volatile value masked."""
        body = parse_body(content)
        if not isinstance(body, JsonBody):
            return content
        value: Any = json.loads(body_bytes(body))
        changed = [_mask(value, path) for path in self.paths]
        return body_bytes(JsonBody(value)) if any(changed) else content


def read_volatile(names: Iterable[str]) -> Volatile:
    """Parse the setting ``redpen_volatile``.

    Args:
        names: ``$.metadata.user_id``, ``$.messages[*].id`` or ``header:x-request-id`` each.

    Raises:
        ConfigurationError: a name is neither a path nor a header.
    """
    kept = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    paths, headers = [], set()
    for name in kept:
        if match := _HEADER.fullmatch(name):
            headers.add(match[1].lower())
        else:
            paths.append(_path(name))
    return Volatile(names=kept, paths=tuple(paths), headers=frozenset(headers))


def _path(name: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    at = 1
    while name.startswith("$") and at < len(name) and (step := _STEP.match(name, at)):
        key = step[1] or step[2]
        steps.append(key if key is not None else None if step[3] == "*" else int(step[3]))
        at = step.end()
    if not steps or at != len(name):
        raise ConfigurationError(
            f"redpen_volatile: {name!r} is not a path in a body: write $.metadata.user_id, "
            '$.messages[*].id, $["a key"], or header:x-request-id'
        )
    return tuple(steps)


def _mask(value: Any, path: tuple[Step, ...]) -> bool:
    step, *rest = path
    places: list[Any]
    if isinstance(value, dict) and isinstance(step, str):
        places = [step] if step in value else []
    elif isinstance(value, list) and not isinstance(step, str):
        every = range(len(value))
        places = list(every) if step is None else [step] if step in every else []
    else:
        return False
    for place in places:
        if rest:
            _mask(value[place], tuple(rest))
        else:
            value[place] = MASK
    return bool(places)


RequestKey: TypeAlias = tuple[str, str, str | bytes]

_CANONICAL: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(body: Body) -> str | bytes:
    """Reduce a body to what must be equal for two requests to match.

    That is JSON text with sorted keys, no white space and one spelling per number (`1.0` is `1`, but neither
    is `true`), or the bytes themselves for a body that is not valid JSON.
    """
    if isinstance(body, RawBody):
        return body.content
    return _CANONICAL.encode(change_leaves(body.value, _normalize_number))


def request_key(request: CallRequest) -> RequestKey:
    """Build the key under which a request is looked up."""
    return request.method.upper(), _canonical_url(request.url), canonical(request.body)


class CallIndex:
    """Recorded calls by request, each found until it is taken, equal ones in recorded order.

    Most requests are byte-identical to the recorded ones, so the bytes are looked up first; the canonical
    forms of the recorded requests are only computed for a request that is not found that way.
    """

    __slots__ = ("_canonical", "_exact", "_requests", "_taken")

    def __init__(self, requests: Iterable[CallRequest]) -> None:
        self._requests = tuple(requests)
        self._taken: set[int] = set()
        self._canonical: dict[RequestKey, deque[int]] | None = None
        self._exact: dict[RequestKey, deque[int]] = {}
        for index, request in enumerate(self._requests):
            key = request.method, request.url, body_bytes(request.body)
            self._exact.setdefault(key, deque()).append(index)

    def take(self, method: str, url: str, content: bytes) -> int | None:
        """Take the next recording of a request, and return its position, from 0; None if none is left."""
        position = self._first_untaken(self._exact.get((method, url, content)))
        if position is None:
            if self._canonical is None:
                self._canonical = {}
                for index, request in enumerate(self._requests):
                    self._canonical.setdefault(request_key(request), deque()).append(index)
            sent = CallRequest(method=method, url=url, body=parse_body(content))
            position = self._first_untaken(self._canonical.get(request_key(sent)))
        if position is not None:
            self._taken.add(position)
        return position

    def _first_untaken(self, waiting: deque[int] | None) -> int | None:
        while waiting:
            if waiting[0] not in self._taken:
                return waiting[0]
            waiting.popleft()
        return None


def _canonical_url(url: str) -> str:
    # Settings are read without HTTP libraries.
    import httpx2

    # A bare host and the same host with a slash are the same address; clients differ in what they escape.
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        return url
    return str(parsed.copy_with(raw_path=parsed.raw_path))


def _normalize_number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value
