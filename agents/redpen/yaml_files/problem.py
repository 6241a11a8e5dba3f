"""Faults in a user's file, with their locations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redpen.errors import RedpenError
from redpen.screen import shown

_MAX_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault in one file.

    Attributes:
        path: the file.
        line: line of the fault, from 1.
        field: the field, such as ``replies[2].json``; empty for the whole file.
        text: description of the fault, with the nearest match if there is one.
    """

    path: Path
    line: int
    field: str
    text: str

    def __str__(self) -> str:
        """Return ``file:line: field: problem``."""
        field = f"{_cut(self.field)}: " if self.field else ""
        # Names of files and keys are untrusted text.
        return shown(f"{short_path(self.path)}:{self.line}: {field}{_cut(self.text)}")


class FileError(RedpenError):
    """One or more files cannot be used.

    Attributes:
        problems: every fault found, in the order of the file.
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


def problem_in(path: Path, text: str, *, line: int = 1, field: str = "") -> FileError:
    """Return the error for a single fault."""
    return FileError((Problem(path=path, line=line, field=field, text=text),))


def short_path(path: Path) -> str:
    """Return a path for messages: relative to the working directory if it is inside it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else text[:_MAX_CHARS] + "…"
