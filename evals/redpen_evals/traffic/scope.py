"""The traffic settings of one run: how its requests are answered."""

from __future__ import annotations

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

from redpen_evals.cassettes.file import CallFailure, failure_name
from redpen_evals.cassettes.transport import call_response, certificates_for
from redpen_evals.model_calls.reading import dialect_of

if TYPE_CHECKING:
    from redpen_evals.cassettes.cassette import RunCassette
    from redpen_evals.cassettes.file import CallResult


_TIMEOUT_S: Final = 70.0
_MODELS: Final = "/models"


class DirectTransport(httpx2.HTTPTransport):
    """Sends requests over the network, past the patch that hands requests of runs to their cassettes."""

    # The original function, which vcrpy keeps when it is imported.
    handle_request = vcr_patch._Httpx2HttpTransport_handle_request


class ScriptedUpstream:
    """Answers the model calls of a run from a scripted endpoint on loopback.

    Args:
        start: starts the endpoint at the first call, and returns its address, ending in ``/v1``; only then is
            it known how many calls of an older recording are kept.

    Calls are sent one after another: the router holds the run's ``script_turn``.
    """

    def __init__(self, start: Callable[[], str]) -> None:
        self._start = start
        self._base_url = ""
        self._transport = DirectTransport(verify=certificates_for("http://"))

    def answers(self, method: str, url: str) -> bool:
        """Return whether a request is a model call in a dialect of the endpoint."""
        return self._path(method, url) is not None

    def send(self, method: str, url: str, content: bytes) -> CallResult:
        """Send a request to the endpoint and return its response or failure."""
        self._base_url = self._base_url or self._start()
        path = self._path(method, url)
        request = httpx2.Request(
            method,
            f"{self._base_url}{path}",
            headers={"content-type": "application/json", "accept-encoding": "identity"},
            content=content,
            extensions={"timeout": httpx2.Timeout(_TIMEOUT_S).as_dict()},
        )
        try:
            response = self._transport.handle_request(request)
            content = response.read()
            response.close()
        except httpx2.TransportError as error:
            message = str(error).replace(self._base_url, "")
            return CallFailure(failure=failure_name(error) or "TransportError", message=message)
        return call_response(response, content)

    def close(self) -> None:
        """Close the connections to the endpoint."""
        self._transport.close()

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
        deadline_s: monotonic time by which a response that is being recorded has to end.
        refused: requests of telemetry that were not sent, by service.
        problems: why the recording cannot be saved, such as a stream without end.
        ended: whether the run is over; later requests of its threads are refused.
        script_turn: held while a scripted reply is requested and recorded, so that calls and replies have the
            same order.
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
    """Marks code whose requests are sent as usual, without a recording."""


UNRECORDED: Final = Unrecorded()


@contextmanager
def unrecorded() -> Iterator[None]:
    """Do not record the requests of the block: it has a transport of its own."""
    token = CURRENT.set(UNRECORDED)
    try:
        yield
    finally:
        CURRENT.reset(token)


CURRENT: ContextVar[RunScope | Unrecorded | None] = ContextVar("redpen_run_scope", default=None)
"""The run of the current code; None outside of runs."""
