"""Files that are written atomically, whatever becomes of the writer."""

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
_WRITE_TRIES: Final = 100
"""A file is taken away where a cleaner comes between its creation and its lock; many threads that save into
one folder do it to each other several times in a row."""


def is_temporary(path: Path) -> bool:
    """Return whether a file is one that `replace_file` writes to; its writer is at work, or was killed."""
    return path.name.startswith(".") and path.name.endswith(_TEMPORARY_SUFFIX)


def remove_leftovers(folder: Path, *, deep: bool = False) -> None:
    """Remove the temporary files that a killed run left in a folder; those being written stay.

    Args:
        folder: it need not exist.
        deep: whether to look into the folders below as well.
    """
    paths = (path for path, _ in walk(folder)) if deep else folder.glob(f".*{_TEMPORARY_SUFFIX}")
    for path in filter(is_temporary, paths):
        with contextlib.suppress(OSError):
            _remove_abandoned(path)


def replace_file(path: Path, content: bytes, *, tidy: bool = True) -> None:
    """Write a file atomically; an older one stays until the new one is complete.

    Args:
        path: the file; its folder is made.
        content: all of it.
        tidy: whether to remove what killed runs left in the folder, which lists all of it.

    Raises:
        OSError: the disk refused it.
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
            # Windows moves no open file; elsewhere the lock has to last until the name is final.
            if sys.platform != "win32":
                temporary.replace(path)
        if sys.platform == "win32":
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _create_temporary(path: Path) -> tuple[Path, int]:
    for _ in range(_WRITE_TRIES):
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}{_TEMPORARY_SUFFIX}")
        # Opened like any file, so that the user's umask decides about its mode.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        if _lock(descriptor):
            return temporary, descriptor
        os.close(descriptor)
    raise OSError("the temporary file was taken away by another process")


if sys.platform == "win32":

    def _lock(_descriptor: int) -> bool:
        return True

    def _remove_abandoned(path: Path) -> None:
        if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_S:
            path.unlink()

    def _sync_folder(_folder: Path) -> None:
        # Windows has no handle on a folder that could be flushed.
        return

    def locks_folders() -> bool:
        """Return whether ``locked_folder`` keeps other processes out."""
        return False

    @contextlib.contextmanager
    def locked_folder(folder: Path) -> Iterator[None]:
        """Make a folder; Windows has no lock for it."""
        folder.mkdir(parents=True, exist_ok=True)
        yield

else:
    import fcntl

    def locks_folders() -> bool:
        """Return whether ``locked_folder`` keeps other processes out."""
        return True

    @contextlib.contextmanager
    def locked_folder(folder: Path) -> Iterator[None]:
        """Make a folder, and hold its lock; others who ask for it wait, and the system drops it with us."""
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            # On a file system without locks, one that several write to has to be told apart by its user.
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _lock(descriptor: int) -> bool:
        # The system drops the lock with the process: a file without one has no writer any more. A
        # cleaner may come between creation and lock; then the file has no name left. On a file system
        # without locks nothing is cleaned up, which is better than not to save.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return os.fstat(descriptor).st_nlink > 0

    def _remove_abandoned(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # While the lock is held, so that a writer waiting for it sees that the file is gone.
            path.unlink()
        finally:
            os.close(descriptor)

    def _sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
