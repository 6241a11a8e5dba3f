"""What can be wrong with a cassette, or is worth a word."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from redpen_evals.checking.screen import shown

Sort = Literal[
    "orphaned",  # its scenario is gone
    "unused",  # its scenario asks no model
    "redundant",  # a variant that says what its base says, which would be played in its place
    "leftover",  # a temporary file of a recording that was killed
    "copied",  # a live sample that is another one over again
    "unplayed",  # it holds calls that the run never makes
    "unreadable",  # empty, torn, of another format
    "misplaced",  # its path says something else than its content
    "secret",  # it holds something like a key
    "accident",  # a live recording of an error, failure or refusal
    "alien",  # no cassette at all
    "link",  # a symbolic link, which nothing here follows
    "same_words",  # live samples with the same answers
    "scripted_sample",  # a sample of a script, which has one answer only
    "unknown_variant",  # a variant that no run can have
    "old_version",  # recorded with older releases
]

NOTES: frozenset[Sort] = frozenset({"same_words", "scripted_sample", "unknown_variant", "old_version"})
"""What is worth a word, but no fault."""

PRUNE = "redpen cassettes prune"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing to see to.

    Attributes:
        path: the file, or the folder that a note is about.
        sort: the class of it.
        problem: what it is, in words.
        mend: the command or step that mends it.
    """

    path: Path
    sort: Sort
    problem: str
    mend: str

    @property
    def is_note(self) -> bool:
        """Whether it is worth a word only."""
        return self.sort in NOTES

    @property
    def line(self) -> str:
        """All of it on one line that is safe to show."""
        note = "note: " if self.is_note else ""
        return f"{shown(str(self.path))}: {note}{shown(self.problem)}; {shown(self.mend)}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**asdict(self), "path": str(self.path), "level": "note" if self.is_note else "fault"}
