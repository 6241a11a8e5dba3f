"""The time limit of a row."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class RowTimeoutError(BaseException):
    """A row took too long; not an ``Exception``, so that no guard catches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTimer:
    """Raises ``RowTimeoutError`` if a row takes too long.

    Attributes:
        seconds: limit of a row; None if it cannot be interrupted.
    """

    seconds: float | None

    def start(self) -> None:
        """Start the time of a row."""
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def stop(self) -> None:
        """Stop the time of a row."""
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def row_timer(seconds: float) -> Iterator[RowTimer]:
    """Provide a timer for the rows of a chunk; it needs a Unix system and the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield RowTimer(seconds=None)
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    try:
        yield RowTimer(seconds=seconds)
    finally:
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> None:
    raise RowTimeoutError
