"""What can be wrong with a run record."""

from __future__ import annotations

from pathlib import Path

from redpen.errors import RedpenError


class RecordError(RedpenError):
    """A run record cannot be used.

    Args:
        path: the file.
        problem: what is wrong, in words.
        line: number of the line, from 1; None where the whole file is meant.
    """

    def __init__(self, path: Path, problem: str, *, line: int | None = None) -> None:
        self.path = path
        self.problem = problem
        self.line = line
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {problem}")
