"""The traffic settings of one run: how its requests are answered."""

from __future__ import annotations

import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import httpx2
import vcr.patch as vcr_patch  # type: ignore[import-untyped]

from redpen_evals.cassettes.encoding import parse_body
from redpen_evals.cassettes.file import FAILURES, CallFailure, CallResponse
from redpen_evals.model_calls.reading import dialect_of

if TYPE_CHECKING:
    from redpen_evals.cassettes.cassette import RunCassette
    from redpen_evals.cassettes.file import CallResult


_TIMEOUT_S: Final = 70.0
_MODELS: Final = "/models"


class DirectTransport(httpx2.HTTPTransport):
    """Sends over the network even while the requests of runs are handed to their cassettes."""

    # As vcrpy found it when it was imported, whatever is in its place on the class.
    handle_request = vcr_patch._Httpx2HttpTransport_handle_request


class ScriptedUpstream:
    """Answers the model calls of a run from a scripted endpoint on loopback.

    Args:
        base_url: address of the endpoint, ending in ``/v1``, or what gives it at the first call, by when it
            is known how many calls of an older recording are kept.
        timeout_s: time in which the endpoint has to answer, in seconds.
    """

    def __init__(self, base_url: str | Callable[[], str], *, timeout_s: float = _TIMEOUT_S) -> None:
        self._find_base_url = base_url if callable(base_url) else lambda: base_url
        self._lock = threading.Lock()
        self._found = ""
        # Plain HTTP needs no certificates, and to load them takes longer than a run.
        self._transport = DirectTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        self._timeout = httpx2.Timeout(timeout_s).as_dict()

    def answers(self, method: str, url: str) -> bool:
        """Return whether a request asks a model, in a dialect that the endpoint speaks."""
        return self._path(method, url) is not None

    def send(self, method: str, url: str, content: bytes) -> CallResult:
        """Ask the endpoint and return what it answered, or how it failed to."""
        path = self._path(method, url)
        request = httpx2.Request(
            method,
            f"{self._base_url}{path}",
            headers={"content-type": "application/json", "accept-encoding": "identity"},
            content=content,
            extensions={"timeout": self._timeout},
        )
        try:
            response = self._transport.handle_request(request)
            body = response.read()
            response.close()
        except httpx2.TransportError as error:
            name = next(
                (one.__name__ for one in type(error).__mro__ if one.__name__ in FAILURES), FAILURES[-1]
            )
            return CallFailure(failure=name, message=str(error).replace(self._base_url, ""))
        headers: dict[str, tuple[str, ...]] = {}
        for header, value in response.headers.multi_items():
            headers[header] = (*headers.get(header, ()), value)
        return CallResponse(status=response.status_code, headers=headers, body=parse_body(body))

    def close(self) -> None:
        """Close the connections to the endpoint."""
        self._transport.close()

    @property
    def _base_url(self) -> str:
        with self._lock:
            self._found = self._found or self._find_base_url()
            return self._found

    def _path(self, method: str, url: str) -> str | None:
        parts = urlsplit(url)
        if method.upper() == "POST" and (dialect := dialect_of(url)):
            return dialect.path
        if method.upper() == "GET" and (_MODELS + "/" in parts.path or parts.path.endswith(_MODELS)):
            return parts.path[parts.path.index(_MODELS) :]
        return None


@dataclass(slots=True, kw_only=True, eq=False)
class RunScope:
    """The traffic of one run.

    Attributes:
        cassette: what answers its requests, or what they are recorded into.
        script: answers calls of a model while recording without one; None asks the real server.
        passthrough: hosts, ``name`` or ``name:port``, whose traffic is neither recorded nor replayed.
        telemetry: names of telemetry services that may be reached; see ``redpen_evals.traffic.telemetry``.
        deadline_s: monotonic time at which a response that is being recorded has to have ended.
        refused: requests of telemetry that were not sent, by service.
        problems: why the recording cannot be kept, such as a stream without end.
        ended: whether the run is over; what its threads ask for later is refused.
        script_turn: held from asking the script until its answer is recorded, so that the order of calls is
            that of the replies.
    """

    cassette: RunCassette
    script: ScriptedUpstream | None = None
    passthrough: frozenset[str] = frozenset()
    telemetry: frozenset[str] = frozenset()
    deadline_s: float = float("inf")
    refused: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    ended: bool = False
    script_turn: threading.Lock = field(default_factory=threading.Lock)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def refuse(self, service: str) -> None:
        """Count a request of telemetry that is not sent."""
        with self._lock:
            self.refused[service] += 1

    def report(self, problem: str) -> None:
        """Record a problem, once, because of which the recording is not saved."""
        with self._lock:
            if problem not in self.problems:
                self.problems.append(problem)

    @property
    def is_overdue(self) -> bool:
        """Whether the time in which a response has to end is over."""
        return time.monotonic() > self.deadline_s


class Unrecorded:
    """Marks code whose requests are nobody's to record: they go where they always went."""


UNRECORDED: Final = Unrecorded()


@contextmanager
def unrecorded() -> Iterator[None]:
    """Leave alone what the code inside asks for: it has a transport of its own."""
    token = CURRENT.set(UNRECORDED)
    try:
        yield
    finally:
        CURRENT.reset(token)


CURRENT: ContextVar[RunScope | Unrecorded | None] = ContextVar("redpen_run_scope", default=None)
"""The run of the current code; None outside of runs."""
