"""What can be wrong with the files and agents that Redpen is given, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redpen.errors import ConfigurationError, RedpenError

if TYPE_CHECKING:
    from collections.abc import Sequence


class NoLibraryError(ConfigurationError):
    """There is no library where one is looked for."""


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
    """An agent cannot be loaded or called as its scenario asks; no verdict on what it would answer.

    Attributes:
        field: of the scenario that is at fault, such as ``agent`` or ``input``.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ReportError(RedpenError):
    """A report cannot be written; the message names the file and what mends it."""


class UnrecordedError(RedpenError):
    """There is no recording, or none that fits any more, of what a judge is asked."""
