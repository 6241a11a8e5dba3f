"""Phrases that a judgement requires in the revision or forbids there, and texts that a policy requires."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redpen.guards.report import Finding, part_of_text
from redpen.guards.text import read
from redpen.text.normal import collapse
from redpen.text.phrases import occurrences


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredPhrases:
    """Phrases that a revision must and must not contain, as quoted.

    Attributes:
        include: required phrases.
        remove: forbidden phrases.
        replacements: pairs of a phrase to remove and its replacement. If the replacement contains the
            removed phrase, that occurrence does not count: *replace "resolved" with "not resolved"* can
            be met.
    """

    include: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    replacements: tuple[tuple[str, str], ...] = ()

    @property
    def checks(self) -> int:
        """Number of distinct phrases of each list, added; case and white space ignored."""
        return len(_distinct(self.include)) + len(_distinct(self.remove))

    @property
    def phrases(self) -> int:
        """Number of distinct phrases in both lists together; case and white space ignored."""
        return len(_distinct(self.include + self.remove))

    def missing(self, text: str) -> tuple[str, ...]:
        """Return the required phrases that the text lacks."""
        return tuple(phrase for phrase in self.include if not occurrences(text, phrase))

    def left(self, text: str) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Return the forbidden phrases that the text contains, each with its span.

        Disguised phrases (look-alike letters, markup inside a word) count too.
        """
        return tuple(
            (phrase, span)
            for phrase in self.remove
            for span in occurrences(text, phrase) or _disguised_occurrences(text, phrase)
            if not self._is_part_of_its_replacement(text, phrase, span)
        )

    def _is_part_of_its_replacement(self, text: str, phrase: str, span: tuple[int, int]) -> bool:
        return any(
            start <= span[0] and span[1] <= end and span != (start, end)
            for removed, included in self.replacements
            if removed == phrase
            for start, end in occurrences(text, included)
        )


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
    if not required:
        return ()
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


def _disguised_occurrences(text: str, phrase: str) -> tuple[tuple[int, int], ...]:
    view = read(text)
    return tuple(view.span(start, end) for start, end in occurrences(view.text, phrase))


def _distinct(phrases: tuple[str, ...]) -> set[str]:
    return {collapse(phrase).casefold() for phrase in phrases}


def _folded(text: str) -> str:
    return " ".join(read(text).text.split()).casefold()
