"""Reports from forks of this process."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import weakref
from collections.abc import Mapping
from typing import IO, Any


class ForkReports:
    """A channel from forks to their parent process: a temporary file without a name."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._file: IO[bytes] | None = None
        self._read_bytes = 0

    def open(self) -> None:
        """Bind to this process, and listen to its future forks."""
        self._process = os.getpid()
        if self._file is None and hasattr(os, "fork"):
            # Without room for a file, forks report nothing.
            with contextlib.suppress(OSError):
                self._file = tempfile.TemporaryFile("a+b", buffering=0)  # noqa: SIM115 - closed with this object
                weakref.finalize(self, self._file.close)

    @property
    def is_fork(self) -> bool:
        """Whether the code runs in a fork of the bound process."""
        return os.getpid() != self._process

    def send(self, report: Mapping[str, Any]) -> None:
        """Send a report to the parent process."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.write(json.dumps(report).encode() + b"\n")

    def read(self) -> list[dict[str, Any]]:
        """Return the reports of forks since the last call; none while the interpreter exits."""
        if self._file is None or self._file.closed or self.is_fork:
            return []
        size = os.fstat(self._file.fileno()).st_size
        content = os.pread(self._file.fileno(), size - self._read_bytes, self._read_bytes)
        # A fork may be writing its line now.
        whole = content[: content.rfind(b"\n") + 1]
        self._read_bytes += len(whole)
        return [json.loads(line) for line in whole.splitlines()]
