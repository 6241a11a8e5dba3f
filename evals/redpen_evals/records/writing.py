"""Writing a run record: line by line, each whole, so that a killed run keeps what it had."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from redpen_evals.errors import RecordError
from redpen_evals.records.model import (
    RecordedPrompt,
    RunEnd,
    RunStart,
    ScenarioResult,
    ScorecardResult,
)


class RecordWriter:
    """Appends lines to a new file; one process writes it, whatever the number of workers.

    Args:
        path: the file, which must not exist; its folder is made.

    Raises:
        RecordError: the file exists or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._failure: RecordError | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: a line is handed to the system whole, and is there whatever becomes of us.
            self._file = open(path, "xb", buffering=0)  # noqa: PTH123, SIM115 - closed by `close`
        except FileExistsError:
            raise RecordError(path, "exists already; a record is never overwritten") from None
        except OSError as error:
            raise RecordError(path, f"cannot be written: {error.strerror or error}") from error

    def write(self, line: RunStart | RecordedPrompt | ScenarioResult | ScorecardResult | RunEnd) -> None:
        """Append a line; raises RecordError if the disk refuses it, or refused one before."""
        # What comes after half a line could not be told from it; the end of a record may be missing.
        if self._failure is not None:
            raise self._failure
        content = (line.model_dump_json() + "\n").encode("utf-8")
        try:
            view = memoryview(content)
            while view:
                view = view[os.write(self._file.fileno(), view) :]
        except OSError as error:
            self._failure = RecordError(self.path, f"cannot be written: {error.strerror or error}")
            self.close()
            raise self._failure from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()
