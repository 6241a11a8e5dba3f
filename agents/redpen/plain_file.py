"""Reads files of an untrusted repository, without blocking and with a size limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

_KINDS = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFIFO: "it is a pipe",
    stat.S_IFCHR: "it is a device",
    stat.S_IFBLK: "it is a device",
    stat.S_IFSOCK: "it is a socket",
}
# O_NONBLOCK, because a pipe that replaces the file between the check and the opening would block.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class UnreadableFileError(OSError):
    """The path is not a plain file, or the file is too large; ``strerror`` is the description."""

    def __init__(self, problem: str) -> None:
        super().__init__(0, problem)


def read_plain_file(path: Path, *, max_bytes: int) -> bytes:
    """Return the content of a file, without blocking.

    Args:
        path: the file.
        max_bytes: largest size, in bytes.

    Raises:
        UnreadableFileError: it is a folder, pipe, device or socket, or larger.
        OSError: it cannot be read.
    """
    with open_plain_file(path, max_bytes=max_bytes) as file:
        # Files that the system generates on reading have size 0, and may be endless.
        return file.read(os.fstat(file.fileno()).st_size)


def open_plain_file(path: Path, *, max_bytes: int) -> BinaryIO:
    """Open a file for reading; raises as ``read_plain_file``."""
    # Checked before opening, because opening a device may have effects.
    _check(path.stat(), max_bytes)
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    try:
        _check(os.fstat(file.fileno()), max_bytes)
    except OSError:
        file.close()
        raise
    return file


def leads_out(path: Path, folder: Path) -> bool:
    """Return whether a path below a folder leads outside of it through symbolic links."""
    # Resolving checks all folders above both paths, for hundreds of files; checking only the parts below
    # shows that most are not links. On Windows, junctions are not links, but can lead elsewhere too.
    plain = os.name != "nt" and ".." not in path.parts and path.is_relative_to(folder)
    if plain and not _holds_link(path, folder):
        return False
    # Not `Path.resolve`, which raises for cyclic links.
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _holds_link(path: Path, folder: Path) -> bool:
    place = os.fspath(folder)
    for part in path.parts[len(folder.parts) :]:
        place = os.path.join(place, part)  # noqa: PTH118 - a path object for each part is slower than the check
        if os.path.islink(place):  # noqa: PTH114 - see above
            return True
    return False


def _check(found: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "it is something else")
        raise UnreadableFileError(f"{kind}, not a plain file")
    if found.st_size > max_bytes:
        raise UnreadableFileError(f"it is larger than {max_bytes:,} bytes")
