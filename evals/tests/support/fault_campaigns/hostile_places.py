"""Replacements of a file that are not regular files, or must not be read."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_GIANT_BYTES = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HostilePlace:
    """One replacement of a file.

    Attributes:
        name: in words.
        put: puts it there; called with the path and an empty folder outside of the project.
        may_be_nothing: whether it may count as an empty or a missing file, which some kinds allow.
        leads_out: whether it leads to a valid file elsewhere.
    """

    name: str
    put: Callable[[Path, Path], None]
    may_be_nothing: bool = False
    leads_out: bool = False


def _moved_to(path: Path, outside: Path) -> Path:
    target = outside / path.name
    shutil.move(path, target)
    return target


def _folder(path: Path, _outside: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path, _outside: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link_to_pipe(path: Path, outside: Path) -> None:
    path.unlink()
    os.mkfifo(outside / "pipe")
    path.symlink_to(outside / "pipe")


def _link_to(target: str) -> Callable[[Path, Path], None]:
    def put(path: Path, _outside: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return put


def _link_to_itself(path: Path, _outside: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _links_in_a_circle(path: Path, outside: Path) -> None:
    path.unlink()
    path.symlink_to(outside / "other")
    (outside / "other").symlink_to(path)


def _link_out(path: Path, outside: Path) -> None:
    path.symlink_to(_moved_to(path, outside))


def _relative_link_out(path: Path, outside: Path) -> None:
    path.symlink_to(os.path.relpath(_moved_to(path, outside), path.parent))


def _link_to_folder(path: Path, outside: Path) -> None:
    path.unlink()
    path.symlink_to(outside, target_is_directory=True)


def _socket(path: Path, outside: Path) -> None:
    path.unlink()
    # The path of a socket is limited to about a hundred characters.
    here = Path.cwd()
    os.chdir(outside)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("socket")
    finally:
        os.chdir(here)
    (outside / "socket").rename(path)


def _giant(path: Path, _outside: Path) -> None:
    path.write_bytes(b"")
    os.truncate(path, _GIANT_BYTES)


def _zeros_appended(path: Path, _outside: Path) -> None:
    os.truncate(path, _GIANT_BYTES)


HOSTILE_PLACES: Final = (
    HostilePlace(name="a folder", put=_folder),
    HostilePlace(name="a pipe", put=_pipe),
    HostilePlace(name="a socket", put=_socket),
    HostilePlace(name="a link to a pipe", put=_link_to_pipe),
    HostilePlace(name="a link to a device without end", put=_link_to("/dev/zero")),
    HostilePlace(name="a link to a device of random bytes", put=_link_to("/dev/urandom")),
    HostilePlace(name="a link to the terminal", put=_link_to("/dev/tty")),
    HostilePlace(
        name="a link to a file of the system", put=_link_to("/proc/self/environ"), may_be_nothing=True
    ),
    HostilePlace(
        name="a link to the memory of the process", put=_link_to("/proc/self/mem"), may_be_nothing=True
    ),
    HostilePlace(name="a link to nothing", put=_link_to("nothing-of-that-name"), may_be_nothing=True),
    HostilePlace(name="a link to itself", put=_link_to_itself),
    HostilePlace(name="links in a circle", put=_links_in_a_circle),
    HostilePlace(name="a link to a folder", put=_link_to_folder),
    HostilePlace(name="a link to a valid file elsewhere", put=_link_out, leads_out=True),
    HostilePlace(name="a relative link to a valid file elsewhere", put=_relative_link_out, leads_out=True),
    HostilePlace(name="a file of 400 MB without content", put=_giant),
    HostilePlace(name="a valid file with 400 MB of zeros after it", put=_zeros_appended),
)
"""All replacements; each replaces a valid file."""
