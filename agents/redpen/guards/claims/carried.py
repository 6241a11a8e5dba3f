"""Claims that a revision only carries over from its original, or makes of something besides the incident.

"Open", "available" and the like are said of checkout, and there they claim that it works; but desks, forms and
questions are open too, whatever the state of the service. Such words of a revision count only where they are
new and of something that the incident is about.
"""

from __future__ import annotations

from redpen.guards.claims.about import thing
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import read_sentences


def is_carried_over(claim: Claim, original: str) -> bool:
    """Whether a claim only says that something can be used which the original offers, or never speaks of.

    Args:
        claim: a claim of the revision.
        original: the original as read.
    """
    if not claim.offered:
        return False
    words = frozenset(word for sentence in read_sentences(original) for word in sentence.words)
    if claim.offered in map(stem, words):
        return True
    return len(claim.about & frozenset(map(thing, words))) * 2 <= len(claim.about)
