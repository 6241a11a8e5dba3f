"""Files that are not where they belong, and files that do not belong."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen_evals.cassettes import file
from redpen_evals.cassettes.errors import CassetteError
from redpen_evals.cassettes.file import CassetteFile
from redpen_evals.cassettes.store import SUFFIX, CassetteLocation
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Stock


def out_of_place(stock: Stock, scenarios: Container[str]) -> Iterator[Fault]:
    """Yield cassettes at a wrong path, links, and what is no cassette at all.

    Args:
        stock: the cassettes folder.
        scenarios: ids of all scenarios that there are; nothing is moved to the place of another.
    """
    for entry in stock.entries:
        if entry.error and entry.content:
            yield Fault(
                path=entry.path,
                sort="misplaced",
                problem=entry.error.problem,
                mend=_move(entry.path, entry.content, stock.root, scenarios) or entry.error.mend,
            )
    for path in stock.others:
        if content := _read(path):
            yield Fault(
                path=path,
                sort="misplaced",
                problem="is a cassette under a name that no replay looks for",
                mend=_move(path, content, stock.root, scenarios) or "delete it",
            )
        else:
            yield Fault(path=path, sort="alien", problem="is no cassette", mend="move it elsewhere")
    for path in stock.links:
        yield Fault(
            path=path,
            sort="link",
            problem="is a symbolic link, which may lead out of the cassettes folder",
            mend="put the file itself in its place",
        )


def _read(path: Path) -> CassetteFile | None:
    if path.suffix != SUFFIX:
        return None
    try:
        return file.read(path)
    except CassetteError:
        return None


def _move(path: Path, content: CassetteFile, root: Path, scenarios: Container[str]) -> str | None:
    if content.scenario not in scenarios:
        return None
    try:
        right = CassetteLocation(
            root=root,
            model=content.model,
            scenario=content.scenario,
            variant=content.variant,
            sample=content.sample,
        )
    except ConfigurationError:
        return None
    if right.kind != content.kind or right.path == path:
        return None
    if right.path.exists():
        return f"its place is taken by {right.path}; delete one of them"
    return f"mv {shlex.quote(str(path))} {shlex.quote(str(right.path))}"
