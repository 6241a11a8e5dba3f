"""Clauses that say what is allowed or known to be so in other words ("paper copies are fine with teachers").

They are read like news, since no clause that is known holds all their words. Most of them stand in one
that tells of no trouble, and no word tells of a change.
"""

from __future__ import annotations

from redpen.guards.claims.content import content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known

_PERMITS = frozenset(
    map(
        stem,
        "possible allowed permitted accepted acceptable welcome fine enough okay ok sufficient suffices do "
        "option goes carried swapped get make take use travelling dollars euros pounds one two "
        "three four five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty "
        "ninety".split(),
    )
)
"""Stems of words that say that something may be done, or nothing besides the rest."""
_CHANGED = frozenset(
    "again back now already since finally fully once longer always usual used normal more".split()
)
_LEAST = 2
_SUPPORT = 0.6


def is_permitted(sentence: Sentence, claim: Claim, known: Known) -> bool:
    """Whether most words of a claim stand in a known clause that tells of no trouble.

    Args:
        sentence: the sentence that makes the claim.
        claim: a claim found in it.
        known: what a revision may restate.
    """
    start, end = sentence.places(claim.start, claim.end)
    if not _CHANGED.isdisjoint(sentence.words[start:end]):
        return False
    stems = content(sentence, start, end) - _PERMITS
    return any(len(stems & told.fine) >= max(_LEAST, _SUPPORT * len(stems)) for told in known.sentences)
