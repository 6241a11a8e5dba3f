"""Work that a fork of this process does on another processor, and that can be done here just as well."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from typing import IO, Any, NoReturn, Self


class SecondProcess:
    """A fork that does some work; see ``begin``.

    Args:
        process: number of the fork.
        source: where it sends what it found.
    """

    def __init__(self, process: int, source: IO[bytes]) -> None:
        self._process = process
        self._source: IO[bytes] | None = source

    @classmethod
    def begin(cls, work: Callable[[], Iterable[Any]]) -> Self | None:
        """Have a fork of this process do some work.

        Args:
            work: gives what is sent, piece by piece, none of them None. What it prints is lost.

        Returns:
            The fork; None where there is no second processor, and where a fork is not safe or would hide
            something: other threads run, a debugger, a profiler or a coverage tool is at work.
        """
        if not _is_worthwhile() or _is_unsafe():
            return None
        receiving, sending = os.pipe()
        try:
            with warnings.catch_warnings():
                # Threads of a library's own, in C, have nothing to do with what the fork does.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
        except OSError:
            # There is no room for another process.
            os.close(receiving)
            os.close(sending)
            return None
        if not process:
            os.close(receiving)
            _run(work, sending)
        os.close(sending)
        return cls(process, os.fdopen(receiving, "rb"))

    def take(self) -> Any | None:
        """Wait for the next piece; None where there is none, so that its work is to be done here.

        It may have died, raised, warned or come to a breakpoint: all that has to happen in this process.
        """
        if self._source is None:
            return None
        try:
            return pickle.load(self._source)  # noqa: S301 - of a fork of this process
        except Exception:  # noqa: BLE001 - whatever became of the fork
            self._source.close()
            self._source = None
            return None

    def end(self) -> None:
        """End the fork, whatever it is at."""
        if self._source is not None:
            self._source.close()
            self._source = None
        # A test that waits for any process at all may have taken the end of this one.
        with contextlib.suppress(ChildProcessError):
            if not os.waitpid(self._process, os.WNOHANG)[0]:
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)


def _is_worthwhile() -> bool:
    # Linux alone has this call; elsewhere libraries of the system do not bear a fork.
    affinity = getattr(os, "sched_getaffinity", None)
    return affinity is not None and len(affinity(0)) > 1


def _is_unsafe() -> bool:
    """Whether other threads run, which a fork would not have, or something watches this process alone."""
    if threading.active_count() > 1:
        return True
    if sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring: Any = getattr(sys, "monitoring", None)
    return monitoring is not None and any(map(monitoring.get_tool, range(6)))


def _run(work: Callable[[], Iterable[Any]], sending: int) -> NoReturn:
    try:
        _leave_alone_what_is_shared()
        with os.fdopen(sending, "wb") as target, warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            for piece in work():
                # What a filter makes of a warning shows where the work is done in its place.
                if warned:
                    break
                pickle.dump(piece, target)
                target.flush()
    except BaseException:  # noqa: BLE001 - nothing of the fork may run on in the code that it comes from
        os._exit(1)
    os._exit(0)


def _leave_alone_what_is_shared() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    # They may stand for other descriptors.
    sys.stdout = sys.stderr = os.fdopen(1, "w")
    sys.breakpointhook = _end
    if "pdb" in sys.modules:
        sys.modules["pdb"].set_trace = _end  # type: ignore[attr-defined]
    # What is shared would be copied for the sake of a collection.
    gc.freeze()
    gc.enable()


def _end(*_: object, **__: object) -> NoReturn:
    os._exit(1)
