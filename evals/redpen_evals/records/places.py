"""Where run records lie, and which one a name means."""

from __future__ import annotations

import datetime
import secrets
from dataclasses import dataclass
from pathlib import Path

from redpen_evals.library.words import suggestion
from redpen_evals.records.errors import RecordError

SUFFIX = ".jsonl"
LAST = "last"
KEPT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """The folder of the run records.

    Attributes:
        path: the folder; it need not exist.
    """

    path: Path

    def new_id(self, now: datetime.datetime) -> str:
        """Return an id for a run that starts now (UTC); ids sort by time."""
        return f"{now:%Y%m%d-%H%M%S-%f}-{secrets.token_hex(2)}"

    def file(self, run_id: str) -> Path:
        """Return the file of a run."""
        return self.path / f"{run_id}{SUFFIX}"

    def files(self) -> tuple[Path, ...]:
        """Return the records in the folder, the oldest first."""
        return tuple(sorted(self.path.glob(f"*{SUFFIX}")))

    def find(self, name: str) -> Path:
        """Return the record that a name means.

        Args:
            name: a path, the id of a run, ``last``, or ``last-1`` and so on for those before it.

        Raises:
            RecordError: there is none.
        """
        files = self.files()
        if name == LAST or (name.startswith(f"{LAST}-") and name.removeprefix(f"{LAST}-").isdecimal()):
            back = int(name.removeprefix(LAST).lstrip("-") or 0)
            if back >= len(files):
                raise RecordError(
                    self.path, f"holds {len(files)} run records, none for {name!r}; run the suite"
                )
            return files[-1 - back]
        path = Path(name)
        if path.is_file():
            return path
        found = self.file(name)
        if path.name == name and found.is_file():
            return found
        hint = suggestion(name, [one.stem for one in files])
        raise RecordError(self.path, f"no run record {name!r}{hint}; it is a file, an id, or `{LAST}`")

    def forget_old(self, kept: int = KEPT) -> None:
        """Remove all records but the latest ones."""
        for path in self.files()[:-kept]:
            path.unlink(missing_ok=True)
