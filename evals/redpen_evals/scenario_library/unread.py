"""What lies in a library and is read by nobody: a misspelt suffix or folder runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redpen.screen import shown
from redpen.text.suggestion import suggestion
from redpen_evals.atomic_write import is_temporary
from redpen_evals.folders import walk
from redpen_evals.scenario_library.drafts import draft_files
from redpen_evals.scenario_library.layout import RESERVED_FOLDERS, SUFFIXES, Layout, library_files
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS

_SCHEMA: Final = ".schema.json"
_TRAINING: Final = ".jsonl"
_KNOWN_NAMES: Final = ("readme", "license", "makefile", "changelog")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file or an empty folder of a library that nothing reads.

    Attributes:
        path: where it is.
        text: why nothing reads it, and what may have been meant.
        is_fault: whether it looks like a scenario, context, plan or draft, or the place for some.
    """

    path: Path
    text: str
    is_fault: bool = True

    def __str__(self) -> str:
        """Return ``file:1: problem``."""
        warning = "" if self.is_fault else "warning: "
        return shown(f"{self.path}:1: {warning}{self.text}")


def unread_places(layout: Layout) -> tuple[Unread, ...]:
    """Return what no loader takes, in the order of the paths; raises ConfigurationError without a library."""
    layout.scenario_ids()
    return tuple(_unread(layout))


def _unread(layout: Layout) -> Iterator[Unread]:
    root, taken = layout.scenarios, _taken(layout)
    places = list(walk(root))
    filled = {folder for path, kind in places if kind != "folder" for folder in path.parents}
    for path, kind in places:
        if any(part.startswith(".") for part in path.relative_to(root).parts) or is_temporary(path):
            continue
        if kind == "folder":
            if path not in filled:
                yield _empty(path, root)
        elif path not in taken and not path.name.endswith(_SCHEMA):
            yield _unread_file(path, root)


def _taken(layout: Layout) -> frozenset[Path]:
    root = layout.scenarios
    scenarios = {path for folder in layout.folders() for path in library_files(root / folder)}
    named = {
        path
        for folder in ("contexts", "plans")
        for path in (root / folder).glob("*")
        if path.suffix in SUFFIXES
    }
    training = set((root / "training").glob(f"*{_TRAINING}"))
    return frozenset({*scenarios, *named, *training, *draft_files(layout)})


def _unread_file(path: Path, root: Path) -> Unread:
    suffix, place = path.suffix, path.relative_to(root)
    if suffix in SUFFIXES and len(place.parts) == 1:
        return Unread(path=path, text="a scenario stands in a folder, such as that of its agent")
    if suffix in SUFFIXES:
        return Unread(path=path, text=f"{place.parts[0]} are looked for in that folder itself, not below it")
    if path.stem.lower() in _KNOWN_NAMES:
        return Unread(path=path, text="is no file of the library", is_fault=False)
    if not suffix:
        return Unread(path=path, text=f"has no suffix: files of the library end in {' or '.join(SUFFIXES)}")
    hint = suggestion(suffix.lower(), (*SUFFIXES, _TRAINING))
    said = f"ends in {suffix}, and files of the library in {' or '.join(SUFFIXES)}"
    return Unread(path=path, text=said + hint, is_fault=bool(hint))


def _empty(path: Path, root: Path) -> Unread:
    names = (*BUILT_IN_AGENTS, *RESERVED_FOLDERS)
    is_known = path.parent == root and path.name in names
    hint = suggestion(path.name, names) if path.parent == root and not is_known else ""
    return Unread(path=path, text=f"holds no file{hint}", is_fault=not is_known)
