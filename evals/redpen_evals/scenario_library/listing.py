"""Lists of the library: scenarios, files that nothing reads, cassettes without a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from redpen.errors import ConfigurationError
from redpen.screen import shown
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError
from redpen_evals.atomic_write import is_temporary
from redpen_evals.cassettes.naming import to_id_part
from redpen_evals.cassettes.store import JUDGED_DRAFTS, list_locations
from redpen_evals.folders import walk
from redpen_evals.judges.guard_set import judged_drafts
from redpen_evals.scenario_library.drafts import draft_files
from redpen_evals.scenario_library.layout import RESERVED_FOLDERS, SUFFIXES, Layout, library_files
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen


def list_scenarios(
    layout: Layout, *, agent: str | None = None, tag: str | None = None, screen: Screen = PLAIN
) -> Iterator[str]:
    """Yield a line per scenario: id, expectation and tags; raises ConfigurationError for an unknown agent."""
    entries = list(_read_all(layout))
    if agent is not None:
        check_agent(agent, layout, (name for _, name, _ in entries))
    rows = [_row(scenario_id, case, tag) for scenario_id, name, case in entries if agent in {None, name}]
    yield from table_lines((), list(filter(None, rows)), screen=screen)


def agents_by_scenario(layout: Layout) -> dict[str, str]:
    """Return the agent of each scenario by id; empty without a library."""
    if not layout.scenarios.is_dir():
        return {}
    return {scenario_id: agent for scenario_id, agent, _ in _read_all(layout)}


def check_agent(agent: str, layout: Layout, used: Iterable[str]) -> None:
    """Raise ConfigurationError for an unknown agent: not built in, without a short name, and not ``used``."""
    known = {*BUILT_IN_AGENTS, *dict(layout.agents), *used}
    if agent not in known:
        raise ConfigurationError(f"--agent: there is no agent {agent!r}{suggestion(agent, known)}")


def _read_all(layout: Layout) -> Iterator[tuple[str, str, Case | FileError]]:
    for scenario_id in layout.scenario_ids():
        try:
            case = load_case(layout, scenario_id)
        except FileError as error:
            yield scenario_id, scenario_id.split("/")[0], error
        else:
            yield scenario_id, case.agent, case


def _row(scenario_id: str, case: Case | FileError, tag: str | None) -> tuple[str, str, str] | None:
    if isinstance(case, FileError):
        return None if tag else (scenario_id, "broken", str(case.problems[0]))
    if tag is not None and tag not in case.scenario.tags:
        return None
    return scenario_id, _expectation(case), " ".join(case.scenario.tags)


def _expectation(case: Case) -> str:
    if isinstance(case.scenario, OwnAgentScenario):
        return f"raises {case.scenario.expect.raises}" if case.scenario.expect.raises else "answered"
    expect = case.scenario.expect
    return expect.outcome or "ok" if expect.status == "ok" else expect.stop_reason


GUARDS = "guards"
"""Folder of the ids under which the calls of guards are recorded; no scenario is in it."""

CassetteUse = Literal[
    "used",
    "unknown_test",  # the file of the test exists, but defines no function of its name: it may be inherited
    "gone",  # there is neither a scenario nor a test file
    "asks_no_model",
]
"""Whether a scenario or test needs its cassettes."""


def cassette_uses(layout: Layout, scenario_ids: Iterable[str]) -> dict[str, CassetteUse]:
    """Return by id whether scenarios, and drafts that judges were asked about, need their cassettes."""
    known, ids = set(layout.known_ids()), set(scenario_ids)
    has_drafts = any(name.startswith(f"{JUDGED_DRAFTS}/") for name in ids - known)
    judged = judged_drafts(layout) if has_drafts else frozenset()
    uses: dict[str, CassetteUse] = {}
    for scenario_id in ids:
        if scenario_id in known:
            uses[scenario_id] = _use(layout, scenario_id)
        else:
            # Guards are only known once their module is imported, so their cassettes are never offered.
            is_needed = scenario_id in judged or scenario_id.startswith(f"{GUARDS}/")
            uses[scenario_id] = "used" if is_needed else _use_by_test(layout.root, scenario_id)
    return uses


def orphaned_cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the cassettes whose scenario is gone, or no longer calls a model, sorted."""
    locations = list_locations(layout.cassettes)
    uses = cassette_uses(layout, (location.scenario for location in locations))
    orphaned = {"gone", "asks_no_model"}
    return tuple(location.path for location in locations if uses[location.scenario] in orphaned)


