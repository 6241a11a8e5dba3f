"""Match patterns of words around a word; the patterns are data."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.data import lines
from redpen.guards.facts import vocab

if TYPE_CHECKING:
    from collections.abc import Iterable


class Phrase(NamedTuple):
    """A matched phrase: its meaning, the index of its first word and of the word after it."""

    means: str
    start: int
    end: int


class _Slot(NamedTuple):
    """The words allowed at one position of a pattern.

    ``of`` holds the words; ``digits`` allows anything that begins with a digit; ``optional`` allows no word;
    ``kept`` puts the word into the meaning; ``first`` marks the beginning of the phrase.
    """

    of: frozenset[str]
    digits: bool
    optional: bool
    kept: bool
    first: bool


class _Pattern(NamedTuple):
    """A pattern: its meaning, and its slots before a word, at it and after it, the nearest first."""

    means: str
    before: list[_Slot]
    at: _Slot
    after: list[_Slot]


class Phrases:
    """Patterns by their key word; the first that matches at a word counts.

    A line is ``meaning: before ^before [word] (optional) after``. The key word is in brackets; ``a/an`` is
    either word, ``@units`` any word of a table, ``#`` anything that begins with a digit, ``~`` the end of the
    text. A word with ``=`` fills the next ``{}`` of the meaning. The phrase begins at the word with ``^``, or
    at the key word. Hyphens between words are ignored.
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
    """Match slots on one side of a word; return the index after them and that of the ``first`` slot."""
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
