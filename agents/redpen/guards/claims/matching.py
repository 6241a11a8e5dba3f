"""Finds the phrases of the table in a sentence."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.phrases import PHRASES, Phrase
from redpen.guards.claims.reading import Sentence

_GAP = 2
_OPEN_GAP = 4
_CLAUSE_MARKS = frozenset(",;:–—…()[]")


class Place(NamedTuple):
    """One place of a pattern: which words may stand there, whether any may, whether it may be missing."""

    words: frozenset[str]
    anything: bool
    optional: bool


class Match(NamedTuple):
    """A phrase found: the row and the words ``start`` to ``end`` (exclusive) of the sentence."""

    phrase: Phrase
    start: int
    end: int


def _place(text: str) -> Place:
    optional = text.endswith("?")
    body = text.removesuffix("?")
    if body == "*":
        return Place(frozenset(), True, True)
    words: set[str] = set()
    for part in body.split("/"):
        if part.startswith("~"):
            for lemma in spellings(part[1:]):
                forms = inflect(lemma)
                words.update((forms.base, forms.third, forms.gerund, *forms.past))
                if lemma == "be":
                    words.update(("is", "are", "am", "was", "were", "'s", "'re"))
                if lemma == "have":
                    words.update(("has", "'ve"))
        else:
            words.add(part)
    return Place(frozenset(words), False, optional)


def _index() -> dict[str, list[tuple[Phrase, tuple[Place, ...]]]]:
    index: dict[str, list[tuple[Phrase, tuple[Place, ...]]]] = {}
    for phrase in PHRASES:
        places = tuple(_place(text) for text in phrase.pattern.split())
        first = 0
        while True:
            for word in places[first].words:
                index.setdefault(word, []).append((phrase, places[first + 1 :]))
            if not places[first].optional:
                break
            first += 1
    return index


_BY_FIRST_WORD = MappingProxyType({word: tuple(rows) for word, rows in _index().items()})


def _end_of(sentence: Sentence, at: int, places: tuple[Place, ...]) -> int:
    """Return where the places end when they begin at word ``at``, or -1."""
    if not places:
        return at
    words, tags = sentence.words, sentence.tags
    place, rest = places[0], places[1:]
    if place.anything:
        for skipped in range(_OPEN_GAP + 1):
            if skipped and (at + skipped > len(words) or words[at + skipped - 1] in _CLAUSE_MARKS):
                break
            end = _end_of(sentence, at + skipped, rest)
            if end >= 0:
                return end
        return -1
    for skipped in range(_GAP + 1):
        here = at + skipped
        if here >= len(words):
            break
        if words[here] in place.words:
            end = _end_of(sentence, here + 1, rest)
            if end >= 0:
                return end
        if not tags[here] & t.ADVERB or words[here] in _CLAUSE_MARKS:
            break
    return _end_of(sentence, at, rest) if place.optional else -1


def find_phrases(sentence: Sentence) -> list[Match]:
    """Find every phrase of the table in a sentence, in order."""
    found = []
    get = _BY_FIRST_WORD.get
    for at, word in enumerate(sentence.words):
        rows = get(word)
        if rows:
            for phrase, rest in rows:
                end = _end_of(sentence, at + 1, rest)
                if end >= 0:
                    found.append(Match(phrase, at, end))
    return found
