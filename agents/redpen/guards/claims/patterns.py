"""Patterns of words: how they are written, and how they are found in a sentence.

A pattern is a row of places parted by spaces. A place is a word, alternatives parted by ``/``, ``~verb`` for
any form of a verb, ``@class`` for any word of a class (see ``word_classes``), ``*`` for up to five words of
any kind, ``#done`` for any participle, or ``$`` for the end of the clause. ``?`` at its end makes a place
optional, and ``^`` before it marks the predicate. Up to two adverbs (or *been*, *being*) may stand before any
place but the first. Rows of places parted by `` & `` may stand in any order in one clause.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.word_classes import WORD_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Row = TypeVar("Row")

CLAUSE_MARKS = frozenset(",;:–—…()[]")
_PARTS = " & "
_PARTICIPLE = "#done"
_LONGEST_ASIDE = 7
_MAY_STAND_BETWEEN = t.ADVERB | t.BEEN | t.BEING
_ADVERB_GAP = 2
_OPEN_GAP = 5
_FREQUENT = frozenset(
    ", : – ( % in us out up back not through every will one what out off over so do late slow fee charge "
    "charges is are was were be been 's the a an our we you i it this that all these no not to of for in on "
    "at by with and or from as your have has had 've will can get gets getting got go goes going went make "
    "made put take took come see error errors issue issues failure failures customers data update".split()
)
"""Words that stand in most updates; a row is looked up by a place that holds as few of them as may be."""


class Place(NamedTuple):
    """One place of a pattern: which words may stand there, whether any may, whether it may be missing."""

    words: frozenset[str]
    anything: bool
    optional: bool
    head: bool
    participle: bool


class Part(NamedTuple):
    """What is to be found in one piece: the words that it begins with, and the places after them."""

    first: frozenset[str]
    rest: tuple[Place, ...]


class Pattern(NamedTuple, Generic[Row]):
    """A pattern with the row of the table that it comes from."""

    row: Row
    first: frozenset[str]
    rest: tuple[Place, ...]
    head: frozenset[str]
    needs: tuple[frozenset[str], ...]
    others: tuple[tuple[Part, ...], ...]


_Needing = tuple[frozenset[str], tuple[Pattern[Row], ...]]
"""Words, and the patterns that need one of them."""


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


@lru_cache(maxsize=2048)
def _place(text: str) -> Place:
    body = text.removesuffix("?").removeprefix("^")
    if body == "*":
        return Place(frozenset(), True, True, False, False)
    if body == _PARTICIPLE:
        return Place(frozenset(), False, text.endswith("?"), text.startswith("^"), True)
    words: set[str] = set()
    for part in body.split("/"):
        words.update(_class(part[1:]) if part[0] == "@" else _alternatives(part))
    return Place(frozenset(words), False, text.endswith("?"), text.startswith("^"), False)


def _needed(places: Sequence[Place]) -> list[frozenset[str]]:
    """Return the words of the places that cannot be missing."""
    return [place.words for place in places if place.words and not place.optional and "$" not in place.words]


def _rarity(words: frozenset[str]) -> tuple[int, int]:
    return len(words & _FREQUENT), len(words)


def _starts(places: tuple[Place, ...]) -> Iterator[Part]:
    """Yield the ways in which places may begin, since the first ones may be missing."""
    for skipped, place in enumerate(places):
        yield Part(place.words, places[skipped + 1 :])
        if not place.optional:
            return


def _is_participle(word: str, tag: int) -> bool:
    return bool(tag & (t.PAST | t.BEEN)) or word.endswith("ed")


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
        elif here < len(words) and (
            words[here] in place.words or (place.participle and _is_participle(words[here], tags[here]))
        ):
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
        self._ready: dict[str, tuple[frozenset[str], tuple[_Needing[Row], ...]]] = {}

    @cached_property
    def keys(self) -> frozenset[str]:
        """Words without which no row can be found."""
        return frozenset(self._by_key)

    @cached_property
    def _by_key(self) -> Mapping[str, Mapping[frozenset[str], Sequence[Pattern[Row]]]]:
        """The patterns by a word that they need, and by the rarest words that they need besides."""
        index: dict[str, dict[frozenset[str], list[Pattern[Row]]]] = {}
        for row, text in self._rows:
            pieces = [tuple(_place(word) for word in piece.split()) for piece in text.split(_PARTS)]
            keys = [min(_needed(places), key=_rarity) for places in pieces]
            main = min(range(len(pieces)), key=lambda at: _rarity(keys[at]))
            key = keys[main]
            head = next((place.words for places in pieces for place in places if place.head), frozenset())
            others = tuple(tuple(_starts(places)) for at, places in enumerate(pieces) if at != main)
            apart = [words for at, places in enumerate(pieces) if at != main for words in _needed(places)]
            for part in _starts(pieces[main]):
                own = _needed((Place(part.first, False, False, False, False), *part.rest))
                needs = sorted((words for words in (*own, *apart) if words is not key), key=_rarity)
                first = needs.pop(0) if needs else key
                pattern = Pattern(row, part.first, part.rest, head, tuple(needs), others)
                for word in key:
                    index.setdefault(word, {}).setdefault(first, []).append(pattern)
        return index

    def _needing(self, word: str) -> tuple[frozenset[str], tuple[_Needing[Row], ...]]:
        """Return the words without which no pattern of a key is found, and the patterns by what they need."""
        ready = self._ready.get(word)
        if ready is None:
            found = self._by_key[word]
            needing = tuple([(need, tuple(patterns)) for need, patterns in found.items()])
            ready = self._ready[word] = frozenset().union(*found), needing
        return ready

    def find(
        self, words: Sequence[str], tags: Sequence[int], vocabulary: frozenset[str]
    ) -> Iterator[Match[Row]]:
        """Yield every row found in a sentence of tagged words, once for each word that it begins at."""
        lacks = vocabulary.isdisjoint
        done: set[int] = set()
        for word in vocabulary & self.keys:
            any_other, needing = self._needing(word)
            if lacks(any_other):
                continue
            for need, patterns in needing:
                if lacks(need):
                    continue
                for pattern in patterns:
                    if id(pattern) not in done:
                        done.add(id(pattern))
                        if not any(map(lacks, pattern.needs)):
                            yield from _matches(pattern, words, tags)


def _matches(pattern: Pattern[Row], words: Sequence[str], tags: Sequence[int]) -> Iterator[Match[Row]]:
    first, rest = pattern.first, pattern.rest
    for at, word in enumerate(words):
        if word in first:
            end = _end_of(words, tags, at + 1, rest)
            if end < 0:
                continue
            span = _with_others(pattern.others, words, tags, (at, end)) if pattern.others else (at, end)
            if span is not None:
                yield Match(pattern.row, *span, _head(pattern, words, *span))


def _with_others(
    others: tuple[tuple[Part, ...], ...], words: Sequence[str], tags: Sequence[int], span: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the span of a match and of the other parts of its row in the same clause, or None."""
    begin, stop = clause_around(words, tags, *span)
    start, end = span
    for parts in others:
        found = _find_part(parts, words, tags, (begin, stop), span)
        if found is None:
            return None
        start, end = min(start, found[0]), max(end, found[1])
    return start, end


