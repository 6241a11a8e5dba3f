"""A lock on an open file; the system releases it when the process ends."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

if sys.platform == "win32":

    @contextlib.contextmanager
    def locked(_descriptor: int) -> Iterator[None]:
        """Do nothing: on Windows a lock would keep other processes from reading the file."""
        yield

else:
    import fcntl

    @contextlib.contextmanager
    def locked(descriptor: int) -> Iterator[None]:
        """Hold the lock of an open file; other processes wait for it."""
        # On a file system without locks, a single write is still atomic.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)
