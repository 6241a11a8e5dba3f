"""The time limit of a row."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class RowTimeoutError(BaseException):
    """A row took too long; not an ``Exception``, so that no guard catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``RowTimeoutError`` if the block takes longer; needs a Unix system and the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> None:
    raise RowTimeoutError
