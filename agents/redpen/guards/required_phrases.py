"""Phrases that a judgement wants in the revision, and phrases that it wants out."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.text.normal import collapse
from redpen.text.phrases import occurrences


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredPhrases:
    """What a revision must hold and must not hold, each phrase as it was quoted.

    Attributes:
        include: phrases that must stand in the revision.
        remove: phrases that must not. One that is part of a phrase to include does not count there:
            *replace "resolved" with "not resolved"* can be met.
    """

    include: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

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
        """Return the phrases to remove that still stand in the text, each with its span."""
        wanted = [span for phrase in self.include for span in occurrences(text, phrase)]
        return tuple(
            (phrase, span)
            for phrase in self.remove
            for span in occurrences(text, phrase)
            if not any(start <= span[0] and span[1] <= end for start, end in wanted)
        )


def _distinct(phrases: tuple[str, ...]) -> set[str]:
    return {collapse(phrase).casefold() for phrase in phrases}
