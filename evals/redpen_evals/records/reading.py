"""Reading a run record."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from redpen.plain_file import open_plain_file
from redpen.screen import counted
from redpen.text.json_values import MAX_INTEGER_DIGITS
from redpen_evals.errors import RecordError
from redpen_evals.exit_codes import EXIT_INTERRUPTED
from redpen_evals.records.model import (
    LINE,
    RECORD_VERSION,
    AnyLine,
    RecordedPrompt,
    RunEnd,
    RunStart,
    ScenarioResult,
    ScorecardResult,
)
from redpen_evals.strict_json import parse_json, strict_decoder, unique

MAX_LINE_BYTES = 16_000_000
"""Longest line that is read; real lines are far shorter."""

MAX_BYTES = 256_000_000
"""Largest record that is read: a hundred thousand results."""

# A model's reply may nest a hundred levels, plus the levels of the result around it.
_MAX_DEPTH = 128
_MAX_VALUES = 200_000
_SHOWN_CHARS = 200

# Whatever an agent accepts from a model must be readable here.
_DECODER = strict_decoder(unique, max_digits=MAX_INTEGER_DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The content of a run record.

    Attributes:
        results: one per scenario, variant and sample, sorted by them, since workers report in any order.
        prompts: by hash.
        end: the last line; None of a run that was killed.
        torn: number of the last line if it is cut off, and so left out, else None.
    """

    path: Path
    start: RunStart
    results: tuple[ScenarioResult, ...]
    prompts: dict[str, RecordedPrompt] = field(default_factory=dict)
    scorecards: tuple[ScorecardResult, ...] = ()
    end: RunEnd | None = None
    torn: int | None = None

    @property
    def is_cut_short(self) -> bool:
        """Whether the run was killed or interrupted."""
        return self.end is None or self.end.exit_code == EXIT_INTERRUPTED

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings: that the run was killed or interrupted, and that its last line is cut off."""
        warnings = []
        if self.torn is not None:
            warnings.append(f"{self.path}:{self.torn}: the last line is cut off and left out")
        if self.is_cut_short:
            warnings.append(
                f"{self.path}: the run did not end; it holds {counted(len(self.results), 'result')}"
            )
        return tuple(warnings)


def read_start(path: Path) -> RunStart | None:
    """Return the first line of a record; None for a file that is not a record of this version."""
    try:
        with open_plain_file(path, max_bytes=MAX_BYTES) as file:
            first = file.readline(MAX_LINE_BYTES)
        return RunStart.model_validate(parse_json(first.decode("utf-8")))
    except (OSError, ValueError):
        return None


def read_record(path: Path) -> Record:
    """Read a whole record.

    Raises:
        RecordError: the file cannot be read, is too large, empty or not a record, has another version, or a
            line in the middle is broken.
    """
    start: RunStart | None = None
    end: RunEnd | None = None
    torn: int | None = None
    results: dict[tuple[str, str, int], ScenarioResult] = {}
    prompts: dict[str, RecordedPrompt] = {}
    scorecards: list[ScorecardResult] = []
    for number, line in _lines(path):
        match line:
            case None:
                torn = number
            case RunStart():
                start = line
            case RecordedPrompt():
                prompts[line.hash] = line
            case ScenarioResult():
                # The last result of a test counts, as plugins may run it again.
                results[line.key] = line
            case ScorecardResult():
                scorecards.append(line)
            case RunEnd():
                end = line
    if start is None:
        raise RecordError(path, "is empty: the run was killed before it began")
    return Record(
        path=path,
        start=start,
        results=tuple(results[key] for key in sorted(results)),
        prompts=prompts,
        # In the terminal's order.
        scorecards=tuple(sorted(scorecards, key=lambda card: card.name, reverse=True)),
        end=end,
        torn=torn,
    )


def _lines(path: Path) -> Iterator[tuple[int, AnyLine | None]]:
    """Yield the lines with their numbers, from 1; None for a last line that is cut off."""
    try:
        with open_plain_file(path, max_bytes=MAX_BYTES) as file:
            for number in itertools.count(1):
                if not (content := file.readline(MAX_LINE_BYTES)):
                    return
                yield number, _read(path, number, content)
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise RecordError(path, f"cannot be read: {reason}") from error


def _read(path: Path, number: int, content: bytes) -> AnyLine | None:
    if not content.endswith(b"\n"):
        if len(content) >= MAX_LINE_BYTES:
            raise RecordError(path, f"is longer than {MAX_LINE_BYTES:,} bytes", line=number)
        if number > 1:
            return None
    try:
        value = parse_json(
            content.decode("utf-8"), max_depth=_MAX_DEPTH, max_values=_MAX_VALUES, decoder=_DECODER
        )
    except ValueError as error:
        message = (
            "is not a run record" if number == 1 else "is not valid JSON; restore the file, or run again"
        )
        raise RecordError(path, f"{message} ({str(error)[:_SHOWN_CHARS]})", line=number) from None
    try:
        line = LINE.validate_python(value)
    except ValidationError as error:
        raise RecordError(path, _problem(value, number, error), line=number) from None
    if number == 1 and not isinstance(line, RunStart):
        raise RecordError(path, "is not a run record: its first line does not start a run", line=1)
    if number > 1 and isinstance(line, RunStart):
        raise RecordError(path, "a second run starts here; two records were joined", line=number)
    return line


def _problem(value: object, number: int, error: ValidationError) -> str:
    version = value.get("redpen_record") if isinstance(value, dict) else None
    if number == 1 and version is None:
        return "is not a run record: its first line has no `redpen_record`"
    if number == 1 and version != RECORD_VERSION:
        shown = repr(version)[:_SHOWN_CHARS]
        return f"is of record version {shown}, this Redpen reads {RECORD_VERSION}; run again"
    first = error.errors(include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place[:_SHOWN_CHARS]}: {first['msg'][:_SHOWN_CHARS]}"
