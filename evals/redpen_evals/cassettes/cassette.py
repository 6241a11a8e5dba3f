"""The cassette of one run, as vcrpy sees it: an index in replay, a collection in recording."""

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
"""The request header in which the SDKs count their tries."""

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
"""What is kept of the answers to any client; all else differs between recordings, or is somebody's secret."""

_LIVE_HEADERS: Final = frozenset({"openai-processing-ms", "openai-version", "x-request-id"})
_REDIRECTS: Final = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A request that found no recording, with all that is needed to explain it.

    `position` counts the calls of the run from 1, `played` holds the indexes, from 0, of the recorded
    calls that had been played by then.
    """

    position: int
    phase: str
    request: CallRequest
    recorded: tuple[Call, ...]
    played: frozenset[int]

    def explain(self) -> Mismatch:
        """Say what differs from the nearest recording."""
        from redpen_evals.cassettes.mismatch import explain

        return explain(self.request, self.recorded, self.position, played=self.played, phase=self.phase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplayed:
    """A recorded call that the run never made; `index` counts from 1."""

    index: int
    phase: str


class CassetteMiss(RedpenError):  # noqa: N818 - names what happened, as NetworkBlocked does
    """A request that no recording answers; it is on the cassette's `misses` whatever becomes of this."""

    def __init__(self, miss: Miss) -> None:
        """Keep the miss and explain it."""
        self.miss = miss
        super().__init__(f"no recording answers {miss.explain().text}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRules:
    """How the calls of a run are named, compared and kept.

    Attributes:
        label: names the phase of a call by its request; None leaves that to the agent.
        volatile: what differs in requests from run to run.
        headers: of responses that are kept; None for what the built-in agents' client looks at.
    """

    label: Callable[[CallRequest], str] | None = None
    volatile: Volatile | None = None
    headers: frozenset[str] | None = None


class RunCassette(Cassette):  # type: ignore[misc]
    """The recorded calls of one run.

    In replay every recorded call is played once, identical requests in their order; finding one costs
    the same however many calls there are. In recording calls are collected, and an HTTP retry takes the
    place of the try before it. Nothing is read from or written to the disk here.

    Args:
        path: the file that messages name.
        kind: decides which response headers are kept.
        calls: the recorded calls to replay, None to record.
        phase: asked for the agent's phase at each call; without it the attribute `phase` counts.
        rules: how calls are named, compared and kept; by default as the built-in agents' are.
        kept: recorded calls, with their latencies, that a recording starts with as long as the run makes
            the very same requests.
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
        self._ask_phase = phase
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
        # vcrpy's own list keeps its length and properties right; what it holds is ours.
        self.data = [(call.request, call.response) for call in self._calls]
        self.rewound = not recording

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls recorded so far, or those being replayed."""
        return tuple(self._calls)

    @property
    def made(self) -> tuple[Call, ...]:
        """The calls that the run has made so far, as far as they were answered from a recording."""
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
        """Return the next recording of a request and count it as played; None where there is none left."""
        with self._lock:
            index = self._index.find(request.method, request.uri, self._content(request))
            if index is None:
                return None
            self._index.take(index)
            self.play_counts[index] += 1
            self._played.append(index)
        return self._calls[index].response

    def play_response(self, request: VcrRequest) -> dict[str, Any]:
        """Play the next recording of a request, or raise the failure that was recorded in its place."""
        response = self.take(request)
        if response is None:
            raise UnhandledHTTPRequestError(str(request))
        return _play(response)

    def miss(self, request: VcrRequest) -> CassetteMiss:
        """Log a request that no recording answers, and return the exception that says so."""
        with self._lock:
            played = frozenset(index for index, count in self.play_counts.items() if count)
            asked = self._call_request(request)
            miss = Miss(
                position=len(played) + len(self.misses) + 1,
                phase=self._phase(asked),
                request=asked,
                recorded=tuple(self._calls),
                played=played,
            )
            self.misses.append(miss)
        return CassetteMiss(miss)

    def keep(self, method: str, url: str, content: bytes) -> Call | None:
        """Take over the next kept call if it answers a request; the first that does not ends the keeping."""
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
        """Collect a call and its answer, without what would differ from one recording to the next."""
        latency_ms = round((self._clock() - _first_seen_s(request, self._clock)) * 1000, 1)
        self._collect(request, _call_response(response, self.kind, self._headers), latency_ms)

    def append_failure(self, request: VcrRequest, failure: CallFailure) -> None:
        """Collect a call that failed before its answer was whole."""
        self._collect(request, failure, None)

    def lose(self, method: str, url: str, error: BaseException) -> None:
        """Note a call that could not be recorded, so that the recording is not taken for whole."""
        # Any other message may hold anything.
        message = f": {error}" if isinstance(error, UnreadableResponseError) else ""
        self.losses.append(f"{method} {url}: {type(error).__name__}{message}")

    def find_requests_with_most_matches(self, _request: VcrRequest) -> list[Any]:
        """Leave the search for the nearest recording to `Miss.explain`: vcrpy would do it at every miss."""
        return []

    def _responses(self, request: VcrRequest) -> Iterator[tuple[int, Any]]:
        # vcrpy asks this of every request before it is sent, in either mode.
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
        """Do nothing: a recording is saved by its session, and only when the run has ended."""

    def _phase(self, request: CallRequest) -> str:
        if self._label is not None:
            return self._label(request)
        return self._ask_phase() if self._ask_phase else self.phase

    def _content(self, request: VcrRequest) -> bytes:
        content: bytes = request.body or b""
        return self._volatile.masked(content) if self._volatile else content

    def _masked(self, call: Call) -> Call:
        # It may have been recorded before the setting named what is volatile.
        if not self._volatile:
            return call
        body = parse_body(self._volatile.masked(body_bytes(call.request.body)))
        return replace(call, request=replace(call.request, body=body))

    def _call_request(self, request: VcrRequest) -> CallRequest:
        return CallRequest(method=request.method, url=request.uri, body=parse_body(self._content(request)))

    def _collect(
        self, request: VcrRequest, response: CallResponse | CallFailure, latency_ms: float | None
    ) -> None:
        asked = self._call_request(request)
        call = Call(phase=self._phase(asked), request=asked, response=response)
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
    # vcrpy hands over the same request object before and after it is sent.
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
