"""The outcomes of each scenario in the last runs, and when it last changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redpen.plain_file import open_plain_file
from redpen_evals.comparison.changes import Key
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.records import Record, RunStart
from redpen_evals.records.places import RunFolder
from redpen_evals.records.reading import MAX_BYTES, MAX_LINE_BYTES, read_start

RUNS: Final = 20
_RESULT: Final = b'"type":"result"'
_COMPARED: Final = ("outcome", "stop_reason", "result", "decision", "violations", "broken", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """The result of a scenario in one past run; `changed` says that it differs from the run before."""

    run: str
    started: str
    outcome: Outcome
    changed: bool


def read_histories(record: Record, runs: RunFolder) -> dict[Key, tuple[PastRun, ...]]:
    """Return the last runs of each result of a run, of the same model, the oldest first and this one last.

    Other records that cannot be read are left out.
    """
    past: dict[Key, list[PastRun]] = {result.key: [] for result in record.results}
    before: dict[Key, tuple[object, ...]] = {}
    for start, results in _runs(record, runs):
        for key, result in results:
            if key not in past:
                continue
            outcome = result["outcome"]
            shape = tuple(result.get(name) or None for name in _COMPARED)
            # Stale and errored results do not show the agent's behaviour.
            is_judged = outcome in {"passed", "failed"}
            changed = is_judged and before.get(key, shape) != shape
            if is_judged:
                before[key] = shape
            past[key].append(PastRun(run=start.id, started=start.started, outcome=outcome, changed=changed))
    return {key: tuple(past_runs[-RUNS:]) for key, past_runs in past.items()}


def _runs(
    record: Record, runs: RunFolder
) -> Iterator[tuple[RunStart, Iterable[tuple[Key, Mapping[str, Any]]]]]:
    """Yield the runs of the same model with their results, the run of the record last."""
    for path in _earlier(record, runs):
        start = read_start(path)
        if start is not None and start.model == record.start.model:
            yield start, _results(path)
    fields = set(_COMPARED)
    current = ((result.key, result.model_dump(include=fields, mode="json")) for result in record.results)
    yield record.start, current


def _earlier(record: Record, runs: RunFolder) -> list[Path]:
    files = list(runs.files())
    ids = [path.stem for path in files]
    # For a record from another folder, all runs of this one count as earlier.
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
