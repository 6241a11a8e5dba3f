"""What approved actions tell, said in other words: what happened, and which term is moved."""

from __future__ import annotations

from collections.abc import Iterable

from redpen.guards.claims.content import content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.told_verbs import is_past
from redpen.guards.claims.word_classes import WORD_CLASSES

_LEAST_TOLD = 3
"""Fewest words by which a cause is known to be what an approved action tells."""
_TERMS = frozenset(map(stem, WORD_CLASSES["term"].split()))
_TIME = frozenset(map(stem, "day week fortnight month year hour minute extra more later longer".split()))
_MOVES = frozenset(
    "move moves moved extend extends extended prolong prolonged postpone postponed push pushed shift shifted "
    "later longer run runs lengthen lengthened".split()
)
"""What an approved action does to a term that readers get more of."""
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


def is_moved_by(claim: Claim, actions: Iterable[str]) -> bool:
    """Whether an approved action moves what gets more time; how much is a fact, which other rules read.

    Args:
        claim: a claim of the family ``commitment``.
        actions: the approved actions.
    """
    named = claim.about - _TIME
    if named.isdisjoint(_TERMS):
        return False
    for text in actions:
        words = frozenset(word for sentence in read_sentences(text) for word in sentence.words)
        moved = not _MOVES.isdisjoint(words) and _DENIALS.isdisjoint(words)
        if moved and named <= frozenset(map(stem, words)):
            return True
    return False
