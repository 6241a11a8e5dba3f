"""What forks of this process have to tell it."""

from __future__ import annotations

import contextlib
import json
import os
import weakref
from collections.abc import Mapping
from typing import Any, Final

_MOST_BYTES: Final = 4_000
"""Longest report: as many bytes are written to a pipe at once or not at all."""


class ForkReports:
    """A way for forks to tell the process that they come from; it costs nothing until that forks."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._ends: tuple[int, int] | None = None
        self._rest = b""

    def open(self) -> None:
        """Belong to this process, and listen to the forks that it makes from now on."""
        self._process = os.getpid()
        _KNOWN.add(self)

    @property
    def is_fork(self) -> bool:
        """Whether the code runs in a fork of the process that it belongs to."""
        return os.getpid() != self._process

    def prepare(self) -> None:
        """Make the pipe, before a fork is made."""
        if self._ends is None and not self.is_fork:
            self._ends = os.pipe()
            for end in self._ends:
                os.set_blocking(end, False)
            weakref.finalize(self, _close, self._ends, os.getpid())

    def send(self, report: Mapping[str, Any]) -> None:
        """Tell something to the process that this one comes from; what does not get through is dropped."""
        line = json.dumps(report).encode()[:_MOST_BYTES] + b"\n"
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
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found


_KNOWN: Final[weakref.WeakSet[ForkReports]] = weakref.WeakSet()


def _before_fork() -> None:
    for reports in list(_KNOWN):
        with contextlib.suppress(OSError):
            reports.prepare()


def _close(ends: tuple[int, int], process: int) -> None:
    if os.getpid() == process:
        for end in ends:
            with contextlib.suppress(OSError):
                os.close(end)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
