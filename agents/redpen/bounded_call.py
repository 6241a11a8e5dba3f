"""Calls into code of somebody else's: a thread each, for so long and no longer.

Out of reach is what keeps Python's own lock to itself, such as one endless match of a regular expression.
"""

from __future__ import annotations

import contextvars
import re
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

MAX_HUNG_CALLS = 32
"""Calls of one name that may hang on past their time in a process; meanwhile none is made."""

_CLASS_NAME = re.compile(r"\w{1,100}")
_NAME, _MRO = type.__dict__["__name__"], type.__dict__["__mro__"]

ResultT = TypeVar("ResultT")


class CallTimedOut(Exception):  # noqa: N818 - says what happened
    """The call did not end in time; what it returns later is dropped."""


class TooManyHungCalls(Exception):  # noqa: N818 - says what happened
    """The call was not made: too many of its name hang."""


class CallFailed(Exception):  # noqa: N818 - says what happened
    """The call raised.

    Attributes:
        error: what it raised; of another kind than an interrupt by the user, which reaches the caller.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(class_names(error)[0])
        self.error = error


def call_in_time(work: Callable[[], ResultT], *, name: str, seconds: float) -> ResultT:
    """Call something that may never end.

    Args:
        work: does the call, and reads all that it returns or raises: to read one may take for ever too.
        name: what is called; those that hang are counted by it.
        seconds: how long it may take.

    Returns:
        What ``work`` returned.

    Raises:
        CallTimedOut: it did not end in time.
        CallFailed: it raised.
        TooManyHungCalls: it was not called.
        RuntimeError: the system has no thread left.
    """
    if _hung_calls(name) >= MAX_HUNG_CALLS:
        raise TooManyHungCalls(name)
    # A thread of its own for each call: one that hangs keeps nobody else's place, and its late result
    # lands where nobody looks any more.
    worker = _Worker(work, name)
    worker.start()
    try:
        worker.join(min(max(seconds, 0), threading.TIMEOUT_MAX))
    finally:
        worker.is_given_up = True
    if worker.error is not None:
        raise CallFailed(worker.error) from worker.error
    if not worker.results:
        raise CallTimedOut(name)
    return worker.results[0]


def class_names(error: BaseException) -> list[str]:
    """Return the names of an exception's class and of those that it comes from, the plain ones."""
    # Not by their attributes: a metaclass may have other ideas of a name.
    names = [str(_NAME.__get__(one)) for one in _MRO.__get__(type(error))]
    return list(filter(_CLASS_NAME.fullmatch, names)) or ["Exception"]


def text_of(error: BaseException) -> str:
    """Return the message of an exception, also of one that cannot tell it."""
    try:
        return str.__str__(str(error))
    except Exception:  # noqa: BLE001 - its own code, which may do anything
        return ""


class _Worker(threading.Thread, Generic[ResultT]):
    """The thread of one call."""

    def __init__(self, work: Callable[[], ResultT], call: str) -> None:
        super().__init__(name=f"redpen-{call}", daemon=True)
        self.call = call
        self.is_given_up = False
        self.results: list[ResultT] = []
        self.error: BaseException | None = None
        self._work = work
        self._variables = contextvars.copy_context()

    def run(self) -> None:
        # On a busy machine a thread may get its turn only when its time is over.
        if self.is_given_up:
            return
        try:
            self.results.append(self._variables.run(self._work))
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever called
            self.error = error


def _hung_calls(name: str) -> int:
    # Counted among the living, so that there is no count to keep right.
    return sum(
        isinstance(thread, _Worker) and thread.call == name and thread.is_given_up
        for thread in threading.enumerate()
    )
