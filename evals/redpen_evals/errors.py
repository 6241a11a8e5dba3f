"""Errors in files and agents, with their locations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redpen.errors import ConfigurationError, RedpenError

if TYPE_CHECKING:
    from collections.abc import Sequence


class TimeIsOver(BaseException):
    """A time limit has passed; not an ``Exception``, so that agents and guards do not catch it."""


class NoLibraryError(ConfigurationError):
    """The scenario library does not exist."""


CassetteProblem = Literal[
    "missing",  # there is no such file
    "empty",  # the file has no content
    "unreadable",  # no permission, a folder, or not UTF-8
    "torn",  # the JSON is truncated or damaged
    "version",  # written by another format version
    "shape",  # JSON, but not a cassette
    "prompt",  # a prompt that it refers to is missing or was changed
    "edited",  # its calls are not the ones that were recorded
    "kind",  # a scripted recording in a live model's folder, or the reverse
    "model",  # recorded with another model than its folder says
    "scenario",  # recorded for another scenario than its path says
    "incomplete",  # a call could not be recorded, so it is not saved
    "unwritable",  # the file cannot be written
]


class CassetteError(RedpenError):
    """A cassette cannot be loaded or saved.

    Args:
        path: the file.
        problem: what is wrong with it, one sentence without a final full stop.
        kind: the kind of problem.
        mend: the command or step that fixes it, or empty.
    """

    def __init__(self, path: Path, problem: str, *, kind: CassetteProblem, mend: str = "") -> None:
        """Store the parts and build the message."""
        self.path = path
        self.problem = problem
        self.kind: CassetteProblem = kind
        self.mend = mend
        advice = f"\n  to fix it: {mend}" if mend else ""
        super().__init__(f"{path}: {problem}{advice}")


class SecretFound(RedpenError):  # noqa: N818 - names what happened, as NetworkBlocked does
    """A recording contains something like a key, so it was not saved.

    Args:
        path: the file that was not written.
        findings: rule and location of each match, never the secret itself.
    """

    def __init__(self, path: Path, findings: Sequence[str]) -> None:
        """Store the parts and build the message."""
        self.path = path
        self.findings = tuple(findings)
        listed = "; ".join(self.findings)
        super().__init__(
            f"{path}: nothing was saved, the recording holds {listed}\n"
            "  to fix it: remove the secret from the scenario, prompt or base URL, and record again"
        )


class FaultyFileError(RedpenError):
    """A file of Redpen's own cannot be used.

    Args:
        path: the file.
        problem: what is wrong.
        line: line number, from 1; None for the whole file.
        field: the faulty value, e.g. ``accepted[3].calls``; empty for none.
    """

    def __init__(self, path: Path, problem: str, *, line: int | None = None, field: str = "") -> None:
        where = f"{path}:{line}" if line else str(path)
        super().__init__(": ".join(filter(None, (where, field, problem))))


class RecordError(FaultyFileError):
    """A run record cannot be used."""


class BaselineError(FaultyFileError):
    """A baseline file cannot be used; nothing was written."""


class TargetError(ConfigurationError):
    """An agent cannot be loaded or called as its scenario specifies.

    Attributes:
        field: the faulty field of the scenario, such as ``agent`` or ``input``.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ReportError(RedpenError):
    """A report cannot be written; the message names the file and the fix."""


class UnrecordedError(RedpenError):
    """A recording of a judge is missing or stale."""
