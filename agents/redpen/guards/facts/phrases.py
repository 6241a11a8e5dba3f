"""Patterns of words around a word, from data: what each means, where it begins and where it ends."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.data import lines
from redpen.guards.facts import vocab

if TYPE_CHECKING:
    from collections.abc import Iterable


class Phrase(NamedTuple):
    """What a phrase means, the index of its first word, and of the word after it."""

    means: str
    start: int
    end: int


class _Slot(NamedTuple):
    """What may stand at a place of a pattern.

    ``of`` holds the words, ``digits`` says that anything that begins with a digit may; ``optional``, that
    nothing may; ``kept``, that the word goes into the meaning; ``first``, that the phrase begins here.
    """

    of: frozenset[str]
    digits: bool
    optional: bool
    kept: bool
    first: bool


class _Pattern(NamedTuple):
    """A pattern: what it means, and its slots before a word, at it and after it, the nearest first."""

    means: str
    before: list[_Slot]
    at: _Slot
    after: list[_Slot]


class Phrases:
    """Patterns, by the word in each for which it stands; of those that fit at a word, the first counts.

    A line is ``meaning: before ^before [word] (perhaps) after``. The pattern is for the words in brackets;
    ``a/an`` is either word, ``@units`` any of a table, ``#`` anything that begins with a digit. A word with
    ``=`` fills the next ``{}`` of the meaning. The phrase begins at the word with ``^``, or at that in
    brackets. Hyphens between words are passed over.
    """

    def __init__(self, rows: Iterable[str]) -> None:
        self._of: dict[str, list[_Pattern]] = {}
        for row in rows:
            means, _, written = row.partition(": ")
            words = written.split()
            at = next(place for place, word in enumerate(words) if "[" in word)
            slots = [_slot(word) for word in words]
            before, after = slots[:at][::-1], slots[at + 1 :]
            pattern = _Pattern(means, before, slots[at], after)
            for word in pattern.at.of:
                self._of.setdefault(word, []).append(pattern)

    def find(self, low: list[str], index: int) -> Phrase | None:
        """Return the phrase at a word of a text in lower case; None where there is none.

        As many empty words stand after the text as a pattern is long.
        """
        for pattern in self._of.get(low[index], ()):
            kept: list[str] = []
            start = _walk(low, index - 1, -1, pattern.before, kept)
            if start is None:
                continue
            if pattern.at.kept:
                kept.append(low[index])
            end = _walk(low, index + 1, 1, pattern.after, kept)
            if end is not None:
                return Phrase(pattern.means.format(*kept), index if start[1] is None else start[1], end[0])
        return None


@cache
def phrases_of(table: str) -> Phrases:
    """Return the patterns of a table of ``facts`` in ``words.json``."""
    return Phrases(lines("facts", table))


def _walk(
    low: list[str], place: int, step: int, slots: list[_Slot], kept: list[str]
) -> tuple[int, int | None] | None:
    """Go over what stands at one side of a word: the place after, and that of the slot that is ``first``."""
    first = None
    for slot in slots:
        here = place + step if low[place] == "-" and "-" not in slot.of else place
        word = low[here]
        if word in slot.of or (slot.digits and word[:1].isdecimal()):
            if slot.kept:
                kept.append(word)
            first = here if slot.first else first
            place = here + step
        elif not slot.optional:
            return None
    return place, first


def _slot(written: str) -> _Slot:
    parts = written.strip("^()[]=").split("/")
    words = (vocab.table(part[1:]) if part[0] == "@" else {"" if part == "~" else part} for part in parts)
    return _Slot(
        frozenset[str]().union(*words), "#" in parts, written[0] == "(", "=" in written, written[0] == "^"
    )
