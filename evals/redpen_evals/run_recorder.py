"""The record of a pytest session, written by its controller as results come in."""

from __future__ import annotations

import datetime
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.atomic_write import remove_leftovers
from redpen_evals.errors import RecordError
from redpen_evals.exit_codes import OUTCOMES
from redpen_evals.fingerprints import Fingerprints
from redpen_evals.options import Options
from redpen_evals.records.model import (
    RecordedPrompt,
    RunEnd,
    RunStart,
    ScenarioResult,
    ScorecardResult,
)
from redpen_evals.records.places import RecordWriter
from redpen_evals.records.reading import read_record
from redpen_evals.versions import installed_versions

_FINISHED = frozenset({"passed", "failed"})


class RunRecorder:
    """Writes the record of one session; the file is made with the first result.

    Args:
        options: of the session.
        resumed: the killed run that this one continues.

    Attributes:
        results: the results so far, by key.
    """

    def __init__(self, options: Options, *, resumed: Resumed | None = None) -> None:
        self.results: dict[tuple[str, str, int], ScenarioResult] = {}
        self._options = options
        self._resumed = resumed
        self._started = time.monotonic()
        self._now = datetime.datetime.now(datetime.UTC)
        self._writer: RecordWriter | None = None
        self._failure: RedpenError | None = None

    @property
    def path(self) -> Path | None:
        """The file, once there is one."""
        return self._writer.path if self._writer else None

    def add(self, result: ScenarioResult) -> None:
        """Append a result; it counts even if the record cannot be written."""
        try:
            self._open().write(result)
        finally:
            self.results[result.key] = result

    def add_scorecard(self, name: str, conclusion: Mapping[str, Any]) -> None:
        """Append a table of the scorecard."""
        self._open().write(
            ScorecardResult(
                name=name,
                measured=conclusion["measured"],
                lines=conclusion["lines"],
                breaches=conclusion["breaches"],
                notes=conclusion.get("notes", []),
            )
        )

    def begin(self) -> None:
        """Create the file, with the results of the killed run, even if no result comes in."""
        self._open()

    def finish(
        self,
        exit_code: int,
        *,
        not_asked: Mapping[str, int],
        not_run: Iterable[str],
        gone: Iterable[str],
    ) -> None:
        """End the record, and delete the oldest ones.

        Args:
            exit_code: of the session.
            not_asked: number of scenarios skipped since they require nothing of a live model, by agent.
            not_run: ids of existing scenarios and tests that the run left out.
            gone: ids of scenarios and tests with accepted outcomes that no longer exist.
        """
        writer = self._open()
        counts = Counter(result.outcome for result in self.results.values())
        writer.write(
            RunEnd(
                exit_code=exit_code,
                duration_s=round(time.monotonic() - self._started, 3),
                counts={outcome: counts[outcome] for outcome in OUTCOMES},
                not_asked=dict(not_asked),
                not_run=tuple(sorted(not_run)),
                gone=tuple(sorted(gone)),
            )
        )
        writer.close()
        self._options.runs.delete_old()

    def _open(self) -> RecordWriter:
        if self._failure is not None:
            raise self._failure
        if self._writer is None:
            try:
                self._writer = self._begin()
            except RedpenError as error:
                # A retry with every result would report the error as often, each time for another file.
                self._failure = error
                raise
        return self._writer

    def _begin(self) -> RecordWriter:
        options = self._options
        run_id = options.runs.new_id(self._now)
        variants = options.variants()
        start = RunStart(
            id=run_id,
            number=options.runs.next_number(),
            started=f"{self._now:%Y-%m-%dT%H:%M:%SZ}",
            record=options["--record"],
            prompts={
                variant.label: {prompt.name: prompt.hash for prompt in variant.prompts}
                for variant in variants
            },
            versions=installed_versions(),
            resumed=self._resumed.path.stem if self._resumed else None,
            events=options.events.address if options.events else "",
            **_compared(options),
        )
        kept = self._resumed.kept if self._resumed else ()
        remove_leftovers(options.layout.cassettes, deep=True)
        writer = RecordWriter(options.runs.file(run_id))
        writer.write(start)
        texts = {prompt.hash: prompt for variant in variants for prompt in variant.prompts}
        for digest, prompt in texts.items():
            writer.write(
                RecordedPrompt(
                    hash=digest,
                    name=prompt.name,
                    phase=prompt.phase,
                    version=prompt.version,
                    notes=prompt.notes,
                    text=prompt.text,
                )
            )
        for result in kept:
            writer.write(result)
            self.results[result.key] = result
        return writer


def _compared(options: Options) -> dict[str, Any]:
    """Return what a killed run and the session that continues it have to have in common."""
    return {
        "model": options["--model"],
        "samples": options["--samples"],
        "variants": tuple(variant.label for variant in options.variants()),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """A killed or interrupted run that a session continues.

    Attributes:
        path: its record.
        kept: the results that still hold: they passed or failed, and all that they depend on is the same.
        dropped: how many others it has; their tests run again.
    """

    path: Path
    kept: tuple[ScenarioResult, ...]
    dropped: int

    @property
    def tests(self) -> frozenset[str]:
        """Node ids of the tests that need not run again."""
        return frozenset(result.test for result in self.kept)


def resume(path: Path, options: Options) -> Resumed:
    """Read a killed or interrupted run and decide which of its results still hold.

    Args:
        path: its record.
        options: of the session that continues it.

    Raises:
        RecordError: the record cannot be read, or its run ended.
        ConfigurationError: model, variants or samples differ from those of the run.
    """
    record = read_record(path)
    if not record.is_cut_short:
        raise RecordError(path, "the run ended; there is nothing to resume")
    for name, value in _compared(options).items():
        if getattr(record.start, name) != value:
            raise ConfigurationError(
                f"--resume {path}: {name} differ from those of the killed run; start a new run"
            )
    fingerprints = Fingerprints(options)
    by_test: dict[str, list[ScenarioResult]] = {}
    for result in record.results:
        by_test.setdefault(result.test, []).append(result)
    kept = tuple(
        result
        for test, results in by_test.items()
        if test and all(len(results) == each.runs and _is_finished(each, fingerprints) for each in results)
        for result in results
    )
    return Resumed(path=path, kept=kept, dropped=len(record.results) - len(kept))


def _is_finished(result: ScenarioResult, fingerprints: Fingerprints) -> bool:
    return result.outcome in _FINISHED and fingerprints.is_current(result)
