"""Sentences that a text has to say: a disclaimer, a time of the next update."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redpen.guards.report import Finding, part_of_text
from redpen.guards.text import read


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredText:
    """Words that a text needs.

    Attributes:
        code: what a text without them lacks; the family of its finding.
        words: the words; case and white space do not count.
    """

    code: str
    words: str


def find_missing(text: str, required: tuple[RequiredText, ...]) -> tuple[Finding, ...]:
    """Return a finding at the end of a text for each of some words that a reader does not see in it."""
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
