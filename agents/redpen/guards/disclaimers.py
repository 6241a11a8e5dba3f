"""Required texts, such as a disclaimer or the time of the next update."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redpen.guards.report import Finding, part_of_text
from redpen.guards.text import read


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredText:
    """A required text.

    Attributes:
        code: the family of the finding if it is missing.
        words: its words; case and white space are ignored.
    """

    code: str
    words: str


def find_missing(text: str, required: tuple[RequiredText, ...]) -> tuple[Finding, ...]:
    """Return a finding at the end of a text for each missing disclaimer."""
    end = (len(text), len(text))
    seen = _folded(text)
    return tuple(
        part_of_text(
            "missing_disclaimer",
            text,
            end,
            f"{item.words!r} is missing",
            f"the policy asks for these words ({item.code})",
            family=item.code,
        )
        for item in required
        if not re.search(rf"(?<!\w){re.escape(_folded(item.words))}(?!\w)", seen)
    )


def _folded(text: str) -> str:
    return " ".join(read(text).text.split()).casefold()
