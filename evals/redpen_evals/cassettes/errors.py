"""What goes wrong with a cassette as a file: it cannot be read, or must not be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from redpen.errors import RedpenError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
