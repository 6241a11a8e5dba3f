"""Reading a file of a repository that somebody else may have written: never for long, and never too much."""

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
# Without it a pipe that took the file's place between looking and opening would keep us waiting.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class UnfitFileError(OSError):
    """There is something under that name, but no plain file of a fit size; ``strerror`` says it in words."""

    def __init__(self, problem: str) -> None:
        super().__init__(0, problem)


def read_plain_file(path: Path, *, max_bytes: int) -> bytes:
    """Return the content of a file, without ever waiting for it.

    Args:
        path: the file.
        max_bytes: size of the largest that is read.

    Raises:
        UnfitFileError: it is a folder, pipe, device or socket, or larger.
        OSError: it cannot be read.
    """
    with open_plain_file(path, max_bytes=max_bytes) as file:
        # What the system makes up while it is read has no size, and may have no end.
        return file.read(os.fstat(file.fileno()).st_size)


def open_plain_file(path: Path, *, max_bytes: int) -> BinaryIO:
    """Open a file to read it piece by piece; raises as ``read_plain_file``."""
    # Before it is opened: to open a device may set it going.
    _check(path.stat(), max_bytes)
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    try:
        _check(os.fstat(file.fileno()), max_bytes)
    except OSError:
        file.close()
        raise
    return file


def leads_out(path: Path, folder: Path) -> bool:
    """Return whether a path below a folder leads to a place outside of it, over symbolic links."""
    # To resolve both looks at every folder above them, for each of hundreds of files; a look at the parts
    # below shows that most are no links. Windows has junctions too, which lead elsewhere and are no links.
    plain = os.name != "nt" and ".." not in path.parts and path.is_relative_to(folder)
    if plain and not _holds_link(path, folder):
        return False
    # Not `Path.resolve`, which raises where links lead in a circle.
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _holds_link(path: Path, folder: Path) -> bool:
    place = os.fspath(folder)
    for part in path.parts[len(folder.parts) :]:
        place = os.path.join(place, part)  # noqa: PTH118 - a path object a part costs more than the look
        if os.path.islink(place):  # noqa: PTH114 - see above
            return True
    return False


def _check(found: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "it is something else")
        raise UnfitFileError(f"{kind}, not a plain file")
    if found.st_size > max_bytes:
        raise UnfitFileError(f"it is larger than {max_bytes:,} bytes")
