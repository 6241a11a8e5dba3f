"""Calls foreign code in a thread, with a time limit.

A call that never releases Python's global lock, such as an endless regular-expression match, is not limited.
"""

from __future__ import annotations

import contextvars
import re
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

MAX_HUNG_CALLS = 32
"""Most hung calls of one name in a process; as long as there are so many, no further ones are made."""

_CLASS_NAME = re.compile(r"\w{1,100}")
_NAME, _MRO = type.__dict__["__name__"], type.__dict__["__mro__"]

ResultT = TypeVar("ResultT")


class CallTimedOut(Exception):  # noqa: N818 - says what happened
    """The call did not end in time; a later result is dropped."""


class TooManyHungCalls(Exception):  # noqa: N818 - says what happened
    """The call was not made, because too many calls of its name hang."""


class CallFailed(Exception):  # noqa: N818 - says what happened
    """The call raised an exception.

    Attributes:
        error: the exception; an interrupt by the user reaches the caller directly instead.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(class_names(error)[0])
        self.error = error


def call_in_time(work: Callable[[], ResultT], *, name: str, seconds: float) -> ResultT:
    """Call a function that may never end.

    Args:
        work: makes the call and reads its result or exception, because reading a foreign object may hang too.
        name: name of the callee, by which hung calls are counted.
        seconds: time limit.

    Returns:
        The result of ``work``.

    Raises:
        CallTimedOut: the call did not end in time.
        CallFailed: it raised an exception.
        TooManyHungCalls: it was not made.
        RuntimeError: the system cannot start a thread.
    """
    if _hung_calls(name) >= MAX_HUNG_CALLS:
        raise TooManyHungCalls(name)
    # Each call has its own thread, so that a hung call blocks no other one, and its late result is ignored.
    worker = _Worker(work, name)
    worker.start()
    try:
        worker.join(min(max(seconds, 0), threading.TIMEOUT_MAX))
    finally:
        worker.is_abandoned = True
    if worker.error is not None:
        raise CallFailed(worker.error) from worker.error
    if not worker.results:
        raise CallTimedOut(name)
    return worker.results[0]


def class_names(error: BaseException) -> list[str]:
    """Return the valid names of an exception's class and its base classes."""
    # A metaclass may override the attributes, so they are read through the descriptors of `type`.
    names = [str(_NAME.__get__(base)) for base in _MRO.__get__(type(error))]
    return list(filter(_CLASS_NAME.fullmatch, names)) or ["Exception"]


def text_of(error: BaseException) -> str:
    """Return the message of an exception; empty if its ``__str__`` fails."""
    try:
        return str.__str__(str(error))
    except Exception:  # noqa: BLE001 - foreign code may raise anything
        return ""


class _Worker(threading.Thread, Generic[ResultT]):
    """The thread of one call."""

    def __init__(self, work: Callable[[], ResultT], call: str) -> None:
        super().__init__(name=f"redpen-{call}", daemon=True)
        self.call = call
        self.is_abandoned = False
        self.results: list[ResultT] = []
        self.error: BaseException | None = None
        self._work = work
        self._variables = contextvars.copy_context()

    def run(self) -> None:
        # On a busy machine, a thread may start only after its time limit.
        if self.is_abandoned:
            return
        try:
            self.results.append(self._variables.run(self._work))
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            self.error = error


def _hung_calls(name: str) -> int:
    # Live threads are counted, so that no counter has to be kept consistent.
    return sum(
        isinstance(thread, _Worker) and thread.call == name and thread.is_abandoned
        for thread in threading.enumerate()
    )
