"""What became of each scenario in the last runs, and when it last changed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from redpen.plain_file import open_plain_file
from redpen_evals.comparison import Key
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.records import Record, RunStart
from redpen_evals.records.places import RunFolder
from redpen_evals.records.reading import MAX_BYTES, MAX_LINE_BYTES, read_start

RUNS: Final = 20
_RESULT: Final = b'"type":"result"'
_COMPARED: Final = ("outcome", "stop_reason", "result", "decision", "violations", "broken", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """What one run came to.

    Attributes:
        run: its id.
        started: UTC, ISO 8601.
        outcome: of the scenario.
        changed: whether it came to something else than in the run before; False for the first.
    """

    run: str
    started: str
    outcome: Outcome
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The last runs of one scenario, variant and sample.

    Attributes:
        runs: the oldest first, this one last.
        last_change: the last of them that changed something; None where none did.
    """

    runs: tuple[PastRun, ...]
    last_change: PastRun | None


def read_histories(record: Record, runs: RunFolder) -> dict[Key, History]:
    """Return the histories of a run's results, of the runs of the same model up to it.

    Args:
        record: of the run.
        runs: where the others are; what cannot be read of them is left out.
    """
    past = _Past(wanted={one.key for one in record.results})
    for path in _earlier(record, runs):
        start = read_start(path)
        if start is not None and start.model == record.start.model:
            past.add(start, _results(path))
    fields = set(_COMPARED)
    past.add(record.start, ((one.key, one.model_dump(include=fields, mode="json")) for one in record.results))
    return {key: _history(found[-RUNS:]) for key, found in past.runs.items()}


def _history(runs: list[PastRun]) -> History:
    changes = [run for run in runs if run.changed]
    return History(runs=tuple(runs), last_change=changes[-1] if changes else None)


@dataclass(slots=True, kw_only=True)
class _Past:
    wanted: set[Key]
    runs: defaultdict[Key, list[PastRun]] = field(default_factory=lambda: defaultdict(list))
    _before: dict[Key, tuple[object, ...]] = field(default_factory=dict)

    def add(self, start: RunStart, results: Iterable[tuple[Key, Mapping[str, Any]]]) -> None:
        for key, result in results:
            if key not in self.wanted:
                continue
            outcome, before = result["outcome"], self._before.get(key)
            shape = tuple(result.get(name) or None for name in _COMPARED)
            # What is stale or errored says nothing of the agent.
            is_judged = outcome in {"passed", "failed"}
            changed = is_judged and before is not None and before != shape
            if is_judged:
                self._before[key] = shape
            past = PastRun(run=start.id, started=start.started, outcome=outcome, changed=changed)
            self.runs[key].append(past)


def _earlier(record: Record, runs: RunFolder) -> list[Path]:
    files = list(runs.files())
    ids = [path.stem for path in files]
    # A record that was copied elsewhere has no runs before it here, but for those of its own folder.
    end = ids.index(record.start.id) if record.start.id in ids else len(files)
    return files[:end][-RUNS:]


def _results(path: Path) -> Iterator[tuple[Key, Mapping[str, Any]]]:
    try:
        with open_plain_file(path, max_bytes=MAX_BYTES) as file:
            for line in file:
                if len(line) > MAX_LINE_BYTES or _RESULT not in line[:200].replace(b" ", b""):
                    continue
                result = json.loads(line)
                key = result["scenario"], result.get("variant", ""), result.get("sample", 1)
                if result.get("outcome") in OUTCOMES:
                    yield key, result
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # A killed run ends in the middle of a line; its results before that count.
        return
