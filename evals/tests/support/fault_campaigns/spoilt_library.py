"""A valid library with one hostile file: only the scenario of that file may break."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from fault_campaigns.bounded import in_bounds
from fault_campaigns.file_kinds import FILE_KINDS, layout_of
from fault_campaigns.hostile_files import is_printable
from fault_campaigns.hostile_places import HOSTILE_PLACES
from fault_campaigns.hostile_texts import hostile_texts
from fault_campaigns.recordings import record_all
from fault_campaigns.small_library import SCENARIOS, write_library
from fault_campaigns.tally import Tally
from redpen.errors import RedpenError
from redpen_evals.evaluation import Evaluator
from redpen_evals.maintenance.checking import check_cassettes
from redpen_evals.maintenance.inventory import read_inventory
from redpen_evals.project import Project
from redpen_evals.records.model import ScenarioResult
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import check_library

_ODD: Final = "reflection/odd"
_FOLDERS = 300
NAMES: Final = (
    b"\xff\xfe",
    b"caf\xe9",
    "café ".encode(),
    b"two\nlines",
    b"\x1b[2J\x1b]0;title\x07",
    "\u202egpj".encode(),
    "\u200b".encode(),
    b"back\\slash",
    b"%2e%2e%2fescape",
    b"-rf",
    b".hidden",
    b"~",
    b"$(touch spoilt)",
    b"<script>",
    b"a" * 250,
)
"""Names of files, without suffix, that cannot be ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoiler:
    """One way to spoil a library.

    Attributes:
        name: in words.
        put: called with the project and an empty folder outside of it.
    """

    name: str
    put: Callable[[Path, Path], None]


def spoilt_library(root: Path, *, every: int = 1) -> Tally:
    """Spoil a valid library in many ways, one at a time, and evaluate and check all of it.

    Args:
        root: an empty folder.
        every: 1 for every way, 5 for every fifth.
    """
    _prepare(root / "valid")
    spoilers = tuple(_spoilers())[::every]
    works = [partial(_try, root, number, spoiler) for number, spoiler in enumerate(spoilers)]
    reported = in_bounds(works, note=root / "note")
    broken = [
        f"{spoiler.name}: {'killed' if fault is None else fault}"
        for spoiler, fault in zip(spoilers, reported, strict=True)
        if fault != ""
    ]
    return Tally(
        fault="one hostile file in a valid library",
        claim="every other scenario passes, and its own result, or the checks, name the file",
        tried=len(spoilers),
        broken=tuple(broken),
    )


def _try(root: Path, number: int, spoiler: Spoiler) -> str:
    project, outside = root / f"project{number}", root / f"outside{number}"
    shutil.copytree(root / "valid", project)
    outside.mkdir()
    spoiler.put(project, outside)
    return _fault(layout_of(project))


def _prepare(project: Path) -> None:
    layout = layout_of(project)
    write_library(layout, goal="Tell customers.")
    context = layout.scenarios / "contexts" / "payments.yaml"
    shutil.copy(context, context.with_name("odd.yaml"))
    text = (layout.scenarios / "reflection" / "escalated.yaml").read_text(encoding="utf-8")
    odd = layout.scenarios / f"{_ODD}.yaml"
    odd.write_text(text.replace('"payments"', '"odd"'), encoding="utf-8")
    record_all(layout)
    Evaluator(layout=layout, record="all").evaluate(_ODD)


def _spoilers() -> Iterator[Spoiler]:
    kinds = {kind.name: kind for kind in FILE_KINDS}
    for name in ("scenario", "context", "cassette"):
        kind = kinds[name]
        for place in HOSTILE_PLACES:
            yield Spoiler(name=f"{name}: {place.name}", put=_put(place.put, kind.place))
        for text in hostile_texts(kind):
            if kind.format in text.readable:
                continue
            yield Spoiler(name=f"{name}: {text.name}", put=_write(kind.place, text.make(kind)))
    for raw in NAMES:
        yield Spoiler(name=f"the name {raw[:40]!r}", put=_rename_to(raw))
    for folder in ("scenarios/reflection", "cassettes/scripted"):
        yield Spoiler(name=f"{folder}: three hundred nested folders", put=_deep_below(folder))
        yield Spoiler(name=f"{folder}: a link to the root of the disk", put=_link_below(folder, "/"))
        yield Spoiler(name=f"{folder}: a link to itself", put=_link_below(folder, "."))


def _put(put: Callable[[Path, Path], None], place: str) -> Callable[[Path, Path], None]:
    return lambda project, outside: put(project / place, outside)


def _write(place: str, content: bytes) -> Callable[[Path, Path], None]:
    def put(project: Path, _outside: Path) -> None:
        (project / place).write_bytes(content)

    return put


def _rename_to(raw: bytes) -> Callable[[Path, Path], None]:
    def put(project: Path, _outside: Path) -> None:
        path = project / "scenarios" / f"{_ODD}.yaml"
        path.rename(path.with_name(os.fsdecode(raw + b".yaml")))

    return put


def _deep_below(folder: str) -> Callable[[Path, Path], None]:
    def put(project: Path, _outside: Path) -> None:
        os.makedirs(project.joinpath(folder, *["d"] * _FOLDERS))  # noqa: PTH103 - the other one calls itself

    return put


def _link_below(folder: str, target: str) -> Callable[[Path, Path], None]:
    def put(project: Path, _outside: Path) -> None:
        (project / folder / "linked").symlink_to(target, target_is_directory=True)

    return put


def _fault(layout: Layout) -> str:
    """Return the fault of a spoilt library's results; empty for none."""
    ids = layout.scenario_ids()
    evaluator = Evaluator(layout=layout)
    results = {scenario: evaluator.evaluate(scenario) for scenario in ids}
    taken_down = [name for name in SCENARIOS if name not in results or results[name].outcome != "passed"]
    if taken_down:
        return f"took {', '.join(taken_down)} down"
    odd = [result for result in results.values() if result.outcome != "passed"]
    for result in odd:
        if fault := _fault_of(result):
            return fault
    problems = [str(problem) for problem in check_library(layout)]
    try:
        project = Project(root=layout.scenarios.parent)
        found = check_cassettes(read_inventory(layout.cassettes), layout, project, installed={})
    except RedpenError as error:
        return f"the cassettes are not checked: {error}"
    problems += [fault.line for fault in found]
    unsafe = [problem for problem in problems if not is_printable(problem)]
    if unsafe:
        return f"controls the terminal: {unsafe[0]!r}"
    return "" if problems or odd else "is not named"


def _fault_of(result: ScenarioResult) -> str:
    text = result.model_dump_json() + result.text
    if not is_printable(text):
        return f"controls the terminal: {result.text!r}"
    reported = result.reasons[0] if result.reasons else ""
    if not reported or re.match(r"\w+(?:Error|Exception|Miss): ", reported):
        return f"{result.scenario}: {result.outcome}: {reported}"
    return ""
