"""Claims that a revision only carries over from its original, or makes of something besides the incident.

"Open", "as usual" and "on schedule" are said of checkout, and there they claim that it works; but desks are
open as usual and bread leaves on schedule too, whatever the state of the service. Such words of a revision
count only where they are new and of something that the incident is about.
"""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.about import thing
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import AS_USUAL, GOES_ON, Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import read_sentences

_OFFERS = frozenset("may can welcome free able".split())
"""Words by which readers are offered the use of something."""
_OF_ALL = frozenset(("=incident", "=everything"))


def is_carried_over(claim: Claim, original: str) -> bool:
    """Whether a claim only says that something can be used or goes on, as in the original or besides it.

    Args:
        claim: a claim of the revision.
        original: the original as read.
    """
    if not claim.offered:
        return False
    words = frozenset(word for sentence in read_sentences(original) for word in sentence.words)
    known = claim.about & frozenset(map(thing, words))
    if claim.offered not in (AS_USUAL, GOES_ON):
        named = claim.offered in map(stem, words) or len(known) * 2 <= len(claim.about)
        return named or _is_offered(claim, original)
    of_all = not claim.about.isdisjoint(_OF_ALL)
    if claim.offered == AS_USUAL and claim.about and not known and not of_all:
        return True
    if claim.offered == GOES_ON and of_all:
        return False
    return any(
        given.offered and (not claim.about.isdisjoint(given.about) or _is_said_there(claim, given, original))
        for given in find_claims(original)
    )


def _is_said_there(claim: Claim, given: Claim, original: str) -> bool:
    """Whether the sentence of a claim of the original names, however it refers to it, what a claim is about.

    "Look at the boards; they are right" is said of the boards.
    """
    return bool(claim.about) and any(
        claim.about <= frozenset(map(thing, sentence.words))
        for sentence in read_sentences(original)
        if sentence.span(0, -1)[0] <= given.start < sentence.span(0, -1)[1]
    )


def _is_offered(claim: Claim, original: str) -> bool:
    """Whether a sentence of the original offers what the claim says is open or available."""
    return bool(claim.about) and any(
        not _OFFERS.isdisjoint(sentence.words)
        and not sentence.mask & (t.NOT | t.NO)
        and len(claim.about & frozenset(map(thing, sentence.words))) * 3 >= len(claim.about) * 2
        for sentence in read_sentences(original)
    )
