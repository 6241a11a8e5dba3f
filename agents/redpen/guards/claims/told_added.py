"""Which clauses of a revision stand for no clause of its original: without them the rest still says it all.

A reworded text says each thing in other words, so a clause of new words is most likely the new form of an
old one, of which little is left elsewhere. Where the other clauses hold what the old ones said, the clause
was put in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import clauses

_LEAST_KEPT = 0.6


class Balance(NamedTuple):
    """What an original says and how often a revision takes it up.

    Attributes:
        given: the stems of each clause of the original, talk apart.
        kept: in how many clauses of the revision each stem stands.
    """

    given: tuple[frozenset[str], ...]
    kept: Mapping[str, int]


@lru_cache(maxsize=512)
def _clauses_of(text: str) -> tuple[frozenset[str], ...]:
    found = (
        content(sentence, start, end) - talk_stems()
        for sentence in read_sentences(text)
        for start, end in clauses(sentence)
    )
    return tuple(stems for stems in found if stems)


@lru_cache(maxsize=256)
def balance_between(revised: str, original: str) -> Balance:
    """Return what an original says and how often a revision takes it up; both as read."""
    kept = Counter(word for stems in _clauses_of(revised) for word in stems)
    return Balance(_clauses_of(original), kept)


def is_added(stems: frozenset[str], balance: Balance) -> bool:
    """Whether a clause of a revision stands for no clause of the original.

    Args:
        stems: the stems of the words of the clause.
        balance: of the revision and its original.
    """
    return not any(
        _lost(given, stems, balance) > (1 - _LEAST_KEPT) * len(given)
        for given in balance.given
        if not stems.isdisjoint(given)
    )


def _lost(given: frozenset[str], stems: frozenset[str], balance: Balance) -> int:
    """Return how many words of an old clause stand nowhere in the revision but in the clause itself."""
    return sum(balance.kept.get(word, 0) <= (word in stems) for word in given)


def stands_alone(sentence: Sentence, balance: Balance) -> bool:
    """Whether no clause of a sentence of the revision stands for one of the original."""
    pieces = (content(sentence, start, end) - talk_stems() for start, end in clauses(sentence))
    return all(is_added(stems, balance) for stems in pieces)
