"""The cassette of one run as a vcrpy cassette: it looks up calls in replay and collects them in recording."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import httpx2
from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.errors import UnhandledHTTPRequestError  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]

from redpen.chat.bounds import UnreadableResponseError
from redpen.errors import RedpenError
from redpen_evals.cassettes.encoding import body_bytes, parse_body
from redpen_evals.cassettes.file import FAILURES, Call, CallFailure, CallRequest, CallResponse, CassetteKind
from redpen_evals.cassettes.matching import CallIndex, RequestKey, request_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

    from redpen_evals.cassettes.file import CallResult
    from redpen_evals.cassettes.matching import Volatile
    from redpen_evals.cassettes.mismatch import Mismatch

RETRY_HEADER: Final = "x-stainless-retry-count"
"""The request header in which the SDKs count their attempts."""

_KEPT_HEADERS: Final = frozenset({"content-type", "retry-after", "retry-after-ms", "x-should-retry"})
TOOL_HEADERS: Final = _KEPT_HEADERS | {
    "accept-ranges",
    "content-disposition",
    "content-language",
    "content-range",
    "etag",
    "last-modified",
    "link",
    "location",
    "www-authenticate",
    "x-amzn-errortype",
    "x-total-count",
}
"""Response headers kept for any client; others differ between recordings or may hold secrets."""

_LIVE_HEADERS: Final = frozenset({"openai-processing-ms", "openai-version", "x-request-id"})
_REDIRECTS: Final = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A request without a recording, with what is needed to explain it.

    `position` counts the calls of the run from 1; `played` holds the indexes, from 0, of the recorded
    calls played before it.
    """

    position: int
    phase: str
    request: CallRequest
    recorded: tuple[Call, ...]
    played: frozenset[int]

    def explain(self) -> Mismatch:
        """Return what differs from the nearest recording."""
        from redpen_evals.cassettes.mismatch import explain

        return explain(self.request, self.recorded, self.position, played=self.played, phase=self.phase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplayed:
    """A recorded call that the run never made; `index` counts from 1."""

    index: int
    phase: str


class CassetteMiss(RedpenError):  # noqa: N818 - names what happened, as NetworkBlocked does
    """A request without a recording; it is also in the cassette's `misses`, should an agent swallow this."""

    def __init__(self, miss: Miss) -> None:
        """Store the miss and explain it in the message."""
        self.miss = miss
        super().__init__(f"no recording answers {miss.explain().text}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRules:
    """How the calls of a run are labelled, compared and recorded.

    Attributes:
        label: returns the phase of a request; None takes the agent's own.
        volatile: what differs in requests from run to run.
        headers: names of the response headers to keep; None for those that the built-in agents' client reads.
    """

    label: Callable[[CallRequest], str] | None = None
    volatile: Volatile | None = None
    headers: frozenset[str] | None = None


class RunCassette(Cassette):  # type: ignore[misc]
    """The recorded calls of one run.

    In replay every recorded call is played once, identical requests in recorded order, with a lookup in
    constant time. In recording, calls are collected, and an HTTP retry replaces the attempt before it.
    Nothing is read from or written to the disk here.

    Args:
        path: the file, for messages.
        kind: decides which response headers are kept.
        calls: the recorded calls to replay, None to record.
        phase: returns the agent's phase at each call; without it the attribute `phase` is used.
        rules: how calls are labelled, compared and recorded; by default as for the built-in agents.
        kept: recorded calls, with their latencies, that a new recording reuses as long as the run makes
            the same requests.
        clock: monotonic seconds, for the latency of recorded calls.
    """

    def __init__(
        self,
        *,
        path: Path,
        kind: CassetteKind,
        calls: Sequence[Call] | None,
        phase: Callable[[], str] | None = None,
        rules: CallRules | None = None,
        kept: Sequence[tuple[Call, float | None]] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the cassette in the mode that `calls` implies."""
        recording = calls is None
        super().__init__(str(path), record_mode=RecordMode.ALL if recording else RecordMode.NONE)
        self.file_path = path
        self.kind: CassetteKind = kind
        self.phase = ""
        self.misses: list[Miss] = []
        self.losses: list[str] = []
        self.latencies_ms: list[float | None] = []
        self._phase_callback = phase
        rules = rules or CallRules()
        self._label = rules.label
        self._volatile = rules.volatile
        self._headers = _KEPT_HEADERS if rules.headers is None else rules.headers
        self._played: list[int] = []
        self._clock = clock
        self._lock = threading.Lock()
        self._kept = [(self._masked(call), latency_ms) for call, latency_ms in kept]
        self.kept_calls = 0
        self._calls: list[Call] = [self._masked(call) for call in calls or ()]
        self._index = CallIndex(call.request for call in self._calls)
        self._keys: list[RequestKey] = []
        # vcrpy's own list, for its length and properties.
        self.data = [(call.request, call.response) for call in self._calls]
        self.rewound = not recording

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls recorded so far, or those being replayed."""
        return tuple(self._calls)

    @property
    def made(self) -> tuple[Call, ...]:
        """The calls of the run so far that were answered from the recording, or are recorded."""
        return tuple(self._calls[index] for index in self._played) if self.rewound else self.calls

    @property
    def unplayed(self) -> tuple[Unplayed, ...]:
        """The recorded calls that the run has not made."""
        return tuple(
            Unplayed(index=index + 1, phase=call.phase)
            for index, call in enumerate(self._calls)
            if self.rewound and not self.play_counts[index]
        )

    @property
    def all_played(self) -> bool:
        """Whether the run has made every recorded call."""
        return not self.unplayed

    def take(self, request: VcrRequest) -> CallResult | None:
        """Return the next recording of a request and mark it as played; None if none is left."""
        with self._lock:
            index = self._index.find(request.method, request.uri, self._content(request))
            if index is None:
                return None
            self._index.take(index)
            self.play_counts[index] += 1
            self._played.append(index)
        return self._calls[index].response

    def play_response(self, request: VcrRequest) -> dict[str, Any]:
        """Return the next recording of a request, or raise the failure that was recorded instead."""
        response = self.take(request)
        if response is None:
            raise UnhandledHTTPRequestError(str(request))
        return _play(response)

    def miss(self, request: VcrRequest) -> CassetteMiss:
        """Log a request without a recording, and return the exception to raise."""
        with self._lock:
            played = frozenset(index for index, count in self.play_counts.items() if count)
            call_request = self._call_request(request)
            miss = Miss(
                position=len(played) + len(self.misses) + 1,
                phase=self._phase(call_request),
                request=call_request,
                recorded=tuple(self._calls),
                played=played,
            )
            self.misses.append(miss)
        return CassetteMiss(miss)

    def keep(self, method: str, url: str, content: bytes) -> Call | None:
        """Reuse the next kept call if it answers the request; the first mismatch drops all the others."""
        with self._lock:
            if not self._kept:
                return None
            call, latency_ms = self._kept[0]
            if self._volatile:
                content = self._volatile.masked(content)
            key = request_key(method, url, parse_body(content))
            if request_key(call.request.method, call.request.url, call.request.body) != key:
                self._kept.clear()
                return None
            del self._kept[0]
            self.kept_calls += 1
            self._calls.append(call)
            self._keys.append(key)
            self.data.append((call.request, call.response))
            self.latencies_ms.append(latency_ms)
            return call

    def append(self, request: VcrRequest, response: Mapping[str, Any]) -> None:
        """Collect a call and its response, without what differs from one recording to the next."""
        latency_ms = round((self._clock() - _first_seen_s(request, self._clock)) * 1000, 1)
        self._collect(request, _call_response(response, self.kind, self._headers), latency_ms)

    def append_failure(self, request: VcrRequest, failure: CallFailure) -> None:
        """Collect a call that failed before its response was complete."""
        self._collect(request, failure, None)

    def lose(self, method: str, url: str, error: BaseException) -> None:
        """Note a call that could not be recorded, so that the recording counts as incomplete."""
        # The message of any other error may hold secrets.
        message = f": {error}" if isinstance(error, UnreadableResponseError) else ""
        self.losses.append(f"{method} {url}: {type(error).__name__}{message}")

    def find_requests_with_most_matches(self, _request: VcrRequest) -> list[Any]:
        """Return nothing: `Miss.explain` finds the nearest recording, and only when it is needed."""
        return []

    def _responses(self, request: VcrRequest) -> Iterator[tuple[int, Any]]:
        # vcrpy calls this for every request before it is sent, in either mode.
        if not self.rewound:
            _first_seen_s(request, self._clock)
            return
        with self._lock:
            index = self._index.find(request.method, request.uri, self._content(request))
        if index is not None:
            yield index, self._calls[index].response

    def _load(self) -> None:
        """Do nothing: the session has read the file."""

    def _save(self, force: bool = False) -> None:
        """Do nothing: the session saves a recording when the run has ended."""

    def _phase(self, request: CallRequest) -> str:
        if self._label is not None:
            return self._label(request)
        return self._phase_callback() if self._phase_callback else self.phase

    def _content(self, request: VcrRequest) -> bytes:
        content: bytes = request.body or b""
        return self._volatile.masked(content) if self._volatile else content

    def _masked(self, call: Call) -> Call:
        # The call may have been recorded before the setting declared the value volatile.
        if not self._volatile:
            return call
        body = parse_body(self._volatile.masked(body_bytes(call.request.body)))
        return replace(call, request=replace(call.request, body=body))

    def _call_request(self, request: VcrRequest) -> CallRequest:
        return CallRequest(method=request.method, url=request.uri, body=parse_body(self._content(request)))

    def _collect(
        self, request: VcrRequest, response: CallResponse | CallFailure, latency_ms: float | None
    ) -> None:
        call_request = self._call_request(request)
        call = Call(phase=self._phase(call_request), request=call_request, response=response)
        key = request_key(call.request.method, call.request.url, call.request.body)
        is_retry = str(request.headers.get(RETRY_HEADER, "0")) != "0"
        with self._lock:
            if is_retry and key in self._keys:
                index = len(self._keys) - 1 - self._keys[::-1].index(key)
                self._calls[index] = call
                self.data[index] = (call.request, call.response)
                self.latencies_ms[index] = latency_ms
                return
            self._calls.append(call)
            self._keys.append(key)
            self.data.append((call.request, call.response))
            self.latencies_ms.append(latency_ms)
            self.dirty = True


def _first_seen_s(request: VcrRequest, clock: Callable[[], float]) -> float:
    # vcrpy passes the same request object before and after it is sent.
    return float(request.__dict__.setdefault("redpen_seen_s", clock()))


def _play(response: CallResponse | CallFailure) -> dict[str, Any]:
    if isinstance(response, CallFailure):
        raise _FAILURE_CLASSES[response.failure](response.message)
    return {
        "status": {"code": response.status, "message": None},
        "headers": response.headers,
        "body": {"string": body_bytes(response.body)},
    }


def _call_response(
    response: Mapping[str, Any], kind: CassetteKind, kept_headers: frozenset[str]
) -> CallResponse:
    status: int = response["status"]["code"]
    headers = {name.lower(): tuple(values) for name, values in response["headers"].items()}
    kept = set(kept_headers)
    if kind == "live":
        kept |= _LIVE_HEADERS
    if status in _REDIRECTS:
        kept.add("location")
    return CallResponse(
        status=status,
        headers={name: values for name, values in headers.items() if name in kept},
        body=parse_body(response["body"]["string"]),
    )


_FAILURE_CLASSES: Final[dict[str, type[httpx2.TransportError]]] = {
    name: getattr(httpx2, name) for name in FAILURES
}
