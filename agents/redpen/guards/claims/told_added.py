"""Which clauses of a revision stand for no clause of its original: without them the rest still says it all.

A reworded text says each thing in other words, so a clause of new words is most likely the new form of an
old one, of which little is left elsewhere. Where the other clauses hold what the old ones said, the clause
was put in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property, lru_cache

from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import clauses

_LEAST_KEPT = 0.6


class Balance:
    """What an original says and how much of it a revision takes up, found out when a rule asks for it.

    Args:
        revised: the revision as read.
        original: the original as read.
    """

    def __init__(self, revised: str, original: str) -> None:
        self._revised = revised
        self._original = original

    @cached_property
    def _kept(self) -> Mapping[str, int]:
        """In how many clauses of the revision each stem stands."""
        return Counter(word for stems in _clauses_of(self._revised) for word in stems)

    @cached_property
    def once(self) -> frozenset[str]:
        """The stems that stand in one clause of the revision alone."""
        return frozenset(word for word, count in self._kept.items() if count == 1)

    @cached_property
    def given(self) -> tuple[tuple[frozenset[str], int], ...]:
        """The stems of each clause of the original, and how many of them stand nowhere in the revision."""
        kept = frozenset(self._kept)
        return tuple([(given, len(given - kept)) for given in _clauses_of(self._original)])


@lru_cache(maxsize=1024)
def _says(sentence: Sentence) -> tuple[frozenset[str], ...]:
    """Return the stems of each clause of a sentence, talk apart."""
    return tuple([content(sentence, start, end) - talk_stems() for start, end in clauses(sentence)])


@lru_cache(maxsize=512)
def _clauses_of(text: str) -> tuple[frozenset[str], ...]:
    return tuple([stems for sentence in own_sentences(text) for stems in _says(sentence) if stems])


@lru_cache(maxsize=256)
def balance_between(revised: str, original: str) -> Balance:
    """Return what an original says and how much of it a revision takes up; both as read."""
    return Balance(revised, original)


def is_added(stems: frozenset[str], balance: Balance) -> bool:
    """Whether a clause of a revision stands for no clause of the original.

    Args:
        stems: the stems of the words of the clause.
        balance: of the revision and its original.
    """
    # A word is lost with the clause when it stands nowhere in the revision but in the clause itself.
    once = stems & balance.once
    return not any(
        lost + len(given & once) > (1 - _LEAST_KEPT) * len(given)
        for given, lost in balance.given
        if not stems.isdisjoint(given)
    )


@lru_cache(maxsize=1024)
def stands_alone(sentence: Sentence, balance: Balance) -> bool:
    """Whether no clause of a sentence of the revision stands for one of the original."""
    return all(is_added(stems, balance) for stems in _says(sentence))
