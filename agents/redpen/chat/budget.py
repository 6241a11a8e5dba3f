"""The remaining time of a run for model calls, and statistics of their HTTP attempts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import Any, Literal

from redpen.types import JsonObject

MIN_ATTEMPT_S = 0.2
"""Minimum time limit of a call, in seconds, even if the run has no time left."""

GRACE_S = 0.25
"""Extra time, in seconds, in which user code that respects the budget can report its own timeout before the
run stops waiting for it."""


@dataclass(slots=True, kw_only=True)
class CallStats:
    """Statistics of one model call.

    Attributes:
        tries: number of HTTP attempts.
        waited_s: total of the pauses between them, in seconds.
        breaker: ``half_open`` if an attempt was admitted as a probe of a failing server.
    """

    tries: int = 0
    waited_s: float = 0.0
    breaker: Literal["half_open"] | None = None

    def describe(self) -> str:
        """Return a suffix for an error message; empty if there was only one attempt."""
        if self.tries <= 1:
            return ""
        return f" (after {self.tries} attempts, with pauses of {self.waited_s:.1f} s)"


class CallBudget:
    """The deadline that the model calls of a run share, and the calls' statistics since the last step.

    Args:
        deadline: when the run has to end, on the clock of ``time.monotonic``, in seconds.
    """

    def __init__(self, *, deadline: float) -> None:
        self.deadline = deadline
        self._stats: list[CallStats] = []

    def left_s(self) -> float:
        """Return the time limit of a call that starts now, in seconds; at least ``MIN_ATTEMPT_S``."""
        return max(self.deadline - time.monotonic(), MIN_ATTEMPT_S)

    def add(self, stats: CallStats) -> None:
        """Record the statistics of a call."""
        self._stats.append(stats)

    @property
    def calls(self) -> int:
        """Number of calls recorded since the last step."""
        return len(self._stats)

    def stats_after(self, calls: int) -> list[JsonObject]:
        """Return the statistics recorded after the first ``calls`` calls, as JSON."""
        return [asdict(stats) for stats in self._stats[calls:]]

    def replay(self, stats: Mapping[str, Any]) -> None:
        """Record statistics that ``stats_after`` returned."""
        self._stats.append(CallStats(**stats))

    def restart(self, seconds: float) -> None:
        """Move the deadline to a number of seconds from now."""
        self.deadline = time.monotonic() + seconds

    def take_trace_fields(self) -> JsonObject:
        """Return the trace fields for the recorded calls, and clear them; empty if no call was retried."""
        recorded, self._stats = self._stats, []
        fields: JsonObject = {}
        tries = sum(stats.tries for stats in recorded)
        if tries > len(recorded):
            fields["attempts"] = tries
            fields["waited_s"] = round(sum(stats.waited_s for stats in recorded), 3)
        if breaker := next((stats.breaker for stats in recorded if stats.breaker), None):
            fields["breaker"] = breaker
        return fields


# A context variable instead of a parameter, so that user-defined chat objects that wrap the client need not
# pass the budget on.
_CURRENT: ContextVar[CallBudget | None] = ContextVar("redpen_call_budget", default=None)


def current_budget() -> CallBudget | None:
    """Return the budget of the current run, if there is one."""
    return _CURRENT.get()


@contextmanager
def use_budget(budget: CallBudget) -> Iterator[None]:
    """Make a budget the current one for model calls inside the block."""
    token = _CURRENT.set(budget)
    try:
        yield
    finally:
        _CURRENT.reset(token)