def _find_part(
    parts: tuple[Part, ...],
    words: Sequence[str],
    tags: Sequence[int],
    within: tuple[int, int],
    besides: tuple[int, int],
) -> tuple[int, int] | None:
    for at in range(*within):
        if besides[0] <= at < besides[1]:
            continue
        for part in parts:
            if words[at] in part.first:
                end = _end_of(words, tags, at + 1, part.rest)
                if 0 <= end <= within[1] and not at < besides[0] < end:
                    return at, end
    return None


def clause_around(words: Sequence[str], tags: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Return where the clause around some words begins and ends; short asides between commas belong to it.

    Args:
        words: the words of the sentence.
        tags: what each can be.
        start: index of the first word of some.
        end: index after the last.
    """
    begin, stop = start, end
    while begin > 0:
        if words[begin - 1] == ",":
            aside = next(
                (
                    at
                    for at in range(begin - 2, max(-1, begin - 2 - _LONGEST_ASIDE), -1)
                    if words[at] in CLAUSE_MARKS
                ),
                -1,
            )
            if aside < 1 or words[aside] != ",":
                break
            begin = aside
        elif words[begin - 1] in CLAUSE_MARKS or tags[begin - 1] & t.BUT:
            break
        else:
            begin -= 1
    while stop < len(words):
        if words[stop] == ",":
            aside = next(
                (
                    at
                    for at in range(stop + 1, min(len(words), stop + 1 + _LONGEST_ASIDE))
                    if words[at] in CLAUSE_MARKS
                ),
                -1,
            )
            if aside < 0 or words[aside] != "," or aside + 1 >= len(words):
                break
            stop = aside + 1
        elif words[stop] in CLAUSE_MARKS or tags[stop] & t.BUT:
            break
        else:
            stop += 1
    return begin, stop


def _head(pattern: Pattern[Row], words: Sequence[str], start: int, end: int) -> int:
    if not pattern.head:
        return start
    return next((at for at in range(start, end) if words[at] in pattern.head), start)