def _use_by_test(root: Path | None, run_id: str) -> CassetteUse:
    name = run_id.rpartition("/")[2]
    function = re.compile(rf"\bdef {re.escape(re.split('[-.]', name)[0])}\b")
    use: CassetteUse = "gone"
    try:
        for path in test_files(root, run_id) if root is not None else ():
            if function.search(path.read_text("utf-8", "replace")):
                return "used"
            use = "unknown_test"
    except OSError:
        # What cannot be read may hold the test.
        return "used"
    return use


def test_files(folder: Path, run_id: str) -> Iterator[Path]:
    """Yield the existing test files that the id of a run of the fixture ``redpen`` may name.

    Args:
        folder: pytest's root folder, or one below it.
        run_id: the path of a test below the folder, its classes and its name.

    Raises:
        OSError: a folder cannot be read.
    """
    first, _, rest = run_id.partition("/")
    if not rest or not folder.is_dir():
        return
    for path in folder.iterdir():
        # Parts of ids are shortened and cleaned, so each is compared with the names that exist.
        if path.suffix == ".py" and to_id_part(path.stem) == first:
            yield path
        elif to_id_part(path.name) == first:
            yield from test_files(path, rest)


def _use(layout: Layout, scenario_id: str) -> CassetteUse:
    try:
        case = load_case(layout, scenario_id)
    except FileError:
        # A broken scenario is reported elsewhere, and keeps its recording.
        return "used"
    # An own agent may call a live model, or a tool, without a scripted reply.
    return "used" if case.asks_model or isinstance(case.scenario, OwnAgentScenario) else "asks_no_model"


_SCHEMA: Final = ".schema.json"
_TRAINING: Final = ".jsonl"
_KNOWN_NAMES: Final = ("readme", "license", "makefile", "changelog")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file or an empty folder of a library that nothing reads.

    It is a fault if it looks like a scenario, context, plan or draft, or a folder for them.
    """

    path: Path
    text: str
    is_fault: bool = True

    def __str__(self) -> str:
        """Return ``file:1: problem``."""
        warning = "" if self.is_fault else "warning: "
        return shown(f"{self.path}:1: {warning}{self.text}")


def unread_places(layout: Layout) -> tuple[Unread, ...]:
    """Return the paths that nothing reads, sorted; raises ConfigurationError without a library."""
    layout.scenario_ids()
    return tuple(_unread(layout))


def _unread(layout: Layout) -> Iterator[Unread]:
    root, read = layout.scenarios, _read_paths(layout)
    places = list(walk(root))
    filled = {folder for path, kind in places if kind != "folder" for folder in path.parents}
    for path, kind in places:
        if any(part.startswith(".") for part in path.relative_to(root).parts) or is_temporary(path):
            continue
        if kind == "folder":
            if path not in filled:
                yield _empty(path, root)
        elif path not in read and not path.name.endswith(_SCHEMA):
            text, is_fault = _why_unread(path, root)
            yield Unread(path=path, text=text, is_fault=is_fault)


def _read_paths(layout: Layout) -> frozenset[Path]:
    root = layout.scenarios
    scenarios = [path for folder in layout.folders() for path in library_files(root / folder)]
    named = [path for folder in ("contexts", "plans") for path in (root / folder).glob("*")]
    read = [path for path in named if path.suffix in SUFFIXES]
    return frozenset((*scenarios, *read, *(root / "training").glob(f"*{_TRAINING}"), *draft_files(layout)))


def _why_unread(path: Path, root: Path) -> tuple[str, bool]:
    """Return why a file is not read, and whether that is a fault."""
    suffix, place = path.suffix, path.relative_to(root)
    if suffix in SUFFIXES and len(place.parts) == 1:
        return "a scenario has to be in a folder, such as that of its agent", True
    if suffix in SUFFIXES:
        return f"{place.parts[0]} are read from that folder itself, not from below it", True
    if path.stem.lower() in _KNOWN_NAMES:
        return "is not a file of the library", False
    if not suffix:
        return f"has no suffix: files of the library end in {' or '.join(SUFFIXES)}", True
    hint = suggestion(suffix.lower(), (*SUFFIXES, _TRAINING))
    return f"ends in {suffix}, and files of the library in {' or '.join(SUFFIXES)}{hint}", bool(hint)


def _empty(path: Path, root: Path) -> Unread:
    names = (*BUILT_IN_AGENTS, *RESERVED_FOLDERS)
    is_known = path.parent == root and path.name in names
    hint = suggestion(path.name, names) if path.parent == root and not is_known else ""
    return Unread(path=path, text=f"holds no file{hint}", is_fault=not is_known)
