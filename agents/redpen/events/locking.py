"""Locks an open file; the operating system releases the lock when the process ends."""

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
        """Lock a file inside the block; other processes wait for the lock."""
        # On a file system without locks, a single write is still atomic.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)
