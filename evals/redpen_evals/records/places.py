"""The folder of run records: lookup of a record by name, and writing one."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redpen.text.suggestion import suggestion
from redpen_evals.errors import RecordError
from redpen_evals.records.model import AnyLine
from redpen_evals.records.reading import read_start

SUFFIX = ".jsonl"
LAST = "last"
MAX_RECORDS = 20
_SHOWN_CHARS = 200
_POSITION = re.compile(rf"{LAST}(?:-([0-9]{{1,9}}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """The folder of the run records; it need not exist."""

    path: Path

    def new_id(self, now: datetime.datetime) -> str:
        """Return an id for a run that starts now (UTC); ids sort by time."""
        return f"{now:%Y%m%d-%H%M%S-%f}-{secrets.token_hex(2)}"

    def file(self, run_id: str) -> Path:
        """Return the file of a run."""
        return self.path / f"{run_id}{SUFFIX}"

    def files(self) -> tuple[Path, ...]:
        """Return the records in the folder, in the order in which their runs started.

        A record is a plain file named for the run in its first line; links, copies under another name and
        other files with the same suffix are ignored.
        """
        return tuple(path for _, path in sorted(self._started()))

    def next_number(self) -> int:
        """Return the number of a run that starts now: one more than the highest so far."""
        return 1 + max((order[0] for order, _ in self._started()), default=0)

    def find(self, name: str) -> Path:
        """Return a record by its path, its run's id, ``last``, or ``last-1`` and so on for those before.

        Raises:
            RecordError: there is no such record.
        """
        files = self.files()
        if position := _POSITION.fullmatch(name):
            back = int(position[1] or 0)
            if back >= len(files):
                raise RecordError(
                    self.path, f"holds {len(files)} run records, none for {name!r}; run the suite"
                )
            return files[-1 - back]
        path = Path(name)
        # A name that is too long for a file raises OSError.
        with contextlib.suppress(OSError):
            if path.is_file():
                return path
            record = self.file(name)
            if path.name == name and record.is_file():
                return record
        hint = suggestion(name, [file.stem for file in files])
        shown = repr(name[:_SHOWN_CHARS])
        raise RecordError(self.path, f"no run record {shown}{hint}; it is a file, an id, or `{LAST}`")

    def _started(self) -> Iterator[tuple[tuple[int, str, str], Path]]:
        for path in self.path.glob(f"*{SUFFIX}"):
            if path.is_symlink() or not path.is_file():
                continue
            start = read_start(path)
            if start is not None and start.id == path.stem:
                yield (start.number, start.started, start.id), path

    def delete_old(self, kept: int = MAX_RECORDS) -> None:
        """Remove all records but the latest ones."""
        files = self.files()
        for path in files[: max(len(files) - kept, 0)]:
            path.unlink(missing_ok=True)


class RecordWriter:
    """Appends lines to a new file; only one process writes it, even with several workers.

    Raises:
        RecordError: the file exists or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._failure: RecordError | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: each line is one write, so that it survives a crash of this process.
            self._file = open(path, "xb", buffering=0)  # noqa: PTH123, SIM115 - closed by `close`
        except FileExistsError:
            raise RecordError(path, "exists already; a record is never overwritten") from None
        except OSError as error:
            raise RecordError(path, f"cannot be written: {error.strerror or error}") from error

    def write(self, line: AnyLine) -> None:
        """Append a line; raises RecordError if the disk refuses it, or refused one before."""
        # Nothing may follow a partial line; a record without its end is valid.
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
