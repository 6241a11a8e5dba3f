"""Reports from forks of this process."""

from __future__ import annotations

import contextlib
import json
import os
import weakref
from collections.abc import Mapping
from typing import Any, Final

_MAX_BYTES: Final = 4_000
"""Maximum size of a report; writes of this size to a pipe are atomic."""


class ForkReports:
    """A channel from forks to their parent process, created at the first fork."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._ends: tuple[int, int] | None = None
        self._rest = b""

    def open(self) -> None:
        """Bind to this process, and listen to its future forks."""
        self._process = os.getpid()
        _OPEN.add(self)

    @property
    def is_fork(self) -> bool:
        """Whether the code runs in a fork of the bound process."""
        return os.getpid() != self._process

    def prepare(self) -> None:
        """Create the pipe before a fork."""
        if self._ends is None and not self.is_fork:
            self._ends = os.pipe()
            for end in self._ends:
                os.set_blocking(end, False)
            weakref.finalize(self, _close, self._ends, os.getpid())

    def send(self, report: Mapping[str, Any]) -> None:
        """Send a report to the parent process; it is dropped if the pipe is full or closed."""
        line = json.dumps(report).encode()[:_MAX_BYTES] + b"\n"
        if self._ends is not None:
            with contextlib.suppress(OSError):
                os.write(self._ends[1], line)

    def read(self) -> list[dict[str, Any]]:
        """Return the reports of forks since the last call."""
        if self._ends is None or self.is_fork:
            return []
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self._ends[0], 65_536):
                self._rest += piece
        *lines, self._rest = self._rest.split(b"\n")
        reports = []
        for line in lines:
            with contextlib.suppress(ValueError):
                reports.append(json.loads(line))
        return reports


_OPEN: Final[weakref.WeakSet[ForkReports]] = weakref.WeakSet()


def _before_fork() -> None:
    for reports in list(_OPEN):
        with contextlib.suppress(OSError):
            reports.prepare()


def _close(ends: tuple[int, int], process: int) -> None:
    if os.getpid() == process:
        for end in ends:
            with contextlib.suppress(OSError):
                os.close(end)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
