"""Recursive listing of a folder without following links."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_DEPTH: Final = 8
"""Maximum depth of subfolders; ids have six parts at most."""

Kind: TypeAlias = Literal["file", "link", "folder", "closed"]


def walk(folder: Path) -> Iterator[tuple[Path, Kind]]:
    """Yield all paths below a folder, sorted, folders before their content; nothing if it does not exist.

    Yields:
        Paths with their kinds: ``link`` is a symbolic link, ``folder`` a folder, ``closed`` a folder that is
        unreadable or too deep and so not listed; everything else is ``file``.
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
