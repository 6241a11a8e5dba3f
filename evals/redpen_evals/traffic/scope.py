"""What one run does with the requests that its code makes."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from redpen_evals.cassettes.cassette import RunCassette
    from redpen_evals.traffic.scripted import ScriptedUpstream


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
        """Note what keeps the recording from being kept, once."""
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
"""The run that the code at hand works for; None where it was started by none."""
