"""Assigns each request to its run, and answers it from, or records it into, the run's cassette."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

from redpen_evals.cassettes.cassette import RETRY_HEADER, RunCassette
from redpen_evals.cassettes.encoding import JsonBody, body_bytes
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult
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
# The SDKs ask again after any failure but such a one; a miss has to be told at once.
_NO_RETRY: Final[dict[str, tuple[str, ...]]] = {
    "content-type": ("application/json",),
    "x-should-retry": ("false",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request as it is matched and recorded.

    Attributes:
        scope: the run that it belongs to.
        request: method, address without credentials, body as bytes, no headers but the count of retries.
        started_s: monotonic time at which it was made.
    """

    scope: RunScope
    request: VcrRequest
    started_s: float


class TrafficRouter:
    """Tracks the active runs of this process, and finds the run of a request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active: tuple[RunScope, ...] = ()
        self._allowed: frozenset[str] = frozenset()
        self.late = 0
        """Requests that threads of runs made after their runs had ended; none was sent."""
        self.seen_telemetry = False
        """Whether a framework has tried to report: its threads may do so until the process ends."""

    @property
    def active(self) -> tuple[RunScope, ...]:
        """The runs that are active."""
        return self._active

    @contextmanager
    def running(self, scope: RunScope) -> Iterator[None]:
        """Assign the requests of the block, and of threads it starts, to a run."""
        with self._lock:
            self._active = (*self._active, scope)
        token = CURRENT.set(scope)
        try:
            yield
        finally:
            CURRENT.reset(token)
            scope.ended = True
            with self._lock:
                self._active = tuple(one for one in self._active if one is not scope)

    def answer(self, request: VcrRequest) -> tuple[CallResult, Seen | None] | Seen | None:
        """Decide how a request is handled.

        Args:
            request: as a library made it.

        Returns:
            The answer to give, with the request as its run sees it; or that alone where the real server
            has to answer and the answer is to be recorded; or None where the request is nobody's.
        """
        scope = CURRENT.get()
        if isinstance(scope, Unrecorded) or self.belongs_to_no_run:
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

    def answer_in(self, scope: RunScope, request: VcrRequest) -> tuple[CallResult, Seen | None] | Seen | None:
        """Decide what becomes of a request that is known to be of a run; the answer is that of ``answer``."""
        asked = _as_seen(request)
        if service := self._service(request, asked):
            return self._telemetry(service, scope)
        return self._of_run(scope, request, asked)

    def forget_telemetry(self) -> None:
        """Start as if no framework had ever tried to report."""
        self.seen_telemetry = False
        self._allowed = frozenset()

    @property
    def belongs_to_no_run(self) -> bool:
        """Whether what the code at hand asks for is no run's, and cannot be telemetry of one."""
        return CURRENT.get() is None and not self._active and not self.seen_telemetry

    def _service(self, request: VcrRequest, asked: VcrRequest) -> str | None:
        kind = _text(request.headers.get("content-type", ""))
        return telemetry_service(asked.uri, content_type=kind, content=lambda: asked.body)

    def _telemetry(self, service: str, scope: RunScope | None) -> tuple[CallResult, None] | None:
        if scope is not None:
            self._allowed |= scope.telemetry
        if service in self._allowed:
            return None
        self.seen_telemetry = True
        # A framework may report from a thread of its own, after the run has ended.
        if scope is not None:
            scope.refuse(service)
        return _plain_answer(200, {}), None

    def record(self, seen: Seen, response: Mapping[str, Any]) -> None:
        """Record the answer of a real server, in the shape in which vcrpy's stubs give it."""
        headers: dict[str, list[str]] = {}
        pairs = (
            response["headers"].items() if isinstance(response["headers"], Mapping) else response["headers"]
        )
        for name, values in pairs:
            headers.setdefault(name.lower(), []).extend([values] if isinstance(values, str) else values)
        body = response["body"].get("string") or b""
        try:
            content = unpacked(request_bytes(body), ",".join(headers.pop("content-encoding", ())))
        except UndecodableBodyError as error:
            seen.scope.report(f"unrecordable: the response of {_named(seen.request)}: {error}")
            return
        if "location" in headers:
            headers["location"] = [without_credentials(value) for value in headers["location"]]
        plain = {"status": response["status"], "headers": headers, "body": {"string": content}}
        seen.request.__dict__["redpen_seen_s"] = seen.started_s
        seen.scope.cassette.append(seen.request, plain)

    def record_failure(self, seen: Seen, failure: CallFailure) -> None:
        """Record that no complete answer arrived."""
        seen.scope.cassette.append_failure(seen.request, failure)

    def _of_run(
        self, scope: RunScope, request: VcrRequest, asked: VcrRequest
    ) -> tuple[CallResult, Seen | None] | Seen | None:
        if scope.ended:
            self.late += 1
            message = "the run that this thread was started in has ended"
            return _plain_answer(_NO_ANSWER, _error("redpen_run_ended", message)), None
        if _passes(request, scope):
            return None
        seen = Seen(scope=scope, request=asked, started_s=time.monotonic())
        if scope.cassette.rewound:
            return _replayed(scope.cassette, asked), seen
        return self._while_recording(scope, seen)

    def _while_recording(self, scope: RunScope, seen: Seen) -> tuple[CallResult, Seen] | Seen:
        request = seen.request
        if kept := scope.cassette.keep(request.method, request.uri, request.body):
            return kept.response, seen
        script = scope.script
        if script is None or not script.answers(request.method, request.uri):
            return seen
        with scope.script_turn:
            result = script.send(request.method, request.uri, request.body)
            if isinstance(result, CallFailure):
                scope.cassette.append_failure(request, result)
            else:
                self.record(
                    seen,
                    {
                        "status": {"code": result.status, "message": None},
                        "headers": result.headers,
                        "body": {"string": body_bytes(result.body)},
                    },
                )
        return result, seen

    def _unrouted(self, request: VcrRequest, active: tuple[RunScope, ...]) -> tuple[CallResult, None]:
        thread = threading.current_thread().name
        message = (
            f"{_named(request)} was made by thread {thread!r}, which none of the {len(active)} "
            "active runs started: it cannot be told which of them it belongs to"
        )
        for scope in active:
            scope.report(f"unrouted: {message}")
        return _plain_answer(_NO_ANSWER, _error("redpen_unrouted", message)), None


def _replayed(cassette: RunCassette, request: VcrRequest) -> CallResult:
    found = cassette.take(request)
    if found is not None:
        return found
    miss = cassette.miss(request)
    return _plain_answer(_NO_ANSWER, _error("redpen_stale", str(miss).splitlines()[0]))


def _as_seen(request: VcrRequest) -> VcrRequest:
    # vcrpy finds them whatever their case; to go through all would cost more than all the rest.
    headers = request.headers
    content = request_bytes(request.body)
    if packed := _text(headers.get("content-encoding", "")):
        with contextlib.suppress(UndecodableBodyError):
            content = unpacked(content, packed)
    content = canonical_content(content, _text(headers.get("content-type", "")))
    kept = {RETRY_HEADER: _text(headers.get(RETRY_HEADER, "0"))}
    return VcrRequest(request.method.upper(), without_credentials(request.uri), content, kept)


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


def _named(request: VcrRequest) -> str:
    return f"{request.method} {request.uri}"


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


ROUTER: Final = TrafficRouter()
"""The one of this process: what is put in the place of the libraries' functions is shared by all runs."""
