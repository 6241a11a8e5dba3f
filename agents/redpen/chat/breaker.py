"""A circuit breaker: a server that keeps failing is left alone for a while, then probed by one try.

Written here because no kept library fits: pybreaker holds its lock for the length of a call, so that
all calls of a process queue up behind one another, and tells the time by the wall clock; purgatory and
aiobreaker are made for asyncio, and half open they let everybody through.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

THRESHOLD = 5
"""Tries that fail in a row before the circuit opens."""

REST_S = 30.0
"""Seconds for which an open circuit lets nothing through."""

Admission = Literal["closed", "half_open"]
"""How a try was let through: as any other, or as the probe."""

# The cache alone would let runs that start together make a breaker each.
_LOCK = threading.Lock()


class CircuitOpen(Exception):  # noqa: N818 - names the state, as the literature does
    """The circuit is open: the try was not made."""


class CircuitBreaker:
    """Counts failures in a row; open, it lets one probe through after each rest. Thread-safe.

    Args:
        threshold: failures in a row that open it.
        rest_s: how long it then lets nothing through, in seconds.
        clock: monotonic clock, in seconds.
    """

    def __init__(
        self,
        *,
        threshold: int = THRESHOLD,
        rest_s: float = REST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._threshold = threshold
        self._rest_s = rest_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether the server counts as down; probes are let through all the same."""
        return self._opened_at is not None

    def admit(self) -> Admission:
        """Let a try through; ``settle`` has to be called with what is returned when it has ended.

        Raises:
            CircuitOpen: it has to wait, or another thread is probing.
        """
        with self._lock:
            if self._opened_at is None:
                return "closed"
            left = self._opened_at + self._rest_s - self._clock()
            if left > 0 or self._probing:
                until = f"the next is let through in {left:.0f} s" if left > 0 else "a probe is under way"
                raise CircuitOpen(f"{self._threshold} tries in a row failed, {until}")
            self._probing = True
            return "half_open"

    def settle(self, admission: Admission, *, healthy: bool | None) -> None:
        """Say how a try ended.

        Args:
            admission: how it was let through.
            healthy: whether the server did its part; None where the try says nothing of that.
        """
        with self._lock:
            if admission == "half_open":
                self._probing = False
            elif self._opened_at is not None:
                # It began before the circuit opened, and is no news.
                return
            if healthy:
                self._failures, self._opened_at = 0, None
            elif healthy is False:
                self._failures += 1
                # Those that opened it still count: one more, of a probe, opens it anew.
                if self._failures >= self._threshold:
                    self._opened_at = self._clock()


def shared_breaker(base_url: str, model: str) -> CircuitBreaker:
    """Return the process's breaker for a model at an address; a forked child gets one of its own."""
    with _LOCK:
        return _breaker_of(os.getpid(), base_url.rstrip("/"), model)


@lru_cache(maxsize=256)
def _breaker_of(_pid: int, _base_url: str, _model: str) -> CircuitBreaker:
    return CircuitBreaker()
