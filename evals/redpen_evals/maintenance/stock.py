"""Everything that lies in the cassettes folder, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from redpen_evals.cassettes import file
from redpen_evals.cassettes.errors import CassetteError, CassetteProblem
from redpen_evals.cassettes.file import CassetteFile
from redpen_evals.cassettes.store import CassetteLocation, list_locations, load
from redpen_evals.folders import Kind, walk
from redpen_evals.whole_file import is_temporary

EXPECTED: Final = frozenset({".gitkeep", ".gitignore", ".gitattributes", "README.md"})
"""Files that may lie beside cassettes."""

_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_ELSEWHERE: Final[frozenset[CassetteProblem]] = frozenset({"kind", "model", "scenario"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One cassette.

    Attributes:
        location: its place.
        size_bytes: of the file.
        content: what it holds; None if it cannot be read.
        error: why it cannot be used: it cannot be read, or belongs elsewhere; None if it can.
    """

    location: CassetteLocation
    size_bytes: int
    content: CassetteFile | None = None
    error: CassetteError | None = None

    @property
    def cassette(self) -> CassetteFile | None:
        """What a replay would play; None if there is an error."""
        return None if self.error else self.content

    @property
    def path(self) -> Path:
        """The file."""
        return self.location.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """A cassettes folder.

    Attributes:
        root: the folder.
        entries: files whose path is that of a cassette, sorted.
        temporary: files that a recording was writing, or is.
        links: symbolic links, to files or folders; what they lead to is no part of the stock.
        others: all other files, but for what may lie there, and folders that cannot be looked into.
        folders: all folders below the root, a parent before what it holds.
    """

    root: Path
    entries: tuple[Entry, ...]
    temporary: tuple[Path, ...] = field(default=())
    links: tuple[Path, ...] = field(default=())
    others: tuple[Path, ...] = field(default=())
    folders: tuple[Path, ...] = field(default=())


def read_stock(root: Path) -> Stock:
    """Read all cassettes, and see what else lies there.

    Args:
        root: the folder of all cassettes; it need not exist.
    """
    found: dict[Kind, list[Path]] = {"file": [], "link": [], "folder": [], "closed": []}
    for path, kind in walk(root):
        found[kind].append(path)
    files = found["file"]
    inside = set(files)
    locations = [location for location in list_locations(root) if location.path in inside]
    known = {location.path for location in locations}
    temporary = [path for path in files if is_temporary(path)]
    others = [path for path in files if path not in known and not is_temporary(path)] + found["closed"]
    return Stock(
        root=root,
        entries=tuple(map(read_entry, locations)),
        temporary=tuple(temporary),
        links=tuple(found["link"]),
        others=tuple(path for path in others if path.name not in EXPECTED),
        folders=tuple(found["folder"]),
    )


def read_entry(location: CassetteLocation) -> Entry:
    """Read the cassette of a place, whatever is wrong with it."""
    try:
        size_bytes = location.path.stat().st_size
    except OSError:
        size_bytes = 0
    try:
        return Entry(location=location, size_bytes=size_bytes, content=load(location))
    except CassetteError as error:
        content = _content(location.path) if error.kind in _ELSEWHERE else None
        return Entry(location=location, size_bytes=size_bytes, content=content, error=error)


def read_entries(
    root: Path, *, model: str | None = None, agent: str | None = None, agents: Mapping[str, str] = _NONE
) -> tuple[Entry, ...]:
    """Read the cassettes of a folder, or those of one model or agent, sorted by path.

    Args:
        root: the folder of all cassettes.
        model: only those of this model.
        agent: only those of this agent.
        agents: agents of the library's own scenarios, by id.
    """
    return tuple(
        read_entry(location)
        for location in list_locations(root)
        if model in {None, location.model} and agent in {None, agent_of(location, agents)}
    )


def name_of(location: CassetteLocation) -> str:
    """Return how a cassette is named to people, e.g. ``reflection/approve-direct [critique=v2] #2``."""
    variant = f" [{location.variant}]" if location.variant else ""
    return f"{location.scenario}{variant}{f' #{location.sample}' if location.sample > 1 else ''}"


def agent_of(location: CassetteLocation, agents: Mapping[str, str]) -> str:
    """Return the agent whose run a cassette records, by its scenario, or by its folder where that is gone."""
    return agents.get(location.scenario, location.scenario.split("/", maxsplit=1)[0])


def _content(path: Path) -> CassetteFile | None:
    try:
        return file.read(path)
    except CassetteError:
        return None
