"""The time that a run has left for model calls, and their effort: tries, pauses, the breaker's state."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import Any, Literal

from redpen.types import JsonObject

LEAST_TRY_S = 0.2
"""Shortest time for a call, in seconds, even if the run's time is up."""

GRACE_S = 0.25
"""Extra time, in seconds, in which user code that observes the budget can report its own timeout before the
run stops waiting for it."""


@dataclass(slots=True, kw_only=True)
class Effort:
    """Tries and pauses of one model call.

    Attributes:
        tries: number of HTTP tries.
        waited_s: sum of the pauses between them, in seconds.
        breaker: ``half_open`` if the call was admitted as a probe of a failing server.
    """

    tries: int = 0
    waited_s: float = 0.0
    breaker: Literal["half_open"] | None = None

    def describe(self) -> str:
        """Return a description for a message; empty for a single try."""
        if self.tries <= 1:
            return ""
        return f" (after {self.tries} tries, with pauses of {self.waited_s:.1f} s)"


class CallBudget:
    """The time of a run that its model calls share, and their efforts since the last step.

    Args:
        deadline: when the time is up, as ``time.monotonic`` tells it.
    """

    def __init__(self, *, deadline: float) -> None:
        self.deadline = deadline
        self._efforts: list[Effort] = []

    def left_s(self) -> float:
        """Return the time limit of a call from now, in seconds; at least ``LEAST_TRY_S``."""
        return max(self.deadline - time.monotonic(), LEAST_TRY_S)

    def add(self, effort: Effort) -> None:
        """Record the effort of a call."""
        self._efforts.append(effort)

    @property
    def calls(self) -> int:
        """Number of efforts recorded since the last step."""
        return len(self._efforts)

    def efforts_after(self, calls: int) -> list[JsonObject]:
        """Return the efforts recorded after the first ``calls``, as JSON."""
        return [asdict(effort) for effort in self._efforts[calls:]]

    def replay(self, effort: Mapping[str, Any]) -> None:
        """Record an effort that ``efforts_after`` returned."""
        self._efforts.append(Effort(**effort))

    def renew(self, seconds: float) -> None:
        """Set the deadline to a number of seconds from now."""
        self.deadline = time.monotonic() + seconds

    def take_notes(self) -> JsonObject:
        """Return and clear the trace fields on the recorded calls; empty if each took one clean try."""
        efforts, self._efforts = self._efforts, []
        notes: JsonObject = {}
        tries = sum(effort.tries for effort in efforts)
        if tries > len(efforts):
            notes["attempts"] = tries
            notes["waited_s"] = round(sum(effort.waited_s for effort in efforts), 3)
        if probed := next((effort.breaker for effort in efforts if effort.breaker), None):
            notes["breaker"] = probed
        return notes


# A context variable instead of an argument, so that a user-defined chat object that wraps the client passes
# the budget on without a change of its signature.
_CURRENT: ContextVar[CallBudget | None] = ContextVar("redpen_call_budget", default=None)


def current_budget() -> CallBudget | None:
    """Return the budget of the current run, if there is one."""
    return _CURRENT.get()


@contextmanager
def spending(budget: CallBudget) -> Iterator[None]:
    """Apply a budget to the model calls inside the block."""
    token = _CURRENT.set(budget)
    try:
        yield
    finally:
        _CURRENT.reset(token)
