"""Phrases that a judgement wants in the revision, and phrases that it wants out."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.guards.text import read
from redpen.text.normal import collapse
from redpen.text.phrases import occurrences


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredPhrases:
    """What a revision must hold and must not hold, each phrase as it was quoted.

    Attributes:
        include: phrases that must stand in the revision.
        remove: phrases that must not.
        replacements: pairs of a phrase to remove and the one to include in its place. Where the second
            holds the first and more, the first does not count inside it: *replace "resolved" with
            "not resolved"* can be met.
    """

    include: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    replacements: tuple[tuple[str, str], ...] = ()

    @property
    def checks(self) -> int:
        """How many distinct phrases each of the two lists holds, added; case and white space ignored."""
        return len(_distinct(self.include)) + len(_distinct(self.remove))

    @property
    def phrases(self) -> int:
        """How many distinct phrases both lists hold together; case and white space ignored."""
        return len(_distinct(self.include + self.remove))

    def missing(self, text: str) -> tuple[str, ...]:
        """Return the phrases to include that do not stand in the text."""
        return tuple(phrase for phrase in self.include if not occurrences(text, phrase))

    def left(self, text: str) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Return the phrases to remove that still stand in the text, each with its span.

        One in disguise (look-alike letters, markup inside a word) stands there for the reader all the same.
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


def _disguised_occurrences(text: str, phrase: str) -> tuple[tuple[int, int], ...]:
    view = read(text)
    return tuple(view.span(start, end) for start, end in occurrences(view.text, phrase))


def _distinct(phrases: tuple[str, ...]) -> set[str]:
    return {collapse(phrase).casefold() for phrase in phrases}
