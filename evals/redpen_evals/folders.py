"""What lies below a folder, links not followed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_DEPTH: Final = 8
"""Folders in one another that are looked into; ids are of six parts at most."""

Kind: TypeAlias = Literal["file", "link", "folder", "closed"]


def walk(folder: Path) -> Iterator[tuple[Path, Kind]]:
    """Yield all that lies below a folder, sorted, a folder before what it holds; nothing if there is none.

    Yields:
        Paths with their kinds: ``link`` leads to a file or folder, ``folder`` is looked into, ``closed`` is
        one that is not, for it may not be read or nests too deep; all else is ``file``.
    """
    yield from _walk(folder, 0)


def _walk(folder: Path, depth: int) -> Iterator[tuple[Path, Kind]]:
    try:
        entries = _entries(folder)
    except FileNotFoundError:
        return
    except OSError:
        yield folder, "closed"
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_symlink():
            yield path, "link"
        elif not entry.is_dir(follow_symlinks=False):
            yield path, "file"
        elif depth == MAX_DEPTH:
            yield path, "closed"
        else:
            yield path, "folder"
            yield from _walk(path, depth + 1)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as scanned:
        return sorted(scanned, key=lambda entry: entry.name)
