"""What can be wrong with a baseline, or with a name that should mean a side of a comparison."""

from __future__ import annotations

from pathlib import Path

from redpen.errors import ConfigurationError, RedpenError


class BaselineError(RedpenError):
    """A baseline file cannot be used; nothing was written.

    Args:
        path: the file.
        problem: what is wrong, in words.
        line: number of the line, from 1; None where the whole file is meant.
        field: of the line, e.g. ``accepted[3].calls``; empty where none is meant.
    """

    def __init__(self, path: Path, problem: str, *, line: int | None = None, field: str = "") -> None:
        self.path = path
        self.problem = problem
        self.line = line
        self.field = field
        place = f"{path}:{line}" if line else str(path)
        super().__init__(": ".join(filter(None, (place, field, problem))))


class UnknownSideError(ConfigurationError):
    """A name means neither a run record nor a baseline, or not one of its variants."""
