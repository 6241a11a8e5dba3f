"""What approved actions tell, said in other words: what happened, and which term is moved."""

from __future__ import annotations

from collections.abc import Iterable

from redpen.guards.claims.content import content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.told_verbs import is_past

_LEAST_TOLD = 3
"""Fewest words by which a cause is known to be what an approved action tells."""
_DENIALS = frozenset(("not", "no", "never"))


def is_told_by(claim: Claim, actions: Iterable[str]) -> bool:
    """Whether an approved action tells what happened in all the words that name a cause.

    Args:
        claim: a claim of the family ``cause``.
        actions: the approved actions.
    """
    return len(claim.key) >= _LEAST_TOLD and any(
        claim.key <= content(sentence, 0, len(sentence.words)) and _happened(sentence, claim.key)
        for text in actions
        for sentence in read_sentences(text)
    )


def _happened(sentence: Sentence, key: frozenset[str]) -> bool:
    """Whether a verb of the past among the key, that is not denied, makes the sentence tell what happened."""
    pairs = zip(sentence.words[1:], sentence.tags[1:], strict=True)
    return _DENIALS.isdisjoint(sentence.words) and any(
        is_past(word, tag) and stem(word) in key for word, tag in pairs
    )
