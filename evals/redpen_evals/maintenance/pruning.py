"""Removing what nobody needs, and the folders that this empties."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.needless import needless
from redpen_evals.maintenance.stock import Stock, read_stock
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.whole_file import is_temporary, remove_leftovers


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What is to be removed from a cassettes folder.

    Attributes:
        root: the folder.
        faults: why, a file each.
        folders: folders that are empty then, the innermost first.
        size_bytes: of all files.
        live: how many of them are recordings of a live model, which cost money to make again.
    """

    root: Path
    faults: tuple[Fault, ...]
    folders: tuple[Path, ...]
    size_bytes: int
    live: int


def plan_removal(layout: Layout) -> Removal:
    """Return what can be removed from the cassettes of a library.

    Raises:
        ConfigurationError: there is no library, or it holds no scenario.
    """
    stock = read_stock(layout.cassettes)
    faults = tuple(needless(stock, layout))
    gone = {fault.path for fault in faults}
    return Removal(
        root=stock.root,
        faults=faults,
        folders=_emptied(stock, gone),
        size_bytes=sum(_size(path) for path in gone),
        live=sum(entry.path in gone and entry.location.kind == "live" for entry in stock.entries),
    )


def carry_out(removal: Removal) -> Iterator[tuple[Path, str]]:
    """Remove files and folders, and yield each path with why it is still there; empty where it is gone."""
    root = removal.root.resolve()
    for path in (*(fault.path for fault in removal.faults), *removal.folders):
        # What was a file when it was listed may be a link by now.
        if path.is_symlink() or not path.parent.resolve().is_relative_to(root):
            yield path, "leads out of the cassettes folder"
            continue
        try:
            yield path, _remove(path)
        except OSError as error:
            yield path, error.strerror or type(error).__name__


def _remove(path: Path) -> str:
    if path.is_dir():
        path.rmdir()
    elif is_temporary(path):
        remove_leftovers(path.parent)
        return "is being written" if path.exists() else ""
    else:
        path.unlink()
    return ""


def _emptied(stock: Stock, gone: Iterable[Path]) -> tuple[Path, ...]:
    absent = set(gone)
    emptied = []
    for folder in reversed(stock.folders):
        with os.scandir(folder) as found:
            if all(folder / entry.name in absent for entry in found):
                absent.add(folder)
                emptied.append(folder)
    return tuple(emptied)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
