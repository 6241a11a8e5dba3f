"""Work that a fork does on another processor, and that this process can do itself if the fork cannot."""

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
        process: process id of the fork.
        source: the pipe from which its results are read.
    """

    def __init__(self, process: int, source: IO[bytes]) -> None:
        self._process = process
        self._source: IO[bytes] | None = source

    @classmethod
    def begin(cls, work: Callable[[], Iterable[Any]]) -> Self | None:
        """Start some work in a fork of this process.

        Args:
            work: yields the results to send, none of them None. What it prints is lost.

        Returns:
            The fork; None where there is no second processor, or a fork is not safe or would hide something:
            other threads run, or a debugger, a profiler or a coverage tool is active.
        """
        if not _is_worthwhile() or _is_unsafe():
            return None
        receiving, sending = os.pipe()
        try:
            with warnings.catch_warnings():
                # C threads of libraries do not affect what the fork does.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
        except OSError:
            os.close(receiving)
            os.close(sending)
            return None
        if not process:
            os.close(receiving)
            _run(work, sending)
        os.close(sending)
        return cls(process, os.fdopen(receiving, "rb"))

    def take(self) -> Any | None:
        """Wait for the next result; None if there is none, so that this process has to do its work.

        The fork may have died, raised, warned or hit a breakpoint: all that has to happen in this process.
        """
        if self._source is None:
            return None
        try:
            return pickle.load(self._source)  # noqa: S301 - of a fork of this process
        except Exception:  # noqa: BLE001 - the fork may fail in any way
            self._source.close()
            self._source = None
            return None

    def end(self) -> None:
        """End the fork, even in the middle of its work."""
        if self._source is not None:
            self._source.close()
            self._source = None
        # A test that waits for any child process may have reaped this one.
        with contextlib.suppress(ChildProcessError):
            if not os.waitpid(self._process, os.WNOHANG)[0]:
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)


def _is_worthwhile() -> bool:
    # Only Linux has this call; elsewhere system libraries are not safe after a fork.
    affinity = getattr(os, "sched_getaffinity", None)
    return affinity is not None and len(affinity(0)) > 1


def _is_unsafe() -> bool:
    """Whether other threads run, which a fork would lack, or a tool traces this process."""
    if threading.active_count() > 1:
        return True
    if sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring: Any = getattr(sys, "monitoring", None)
    return monitoring is not None and any(map(monitoring.get_tool, range(6)))


def _run(work: Callable[[], Iterable[Any]], sending: int) -> NoReturn:
    try:
        _detach()
        with os.fdopen(sending, "wb") as target, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for piece in work():
                # The parent does this work again, where its filters apply to the warning.
                if caught:
                    break
                pickle.dump(piece, target)
                target.flush()
    except BaseException:  # noqa: BLE001 - the fork must not return into its caller's code
        os._exit(1)
    os._exit(0)


def _detach() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    # pytest may have pointed them at other descriptors.
    sys.stdout = sys.stderr = os.fdopen(1, "w")
    sys.breakpointhook = _end
    if "pdb" in sys.modules:
        sys.modules["pdb"].set_trace = _end  # type: ignore[attr-defined]
    # A collection would touch, and so copy, the pages shared with the parent.
    gc.freeze()
    gc.enable()


def _end(*_: object, **__: object) -> NoReturn:
    os._exit(1)
