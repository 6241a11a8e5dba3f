"""Patterns of words: how they are written, and how they are found in a sentence.

A pattern is a row of places parted by spaces. A place is a word, alternatives parted by ``/``, ``~verb`` for
any form of a verb, ``@class`` for any word of a class (see ``word_classes``), ``*`` for up to five words of
any kind, or ``$`` for the end of the clause; ``?`` at its end makes a place optional. Up to two adverbs (or
*been*, *being*) may stand before any place but the first.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.word_classes import WORD_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Row = TypeVar("Row")

CLAUSE_MARKS = frozenset(",;:–—…()[]")
_END_OF_CLAUSE = frozenset("$")
_MAY_STAND_BETWEEN = t.ADVERB | t.BEEN | t.BEING
_ADVERB_GAP = 2
_OPEN_GAP = 5
_FREQUENT = frozenset(
    ", : – ( % in us out up back not through every will one what out off over so do late slow fee "
    "charge charges "
    "is are was were be been 's the a an our we you i it this that all these no not to of for in on "
    "at by with and or "
    "from as your have has had 've will can get gets getting got go goes going went make made put "
    "take took come see "
    "error errors issue issues failure failures customers data update".split()
)
"""Words that stand in most updates; a row is looked up by a place that holds as few of them as may be."""


class Place(NamedTuple):
    """One place of a pattern: which words may stand there, whether any may, whether it may be missing."""

    words: frozenset[str]
    anything: bool
    optional: bool
    head: bool


class Pattern(NamedTuple, Generic[Row]):
    """A pattern with the row of the table that it comes from."""

    row: Row
    first: frozenset[str]
    rest: tuple[Place, ...]
    head: frozenset[str]
    needs: tuple[frozenset[str], ...]


class Match(NamedTuple, Generic[Row]):
    """A row found: the words ``start`` to ``end`` (exclusive) of the sentence, its predicate at ``head``."""

    row: Row
    start: int
    end: int
    head: int


def _forms(lemma: str) -> Iterator[str]:
    for word in spellings(lemma):
        forms = inflect(word)
        yield from (forms.base, forms.third, forms.gerund, *forms.past)
    yield from {"be": ("is", "are", "am", "was", "were", "'s"), "have": ("has",)}.get(lemma, ())


def _alternatives(text: str) -> Iterable[str]:
    return _forms(text[1:]) if text[0] == "~" else (text,)


@lru_cache(maxsize=64)
def _class(name: str) -> frozenset[str]:
    return frozenset(word for text in WORD_CLASSES[name].split() for word in _alternatives(text))


def _place(text: str) -> Place:
    body = text.removesuffix("?").removeprefix("^")
    if body == "*":
        return Place(frozenset(), True, True, False)
    words: set[str] = set()
    for part in body.split("/"):
        words.update(_class(part[1:]) if part[0] == "@" else _alternatives(part))
    return Place(frozenset(words), False, text.endswith("?"), text.startswith("^"))


def _key(places: Sequence[Place]) -> frozenset[str]:
    """Return the words of the place by which a pattern is looked up."""
    needed = [place.words for place in places if not place.optional and place.words != _END_OF_CLAUSE]
    return min(needed, key=lambda words: (len(words & _FREQUENT), len(words)))


def _end_of(words: Sequence[str], tags: Sequence[int], at: int, places: tuple[Place, ...]) -> int:
    """Return where the places end when they begin at word ``at``, or -1."""
    if not places:
        return at
    place, rest = places[0], places[1:]
    if "$" in place.words and (at == len(words) or words[at] in CLAUSE_MARKS or tags[at] & t.AND):
        return at
    here = at
    gap = at + (_OPEN_GAP if place.anything else _ADVERB_GAP)
    while here <= gap:
        if place.anything:
            end = _end_of(words, tags, here, rest)
        elif here < len(words) and words[here] in place.words:
            end = _end_of(words, tags, here + 1, rest)
        else:
            end = -1
        if end >= 0:
            return end
        if (
            here >= len(words)
            or words[here] in CLAUSE_MARKS
            or not (place.anything or tags[here] & _MAY_STAND_BETWEEN)
        ):
            break
        here += 1
    return _end_of(words, tags, at, rest) if place.optional and not place.anything else -1


class Table(Generic[Row]):
    """A table of patterns; made ready for searching when it is first searched.

    Args:
        rows: the rows with their patterns.
    """

    def __init__(self, rows: Iterable[tuple[Row, str]]) -> None:
        self._rows = tuple(rows)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Words without which no row can be found."""
        return frozenset(self._by_key)

    @cached_property
    def _by_key(self) -> Mapping[str, tuple[Pattern[Row], ...]]:
        index: dict[str, list[Pattern[Row]]] = {}
        for row, text in self._rows:
            places = tuple(_place(part) for part in text.split())
            key = _key(places)
            head = next((place.words for place in places if place.head), frozenset())
            for skipped in range(len(places)):
                needs = tuple(
                    place.words
                    for place in places[skipped:]
                    if not place.optional and place.words is not key and "$" not in place.words
                )
                pattern = Pattern(row, places[skipped].words, places[skipped + 1 :], head, needs)
                for word in key:
                    index.setdefault(word, []).append(pattern)
                if not places[skipped].optional:
                    break
        return MappingProxyType({word: tuple(patterns) for word, patterns in index.items()})

    def find(
        self, words: Sequence[str], tags: Sequence[int], vocabulary: frozenset[str]
    ) -> Iterator[Match[Row]]:
        """Yield every row found in a sentence of tagged words, once for each word that it begins at."""
        done: set[int] = set()
        for word in vocabulary & self.keys:
            for pattern in self._by_key[word]:
                if id(pattern) not in done:
                    done.add(id(pattern))
                    if not any(map(vocabulary.isdisjoint, pattern.needs)):
                        yield from _matches(pattern, words, tags)


def _matches(pattern: Pattern[Row], words: Sequence[str], tags: Sequence[int]) -> Iterator[Match[Row]]:
    first, rest = pattern.first, pattern.rest
    for at, word in enumerate(words):
        if word in first:
            end = _end_of(words, tags, at + 1, rest)
            if end >= 0:
                yield Match(pattern.row, at, end, _head(pattern, words, at, end))


def _head(pattern: Pattern[Row], words: Sequence[str], start: int, end: int) -> int:
    if not pattern.head:
        return start
    return next((at for at in range(start, end) if words[at] in pattern.head), start)
