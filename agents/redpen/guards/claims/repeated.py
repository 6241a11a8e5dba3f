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
from redpen.guards.claims.reading import Sentence, read_sentences

DENIALS = frozenset("not no never nobody nothing none neither nor".split())
_REFERRING = frozenset(("it", "they", "this", "these", "that", "those"))
"""Words at the head of a sentence that stand for a thing of the sentence before."""
_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER
_TOO_EARLY = frozenset(("early", "premature", "soon"))
_DOERS = ("er", "ers", "or", "ors")
"""Endings of nouns that share a stem with a verb ("resolvers", "resolved")."""
_LEAST_WORDS = 1


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


@lru_cache(maxsize=1024)
def sayings(text: str) -> tuple[Saying, ...]:
    """Return what the sentences of a text say."""
    said: list[Saying] = []
    before: frozenset[str] = frozenset()
    for sentence in read_sentences(text):
        opened = bool(sentence.mask & _OPEN) or not _TOO_EARLY.isdisjoint(sentence.words)
        meant = frozenset() if _REFERRING.isdisjoint(sentence.words[:1]) else before
        denied = not DENIALS.isdisjoint(sentence.words)
        said.append(Saying(meant | _names(sentence.words), denied, opened))
        affirmed = [clause for clause in pieces(sentence) if DENIALS.isdisjoint(clause)]
        if denied and affirmed:
            said.append(Saying(meant.union(*map(_names, affirmed)), False, opened))
        before = _names(takewhile(_affirms, sentence.words))
    return tuple(said)


def says_again(held: str, said: Iterable[Saying], *, of_state: bool) -> bool:
    """Whether one sentence that may be said again holds every word of a claim.

    Args:
        held: the words of the claim.
        said: what may be said again.
        of_state: whether the claim tells a state, which what is left open does not allow.
    """
    every = tuple(said)
    for sentence in read_sentences(held):
        words = frozenset(
            word for word, tag in zip(sentence.words, sentence.tags, strict=True) if is_content(word, tag)
        )
        words = frozenset(map(thing if len(words) > 1 else _own, words))
        denies = not DENIALS.isdisjoint(sentence.words)
        if len(words) < _LEAST_WORDS or not any(
            words <= one.names and denies == one.denied and not (one.opened and of_state) for one in every
        ):
            return False
    return True


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
