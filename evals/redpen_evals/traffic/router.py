"""Assigns each request to its run, and answers it from, or records it into, the run's cassette."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

from redpen_evals.cassettes.cassette import RETRY_HEADER, CassetteMiss, RunCassette, RunRequest
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import CallResponse, CallResult
from redpen_evals.traffic.bodies import (
    UndecodableBodyError,
    canonical_content,
    request_bytes,
    unpacked,
    without_credentials,
)
from redpen_evals.traffic.scope import CURRENT, RunScope, Unrecorded
from redpen_evals.traffic.telemetry import telemetry_service

_NO_ANSWER: Final = 400
# The SDKs retry any failure without this header; a miss must be reported at once.
_NO_RETRY: Final[dict[str, tuple[str, ...]]] = {
    "content-type": ("application/json",),
    "x-should-retry": ("false",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request as it is matched and recorded, without credentials."""

    scope: RunScope
    request: RunRequest

    def record(self, result: CallResult) -> None:
        """Record the answer of a real server, or that no complete answer arrived."""
        if isinstance(result, CallResponse) and (places := result.headers.get("location")):
            headers = {**result.headers, "location": tuple(map(without_credentials, places))}
            result = replace(result, headers=headers)
        self.scope.cassette.append(self.request, result)


Decision: TypeAlias = CallResult | Seen | None
"""How a request is handled: the answer to give; the request as its run sees it, if the real server has to
answer and its answer is recorded; or None for a request that belongs to no run."""


class TrafficRouter:
    """Tracks the active runs of this process, and finds the run of a request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active: tuple[RunScope, ...] = ()
        self._allowed: frozenset[str] = frozenset()
        self.seen_telemetry = False
        """Whether a framework has sent telemetry: its threads may do so until the process ends."""

    @contextmanager
    def running(self, scope: RunScope) -> Iterator[None]:
        """Assign the requests of the block, and of threads it starts, to a run."""
        with self._lock:
            self._active += (scope,)
        token = CURRENT.set(scope)
        try:
            yield
        finally:
            CURRENT.reset(token)
            scope.ended = True
            with self._lock:
                self._active = tuple(one for one in self._active if one is not scope)

    def answer(self, request: VcrRequest) -> Decision:
        """Decide how a request that a library makes is handled."""
        scope = CURRENT.get()
        if isinstance(scope, Unrecorded) or self.ignores_current_code:
            return None
        active = self._active
        asked = _as_seen(request)
        if service := self._service(request, asked):
            return self._telemetry(service, scope or (active[0] if active else None))
        if scope is None:
            if len(active) != 1:
                return self._unrouted(asked, active) if active else None
            scope = active[0]
        return self._of_run(scope, request, asked)

    def forget_telemetry(self) -> None:
        """Reset the state of telemetry, for tests."""
        self.seen_telemetry = False
        self._allowed = frozenset()

    @property
    def ignores_current_code(self) -> bool:
        """Whether the requests of the current code belong to no run, and cannot be telemetry of one."""
        scope = CURRENT.get()
        if scope is None:
            return not self._active and not self.seen_telemetry
        return isinstance(scope, Unrecorded)

    def _service(self, request: VcrRequest, asked: RunRequest) -> str | None:
        kind = _text(request.headers.get("content-type", ""))
        return telemetry_service(asked.url, content_type=kind, content=lambda: asked.content)

    def _telemetry(self, service: str, scope: RunScope | None) -> CallResult | None:
        if scope is not None:
            self._allowed |= scope.telemetry
        if service in self._allowed:
            return None
        self.seen_telemetry = True
        # A framework may report from a thread of its own, after the run has ended.
        if scope is not None:
            scope.refuse(service)
        return _plain_answer(200, {})

    def _of_run(self, scope: RunScope, request: VcrRequest, asked: RunRequest) -> Decision:
        if scope.ended:
            message = "the run that this thread was started in has ended"
            return _plain_answer(_NO_ANSWER, _error("redpen_run_ended", message))
        if _passes(request, scope):
            return None
        if scope.cassette.is_replay:
            return _replayed(scope.cassette, asked)
        if kept := scope.cassette.keep(asked):
            return kept.response
        seen = Seen(scope=scope, request=asked)
        script = scope.script
        if script is None or not script.answers(asked.method, asked.url):
            return seen
        with scope.script_turn:
            result = script.send(asked.method, asked.url, asked.content)
            seen.record(result)
        return result

    def _unrouted(self, request: RunRequest, active: tuple[RunScope, ...]) -> CallResult:
        thread = threading.current_thread().name
        message = (
            f"{request.method} {request.url} was made by thread {thread!r}, which none of the {len(active)} "
            "active runs started: it cannot be told which of them it belongs to"
        )
        for scope in active:
            scope.report(f"unrouted: {message}")
        return _plain_answer(_NO_ANSWER, _error("redpen_unrouted", message))


def _replayed(cassette: RunCassette, request: RunRequest) -> CallResult:
    try:
        return cassette.play(request)
    except CassetteMiss as miss:
        return _plain_answer(_NO_ANSWER, _error("redpen_stale", str(miss).splitlines()[0]))


def _as_seen(request: VcrRequest) -> RunRequest:
    # vcrpy ignores the case of header names.
    headers = request.headers
    content = request_bytes(request.body)
    if packed := _text(headers.get("content-encoding", "")):
        with contextlib.suppress(UndecodableBodyError):
            content = unpacked(content, packed)
    content = canonical_content(content, _text(headers.get("content-type", "")))
    return RunRequest(
        method=request.method.upper(),
        url=without_credentials(request.uri),
        content=content,
        is_retry=_text(headers.get(RETRY_HEADER, "0")) != "0",
    )


def _passes(request: VcrRequest, scope: RunScope) -> bool:
    if not scope.passthrough:
        return False
    parts = urlsplit(request.uri)
    host = (parts.hostname or "").lower()
    return host in scope.passthrough or f"{host}:{parts.port}" in scope.passthrough


def _plain_answer(status: int, value: Any) -> CallResponse:
    return CallResponse(status=status, headers=_NO_RETRY, body=JsonBody(value))


def _error(code: str, message: str) -> dict[str, Any]:
    # In the shape that both OpenAI's and Anthropic's clients show the message of.
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message, "code": code}}


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


ROUTER: Final = TrafficRouter()
"""The router of this process: all runs share the patched functions of the libraries."""
