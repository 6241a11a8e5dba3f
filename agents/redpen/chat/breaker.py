"""A circuit breaker: after repeated failures it blocks requests to a server, then admits a single probe.

No maintained library fits: pybreaker uses the wall clock and holds its lock for the duration of a call, which
serialises all calls of a process; purgatory and aiobreaker are made for asyncio and admit all calls when half
open.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

THRESHOLD = 5
"""Number of consecutive failed attempts that opens the circuit."""

RESET_TIMEOUT_S = 30.0
"""Time for which an open circuit admits no attempt, in seconds."""

Admission = Literal["closed", "half_open"]
"""State in which an attempt was admitted: ``half_open`` for a probe."""

# Without the lock, runs that start at the same time could each create a breaker.
_LOCK = threading.Lock()


class CircuitOpen(Exception):  # noqa: N818 - the usual name
    """The circuit is open: no attempt was made."""


class CircuitBreaker:
    """Counts consecutive failures; while open, it admits one probe after each reset timeout. Thread-safe.

    Args:
        threshold: number of consecutive failures that opens it.
        reset_timeout_s: time before a probe is admitted, in seconds.
        clock: monotonic clock, in seconds.
    """

    def __init__(
        self,
        *,
        threshold: int = THRESHOLD,
        reset_timeout_s: float = RESET_TIMEOUT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._threshold = threshold
        self._reset_timeout_s = reset_timeout_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether the circuit is open; probes are still admitted."""
        return self._opened_at is not None

    def admit(self) -> Admission:
        """Admit an attempt; the caller has to pass the returned value to ``record`` when the attempt ends.

        Raises:
            CircuitOpen: the reset timeout has not elapsed, or another thread is probing.
        """
        with self._lock:
            if self._opened_at is None:
                return "closed"
            left = self._opened_at + self._reset_timeout_s - self._clock()
            if left > 0 or self._probing:
                until = f"next attempt allowed in {left:.0f} s" if left > 0 else "a probe is in progress"
                raise CircuitOpen(f"{self._threshold} attempts in a row failed; {until}")
            self._probing = True
            return "half_open"

    def record(self, admission: Admission, *, healthy: bool | None) -> None:
        """Record the result of an attempt.

        Args:
            admission: the value that ``admit`` returned.
            healthy: whether the server worked; None if the attempt does not show it.
        """
        with self._lock:
            if admission == "half_open":
                self._probing = False
            elif self._opened_at is not None:
                # The attempt began before the circuit opened, so its result is outdated.
                return
            if healthy:
                self._failures, self._opened_at = 0, None
            elif healthy is False:
                self._failures += 1
                # The failure count is kept, so that one failed probe opens the circuit again.
                if self._failures >= self._threshold:
                    self._opened_at = self._clock()


def shared_breaker(base_url: str, model: str) -> CircuitBreaker:
    """Return the process's breaker for a model at a base URL; a forked child process gets its own."""
    with _LOCK:
        return _breaker_of(os.getpid(), base_url.rstrip("/"), model)


@lru_cache(maxsize=256)
def _breaker_of(_pid: int, _base_url: str, _model: str) -> CircuitBreaker:
    return CircuitBreaker()
