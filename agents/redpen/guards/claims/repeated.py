"""Sentences that a revision may say again: their words, whether they deny something or leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.about import thing
from redpen.guards.claims.content import is_content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, own_sentences

DENIALS = frozenset("not no never nobody nothing none neither nor".split())
_REFERRING = frozenset(("it", "they", "this", "these", "that", "those"))
"""Words at the head of a sentence that stand for a thing of the sentence before."""
_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER
_TOO_EARLY = frozenset(("early", "premature", "soon"))
_DOERS = ("er", "ers", "or", "ors")
"""Endings of nouns that share a stem with a verb ("resolvers", "resolved")."""


class Saying(NamedTuple):
    """What one sentence, or one undenied clause of it, says.

    Attributes:
        names: what stands for its words, see ``thing``, with what it refers to.
        denied: whether it denies something.
        opened: whether it leaves something open.
    """

    names: frozenset[str]
    denied: bool
    opened: bool


def _sayings(text: str) -> Iterator[Saying]:
    """Yield what the sentences of a text say; the first will often do."""
    before: frozenset[str] = frozenset()
    for sentence in own_sentences(text):
        whole, affirmed, until = _says(sentence)
        meant = frozenset() if sentence.words[0] not in _REFERRING else before
        yield whole._replace(names=meant | whole.names) if meant else whole
        if affirmed:
            yield affirmed._replace(names=meant | affirmed.names) if meant else affirmed
        before = until


@lru_cache(maxsize=1024)
def _says(sentence: Sentence) -> tuple[Saying, Saying | None, frozenset[str]]:
    """Return what a sentence says, and its undenied clauses if one denies; its names up to a denial."""
    words = sentence.words
    opened = bool(sentence.mask & _OPEN) or not _TOO_EARLY.isdisjoint(sentence.vocabulary)
    names = _names(sentence.vocabulary)
    if DENIALS.isdisjoint(sentence.vocabulary):
        return Saying(names, False, opened), None, names
    clauses = [clause for clause in pieces(sentence) if DENIALS.isdisjoint(clause)]
    affirmed = Saying(frozenset().union(*map(_names, clauses)), False, opened) if clauses else None
    return Saying(names, True, opened), affirmed, _names(takewhile(_affirms, words))


def says_again(held: str, texts: Iterable[str], *, of_state: bool) -> bool:
    """Whether one sentence that may be said again holds every word of a claim.

    Args:
        held: the words of the claim.
        texts: the texts whose sentences may be said again, the likeliest first.
        of_state: whether the claim tells a state, which what is left open does not allow.
    """
    every = tuple(texts)
    return all(
        bool(words)
        and any(
            words <= one.names and denies == one.denied and not (one.opened and of_state)
            for text in every
            for one in _sayings(text)
        )
        for words, denies in _held(held)
    )


@lru_cache(maxsize=256)
def _held(text: str) -> tuple[tuple[frozenset[str], bool], ...]:
    """Return the words of content of each sentence of a claim, and whether it denies something."""
    return tuple(
        [(_meant(sentence), not DENIALS.isdisjoint(sentence.words)) for sentence in own_sentences(text)]
    )


def _meant(sentence: Sentence) -> frozenset[str]:
    pairs = zip(sentence.words, sentence.tags, strict=True)
    words = frozenset([word for word, tag in pairs if is_content(word, tag)])
    return frozenset(map(thing if len(words) > 1 else _own, words))


def pieces(sentence: Sentence) -> Iterator[list[str]]:
    """Yield the words of a sentence between its marks."""
    clause: list[str] = []
    for word in sentence.words:
        if word in CLAUSE_MARKS:
            yield clause
            clause = []
        else:
            clause.append(word)
    yield clause


def _names(words: Iterable[str]) -> frozenset[str]:
    return frozenset(
        name for word in words if not word.endswith(_DOERS) for name in (thing(word), _own(word))
    )


def _affirms(word: str) -> bool:
    return word not in DENIALS


def _own(word: str) -> str:
    """Return what stands for a word that has to be repeated itself, and not by a near synonym."""
    return f"~{stem(word)}"
