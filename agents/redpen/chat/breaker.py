"""A circuit breaker: after repeated failures, requests to a server pause; then one try probes it.

No maintained library fits: pybreaker holds its lock for the length of a call, which serialises all calls of a
process, and uses the wall clock; purgatory and aiobreaker are made for asyncio, and admit all calls when half
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
"""Consecutive failed tries that open the circuit."""

REST_S = 30.0
"""Seconds for which an open circuit lets nothing through."""

Admission = Literal["closed", "half_open"]
"""State in which a try was admitted: ``half_open`` for the probe."""

# Without the lock, runs that start at the same time could each make a breaker.
_LOCK = threading.Lock()


class CircuitOpen(Exception):  # noqa: N818 - names the state, as the literature does
    """The circuit is open: the try was not made."""


class CircuitBreaker:
    """Counts consecutive failures; when open, it admits one probe after each pause. Thread-safe.

    Args:
        threshold: consecutive failures that open it.
        rest_s: pause before a probe is admitted, in seconds.
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
        """Whether the circuit is open; probes are still admitted."""
        return self._opened_at is not None

    def admit(self) -> Admission:
        """Admit a try; the caller has to pass the returned value to ``settle`` when the try has ended.

        Raises:
            CircuitOpen: the pause is not over, or another thread is probing.
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
        """Record the result of a try.

        Args:
            admission: the value that ``admit`` returned.
            healthy: whether the server worked; None if the try does not tell.
        """
        with self._lock:
            if admission == "half_open":
                self._probing = False
            elif self._opened_at is not None:
                # The try began before the circuit opened, so its result is outdated.
                return
            if healthy:
                self._failures, self._opened_at = 0, None
            elif healthy is False:
                self._failures += 1
                # The failure count is kept, so that one failed probe opens the circuit again.
                if self._failures >= self._threshold:
                    self._opened_at = self._clock()


def shared_breaker(base_url: str, model: str) -> CircuitBreaker:
    """Return the process's breaker for a model at an address; a forked child gets one of its own."""
    with _LOCK:
        return _breaker_of(os.getpid(), base_url.rstrip("/"), model)


@lru_cache(maxsize=256)
def _breaker_of(_pid: int, _base_url: str, _model: str) -> CircuitBreaker:
    return CircuitBreaker()
