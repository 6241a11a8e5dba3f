"""What can be wrong with the files and agents that Redpen is given, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.checking.screen import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


_MAX_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault in one file.

    Attributes:
        path: the file.
        line: line of the fault, from 1.
        field: the field, such as ``replies[2].json``; empty for the file as a whole.
        text: what is wrong, with the nearest match where there is one.
    """

    path: Path
    line: int
    field: str
    text: str

    def __str__(self) -> str:
        """Return ``file:line: field: problem``."""
        field = f"{_cut(self.field)}: " if self.field else ""
        # Names of files and keys are the file's author's own.
        return shown(f"{_shown(self.path)}:{self.line}: {field}{_cut(self.text)}")


class NoLibraryError(ConfigurationError):
    """There is no library where one is looked for."""


class LibraryError(RedpenError):
    """One or more files of the library cannot be used.

    Attributes:
        problems: every fault found, in the order of the file.
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


def problem_in(path: Path, text: str, *, line: int = 1, field: str = "") -> LibraryError:
    """Return the error for a single fault."""
    return LibraryError((Problem(path=path, line=line, field=field, text=text),))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else text[:_MAX_CHARS] + "…"


def _shown(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


CassetteProblem = Literal[
    "missing",  # there is no such file
    "empty",  # the file has no content
    "unreadable",  # no permission, a folder, no UTF-8
    "torn",  # the JSON ends early or is damaged
    "version",  # written by another format version
    "shape",  # JSON, but no cassette
    "prompt",  # a text that it names is missing or was changed
    "kind",  # a scripted recording in a live model's folder, or the reverse
    "model",  # recorded from another model than its folder says
    "scenario",  # recorded for another scenario than its path says
    "incomplete",  # a recording that lost a call, so it is not saved
    "unwritable",  # the disk refused it
]


class CassetteError(RedpenError):
    """A cassette that cannot be used.

    Args:
        path: the file.
        problem: what is wrong with it, one sentence without a final full stop.
        kind: the class of the problem.
        mend: the command or step that mends it, empty if there is none.
    """

    def __init__(self, path: Path, problem: str, *, kind: CassetteProblem, mend: str = "") -> None:
        """Keep the parts and join them into one message."""
        self.path = path
        self.problem = problem
        self.kind: CassetteProblem = kind
        self.mend = mend
        advice = f"\n  to mend it: {mend}" if mend else ""
        super().__init__(f"{path}: {problem}{advice}")


class SecretFound(RedpenError):  # noqa: N818 - names what happened, as NetworkBlocked does
    """A recording that holds something like a key, so nothing of it was saved.

    Args:
        path: the file that was not written.
        findings: rule and place of each hit, never the secret itself.
    """

    def __init__(self, path: Path, findings: Sequence[str]) -> None:
        """Keep the parts and join them into one message."""
        self.path = path
        self.findings = tuple(findings)
        listed = "; ".join(self.findings)
        super().__init__(
            f"{path}: nothing was saved, the recording holds {listed}\n"
            "  to mend it: take the secret out of the scenario, prompt or base URL, and record again"
        )


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


class TargetError(ConfigurationError):
    """An agent cannot be loaded or called as its scenario asks; nothing is said of what it would answer.

    Attributes:
        field: of the scenario that is at fault, such as ``agent`` or ``input``.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ReportError(RedpenError):
    """A report cannot be written; the message names the file and what mends it."""
