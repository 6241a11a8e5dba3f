"""The cassette of one run: it looks up calls in replay and collects them in recording."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from redpen.errors import RedpenError
from redpen_evals.cassettes.encoding import body_bytes, parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResult, CassetteKind
from redpen_evals.cassettes.matching import CallIndex, Volatile, request_key

if TYPE_CHECKING:
    from redpen_evals.cassettes.mismatch import Mismatch

RETRY_HEADER: Final = "x-stainless-retry-count"
"""The request header in which the SDKs count their attempts."""

_KEPT_HEADERS: Final = frozenset({"content-type", "retry-after", "retry-after-ms", "x-should-retry"})
TOOL_HEADERS: Final = _KEPT_HEADERS | frozenset(
    "accept-ranges content-disposition content-language content-range etag last-modified link location "
    "www-authenticate x-amzn-errortype x-total-count".split()
)
"""Response headers kept for any client; others differ between recordings or may hold secrets."""

_LIVE_HEADERS: Final = frozenset({"openai-processing-ms", "openai-version", "x-request-id"})
_REDIRECTS: Final = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A request that a run makes, with the address without credentials and the monotonic time it was made.

    `is_retry` says that the client makes it again because an attempt before it failed.
    """

    method: str
    url: str
    content: bytes
    is_retry: bool = False
    started_s: float = field(default_factory=time.monotonic)


class CassetteMiss(RedpenError):  # noqa: N818 - names what happened, as NetworkBlocked does
    """A request without a recording; it is also in the cassette's `misses`, should an agent swallow this."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(f"no recording answers {mismatch.text}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRules:
    """How the calls of a run are labelled, compared and recorded.

    Attributes:
        label: returns the phase of a request; None takes the agent's own.
        volatile: what differs in requests from run to run.
        headers: names of the response headers to keep; by default those that the built-in agents need.
    """

    label: Callable[[CallRequest], str] | None = None
    volatile: Volatile | None = None
    headers: frozenset[str] = _KEPT_HEADERS


class RunCassette:
    """The recorded calls of one run.

    In replay every recorded call is played once, identical requests in recorded order, with a lookup in
    constant time. In recording, calls are collected, and an HTTP retry replaces the attempt before it; in
    replay, a retry therefore gets the answer to that attempt again.
    Nothing is read from or written to the disk here.

    Args:
        kind: decides which response headers are kept.
        calls: the recorded calls to replay, None to record.
        rules: how calls are labelled, compared and recorded; by default as for the built-in agents.
        kept: recorded calls, with their latencies, that a new recording reuses as long as the run makes
            the same requests.

    Attributes:
        is_replay: whether requests are answered from the recorded calls.
        phase: the agent's current phase, unless the rules label calls.
        misses: requests without a recording, and what differs from the nearest one.
        losses: calls that could not be recorded, so that the recording is incomplete.
        latencies_ms: duration of each recorded call, in milliseconds, None if it failed.
        kept_calls: number of reused calls.
    """

    def __init__(
        self,
        *,
        kind: CassetteKind,
        calls: Sequence[Call] | None,
        rules: CallRules | None = None,
        kept: Sequence[tuple[Call, float | None]] = (),
    ) -> None:
        self.is_replay = calls is not None
        self.phase = ""
        self.misses: list[Mismatch] = []
        self.losses: list[str] = []
        self.latencies_ms: list[float | None] = []
        self.kept_calls = 0
        rules = rules or CallRules()
        self._label = rules.label
        self._volatile = rules.volatile
        self._headers = rules.headers | (_LIVE_HEADERS if kind == "live" else frozenset())
        self._lock = threading.Lock()
        self._kept = [(self._masked(call), latency_ms) for call, latency_ms in kept]
        self._calls: list[Call] = [self._masked(call) for call in calls or ()]
        self._index = CallIndex(call.request for call in self._calls)
        self._played: list[int] = []

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls recorded so far, or those being replayed."""
        return tuple(self._calls)

    @property
    def made(self) -> tuple[Call, ...]:
        """The calls of the run so far that were answered from the recording, or are recorded."""
        return tuple(self._calls[index] for index in self._played) if self.is_replay else self.calls

    @property
    def unplayed(self) -> tuple[tuple[int, str], ...]:
        """Position, from 1, and phase of each recorded call that the run has not made."""
        played = set(self._played)
        return tuple(
            (index + 1, call.phase)
            for index, call in enumerate(self._calls)
            if self.is_replay and index not in played
        )

    def play(self, request: RunRequest) -> CallResult:
        """Return the next recording of a request.

        Raises:
            CassetteMiss: none is left; the miss is logged.
        """
        if (result := self.find(request)) is not None:
            return result
        # A run that makes only recorded calls needs no text diff.
        from redpen_evals.cassettes.mismatch import explain

        with self._lock:
            live, position = self._call_request(request), len(self._played) + len(self.misses) + 1
            mismatch = explain(live, self._calls, position, played=self._played, phase=self._phase(live))
            self.misses.append(mismatch)
        raise CassetteMiss(mismatch)

    def find(self, request: RunRequest) -> CallResult | None:
        """Return the next recording of a request and mark it as played; None if none is left."""
        with self._lock:
            index = self._attempt_before(request) if request.is_retry else None
            if index is None:
                index = self._index.take(request.method, request.url, self._content(request))
                if index is None:
                    return None
                self._played.append(index)
        return self._calls[index].response

    def _attempt_before(self, retry: RunRequest) -> int | None:
        key = request_key(self._call_request(retry))
        played = reversed(self._played) if self.is_replay else reversed(range(len(self._calls)))
        return next((index for index in played if request_key(self._calls[index].request) == key), None)

    def keep(self, request: RunRequest) -> Call | None:
        """Reuse the next kept call if it answers the request; the first mismatch drops all the others."""
        with self._lock:
            if not self._kept:
                return None
            call, latency_ms = self._kept[0]
            if request_key(call.request) != request_key(self._call_request(request)):
                self._kept.clear()
                return None
            del self._kept[0]
            self.kept_calls += 1
            self._calls.append(call)
            self.latencies_ms.append(latency_ms)
            return call

    def append(self, request: RunRequest, result: CallResult) -> None:
        """Collect a call and its result, without what differs from one recording to the next."""
        latency_ms = None
        if not isinstance(result, CallFailure):
            latency_ms = round((time.monotonic() - request.started_s) * 1000, 1)
            names = self._headers | ({"location"} if result.status in _REDIRECTS else set())
            headers = {name: values for name, values in result.headers.items() if name in names}
            result = replace(result, headers=headers)
        call_request = self._call_request(request)
        call = Call(phase=self._phase(call_request), request=call_request, response=result)
        with self._lock:
            index = self._attempt_before(request) if request.is_retry else None
            if index is not None:
                self._calls[index], self.latencies_ms[index] = call, latency_ms
                return
            self._calls.append(call)
            self.latencies_ms.append(latency_ms)

    def _phase(self, request: CallRequest) -> str:
        return self.phase if self._label is None else self._label(request)

    def _content(self, request: RunRequest) -> bytes:
        return self._volatile.masked(request.content) if self._volatile else request.content

    def _masked(self, call: Call) -> Call:
        # The call may have been recorded before the setting declared the value volatile.
        if not self._volatile:
            return call
        body = parse_body(self._volatile.masked(body_bytes(call.request.body)))
        return replace(call, request=replace(call.request, body=body))

    def _call_request(self, request: RunRequest) -> CallRequest:
        return CallRequest(method=request.method, url=request.url, body=parse_body(self._content(request)))
