"""Atomic file writes and folder locks."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import time
from typing import TYPE_CHECKING, Final

from redpen_evals.folders import walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TEMPORARY_SUFFIX: Final = ".redpen-tmp"
_ABANDONED_AFTER_S: Final = 3600.0
_MAX_ATTEMPTS: Final = 100
"""Another process may remove a temporary file between its creation and its lock, repeatedly if many threads
save into the same folder."""


def is_temporary(path: Path) -> bool:
    """Return whether a file is a temporary file of `replace_file`, in use or left by a killed process."""
    return path.name.startswith(".") and path.name.endswith(_TEMPORARY_SUFFIX)


def remove_leftovers(folder: Path, *, deep: bool = False) -> None:
    """Remove the temporary files of killed processes from a folder, except those being written.

    Args:
        folder: the folder; it need not exist.
        deep: whether to include its subfolders.
    """
    paths = (path for path, _ in walk(folder)) if deep else folder.glob(f".*{_TEMPORARY_SUFFIX}")
    for path in filter(is_temporary, paths):
        with contextlib.suppress(OSError):
            _remove_abandoned(path)


def replace_file(path: Path, content: bytes, *, tidy: bool = True) -> None:
    """Write a file atomically.

    Args:
        path: the file; its folder is created.
        content: the whole content.
        tidy: whether to remove leftovers of killed processes from the folder, which lists all of it.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if tidy:
        remove_leftovers(path.parent)
    temporary, descriptor = _create_temporary(path)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            # Windows cannot move an open file; elsewhere the lock must be held until the rename.
            if sys.platform != "win32":
                temporary.replace(path)
        if sys.platform == "win32":
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _create_temporary(path: Path) -> tuple[Path, int]:
    for _ in range(_MAX_ATTEMPTS):
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}{_TEMPORARY_SUFFIX}")
        # Opened with mode 0666, so that the user's umask applies.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        if _lock(descriptor):
            return temporary, descriptor
        os.close(descriptor)
    raise OSError("the temporary file was removed by another process")


if sys.platform == "win32":

    def _lock(_descriptor: int) -> bool:
        return True

    def _remove_abandoned(path: Path) -> None:
        if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_S:
            path.unlink()

    def _sync_folder(_folder: Path) -> None:
        # Windows cannot flush a folder.
        return

    def locks_folders() -> bool:
        """Return whether ``locked_folder`` keeps other processes out."""
        return False

    @contextlib.contextmanager
    def locked_folder(folder: Path) -> Iterator[None]:
        """Create a folder; Windows cannot lock it."""
        folder.mkdir(parents=True, exist_ok=True)
        yield

else:
    import fcntl

    def locks_folders() -> bool:
        """Return whether ``locked_folder`` keeps other processes out."""
        return True

    @contextlib.contextmanager
    def locked_folder(folder: Path) -> Iterator[None]:
        """Create a folder and hold its lock in the block; the system releases it if the process dies."""
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            # On a file system without locks, users must not write to one folder concurrently.
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _lock(descriptor: int) -> bool:
        # The system releases the lock with the process, so a file without a lock has no writer. If another
        # process removed the file before the lock, its link count is zero. On a file system without locks
        # nothing is cleaned up.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return os.fstat(descriptor).st_nlink > 0

    def _remove_abandoned(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Removed under the lock, so that a writer waiting for it notices.
            path.unlink()
        finally:
            os.close(descriptor)

    def _sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
