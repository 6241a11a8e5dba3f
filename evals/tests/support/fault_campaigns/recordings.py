"""Faults while cassettes are recorded: each file must be the complete old or the complete new one."""

from __future__ import annotations

import itertools
import os
import resource
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from fault_campaigns.forked import as_nobody, in_child, start_child, wait_for
from fault_campaigns.small_library import SCENARIOS, write_library
from fault_campaigns.tally import Tally
from redpen_evals.atomic_write import is_temporary
from redpen_evals.cassettes import file
from redpen_evals.cassettes.store import list_locations
from redpen_evals.errors import CassetteError
from redpen_evals.evaluation import Evaluator
from redpen_evals.scenario_library.layout import Layout

_WATCHED = tuple(f"redpen_evals{os.sep}{name}" for name in ("cassettes", "atomic_write.py"))
_OLD, _NEW = "Tell customers.", "Tell everybody."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recordings:
    """A small library, recorded, whose scenarios have changed since.

    Attributes:
        layout: of the library.
        old: the cassettes as they were, by path.
        new: the calls that a new recording makes, by path.
    """

    layout: Layout
    old: Mapping[Path, bytes]
    new: Mapping[Path, object]

    @classmethod
    def prepare(cls, root: Path) -> Recordings:
        """Write and record a library below a folder, then change its scenarios."""
        layout = Layout(scenarios=root / "scenarios", cassettes=root / "cassettes")
        contents = []
        for goal in (_NEW, _OLD):
            write_library(layout, goal=goal)
            record_all(layout)
            contents.append({path: path.read_bytes() for path in cassettes(layout)})
        write_library(layout, goal=_NEW)
        new, old = contents
        return cls(layout=layout, old=old, new={path: _calls(path, text) for path, text in new.items()})

    def restore(self) -> None:
        """Restore the old cassettes."""
        for path, content in self.old.items():
            if path.read_bytes() != content:
                path.write_bytes(content)

    def faults(self) -> tuple[str, ...]:
        """Return cassettes that are neither old nor new, and files that the next run does not clean up."""
        found = []
        for path, content in self.old.items():
            now = path.read_bytes() if path.exists() else b""
            try:
                whole = now == content or _calls(path, now) == self.new[path]
            except CassetteError as error:
                found.append(str(error))
                continue
            if not whole:
                found.append(f"{path.name}: neither the old nor the new recording")
        record_all(self.layout)
        folder = self.layout.cassettes
        found += [f"{path.name}: left over" for path in folder.rglob("*") if is_temporary(path)]
        return tuple(found)


def record_all(layout: Layout) -> None:
    """Record every scenario of a library anew."""
    evaluator = Evaluator(layout=layout, record="all")
    for scenario in SCENARIOS:
        evaluator.evaluate(scenario)


def cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the files of all cassettes."""
    return tuple(location.path for location in list_locations(layout.cassettes))


def killed_recordings(root: Path, *, kills: int) -> Tally:
    """Kill a process that records, at points spread over every line of the code that saves.

    Args:
        root: an empty folder.
        kills: number of points.
    """
    prepared = Recordings.prepare(root)
    lines = _count_lines(prepared.layout, root / "lines")
    broken: list[str] = []
    for number in range(kills):
        prepared.restore()
        at = 1 + number * max(1, lines - 1) // max(1, kills - 1)
        code = in_child(lambda at=at: _record_until(prepared.layout, at))  # type: ignore[misc]
        if code not in {-signal.SIGKILL, 0}:
            broken.append(f"kill {number}: the child ended with {code}")
            continue
        broken += [f"kill at line {at}: {fault}" for fault in prepared.faults()[:1]]
    return Tally(
        fault="kill -9 while recording",
        claim="every cassette is completely old or new, and the next run cleans up",
        tried=kills,
        broken=tuple(broken),
    )


def refused_writes(root: Path, *, tries: int) -> Tally:
    """Record with a limit on the size of files, and into a folder without write permission.

    Args:
        root: an empty folder.
        tries: number of limits to try.
    """
    prepared = Recordings.prepare(root)
    largest = max(map(len, prepared.old.values()))
    faults = [_full_disk(prepared.layout, number * largest // tries) for number in range(tries)]
    broken: list[str] = []
    for number, fault in enumerate(faults):
        prepared.restore()
        code = in_child(fault)
        found = (f"the child ended with {code}",) if code else prepared.faults()
        broken += [f"full after {number * largest // tries} bytes: {fault}" for fault in found[:1]]
    prepared.restore()
    broken += _read_only()
    return Tally(
        fault="full disk, read-only folder",
        claim="an error message, and every cassette is completely old or new",
        tried=tries + 1,
        broken=tuple(broken),
    )


def two_recorders(root: Path, *, rounds: int) -> Tally:
    """Record the same cassettes in three processes at the same time.

    Args:
        root: an empty folder.
        rounds: number of rounds.
    """
    prepared = Recordings.prepare(root)
    broken: list[str] = []
    for number in range(rounds):
        prepared.restore()
        children = [start_child(lambda: record_all(prepared.layout)) for _ in range(3)]
        codes = [wait_for(child) for child in children]
        found = (f"children ended with {codes}",) if any(codes) else prepared.faults()
        broken += [f"round {number}: {fault}" for fault in found[:1]]
    return Tally(
        fault="three processes record the same cassettes",
        claim="every cassette is completely written by one process",
        tried=rounds,
        broken=tuple(broken),
    )


def _calls(path: Path, content: bytes) -> object:
    # The time of recording differs, the calls do not.
    return file.parse(content.decode("utf-8", "replace"), path=path).calls


def _record_until(layout: Layout, last: int) -> None:
    counted = itertools.count(1)

    def count(_frame: FrameType, event: str, _value: Any) -> Any:
        if event == "line" and next(counted) >= last:
            os.kill(os.getpid(), signal.SIGKILL)
        return count

    _trace(count)
    record_all(layout)


def _count_lines(layout: Layout, note: Path) -> int:
    def work() -> None:
        counted = itertools.count()

        def count(_frame: FrameType, event: str, _value: Any) -> Any:
            if event == "line":
                next(counted)
            return count

        _trace(count)
        record_all(layout)
        sys.settrace(None)
        note.write_text(str(next(counted)), encoding="ascii")

    in_child(work)
    return int(note.read_text(encoding="ascii"))


def _trace(count: Callable[[FrameType, str, Any], Any]) -> None:
    def watch(frame: FrameType, event: str, value: Any) -> Any:
        if any(name in frame.f_code.co_filename for name in _WATCHED):
            return count(frame, event, value)
        return None

    threading.settrace(watch)
    sys.settrace(watch)


def _full_disk(layout: Layout, size: int) -> Callable[[], None]:
    def work() -> None:
        # The system refuses to let a file grow over the limit, even in the middle of a write.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        results = [Evaluator(layout=layout, record="all").evaluate(scenario) for scenario in SCENARIOS]
        refused = [result for result in results if result.outcome == "errored"]
        if any("cannot be written" not in result.summary for result in refused):
            raise RuntimeError("an error without its cause")

    return work


def _read_only() -> Sequence[str]:
    # A folder that every user may enter, because the child runs as `nobody`.
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        prepared = Recordings.prepare(root)
        folders = [path for path in prepared.layout.cassettes.rglob("*") if path.is_dir()]
        for folder in folders:
            folder.chmod(0o555)
        code = in_child(lambda: as_nobody(lambda: _record_expecting_errors(prepared.layout)))
        changed = [path.name for path, content in prepared.old.items() if path.read_bytes() != content]
        for folder in folders:
            folder.chmod(0o755)
    if code:
        return [f"read-only folder: the child ended with {code}"]
    return [f"read-only folder: {name} changed" for name in changed]


def _record_expecting_errors(layout: Layout) -> None:
    evaluator = Evaluator(layout=layout, record="all")
    for scenario in SCENARIOS:
        result = evaluator.evaluate(scenario)
        if result.outcome != "errored" or "cannot be written" not in result.summary:
            raise RuntimeError(f"{result.outcome}: {result.summary}")
