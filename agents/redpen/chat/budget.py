"""What a run leaves its model calls of its time, and what they took: tries, pauses, the breaker's state."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import Any, Literal

from redpen.types import JsonObject

LEAST_TRY_S = 0.2
"""A call that a run makes when its time is just up still gets this long, in seconds."""

GRACE_S = 0.25
"""Code of the user's own that keeps to the budget by itself has this long, in seconds, to say so in its own
words before it is left alone; what it calls is left alone before it is."""


@dataclass(slots=True, kw_only=True)
class Effort:
    """What one model call took.

    Attributes:
        tries: HTTP tries.
        waited_s: pauses between them, in seconds.
        breaker: ``half_open`` where the call was let through as a probe of a server that had failed.
    """

    tries: int = 0
    waited_s: float = 0.0
    breaker: Literal["half_open"] | None = None

    def describe(self) -> str:
        """Return what a message says of it: nothing of a single try."""
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
        """Return how long a call may take from now, in seconds; never less than ``LEAST_TRY_S``."""
        return max(self.deadline - time.monotonic(), LEAST_TRY_S)

    def add(self, effort: Effort) -> None:
        """Note what a call took."""
        self._efforts.append(effort)

    @property
    def calls(self) -> int:
        """How many efforts were noted since the last step."""
        return len(self._efforts)

    def efforts_after(self, calls: int) -> list[JsonObject]:
        """Return the efforts noted after so many, as JSON."""
        return [asdict(effort) for effort in self._efforts[calls:]]

    def replay(self, effort: Mapping[str, Any]) -> None:
        """Note an effort of ``efforts_after`` again."""
        self._efforts.append(Effort(**effort))

    def renew(self, seconds: float) -> None:
        """Have the time be up so many seconds from now."""
        self.deadline = time.monotonic() + seconds

    def take_notes(self) -> JsonObject:
        """Return what the trace says of the calls since the last time: nothing if each was one clean try."""
        efforts, self._efforts = self._efforts, []
        notes: JsonObject = {}
        tries = sum(effort.tries for effort in efforts)
        if tries > len(efforts):
            notes["attempts"] = tries
            notes["waited_s"] = round(sum(effort.waited_s for effort in efforts), 3)
        if probed := next((effort.breaker for effort in efforts if effort.breaker), None):
            notes["breaker"] = probed
        return notes


# A context variable and no argument: a chat object of the user's own that wraps the client keeps its
# signature, and passes the budget on without knowing of it.
_CURRENT: ContextVar[CallBudget | None] = ContextVar("redpen_call_budget", default=None)


def current_budget() -> CallBudget | None:
    """Return the budget of the run that this code works for, if there is one."""
    return _CURRENT.get()


@contextmanager
def spending(budget: CallBudget) -> Iterator[None]:
    """Have the model calls inside keep to a budget."""
    token = _CURRENT.set(budget)
    try:
        yield
    finally:
        _CURRENT.reset(token)
