"""A lock on an open file, which the system drops with the process that holds it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

if sys.platform == "win32":

    @contextlib.contextmanager
    def locked(_descriptor: int) -> Iterator[None]:
        """Hold no lock: a file that is appended to has none on Windows that lets others read it."""
        yield

else:
    import fcntl

    @contextlib.contextmanager
    def locked(descriptor: int) -> Iterator[None]:
        """Hold the lock of an open file; others who ask for it wait."""
        # On a file system without locks a single write is still one piece.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)
