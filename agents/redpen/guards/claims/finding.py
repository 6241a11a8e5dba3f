"""Every restricted claim that a text makes."""

from __future__ import annotations

from collections.abc import Iterable

from redpen.guards.claims.cause import find_causes
from redpen.guards.claims.found import Claim
from redpen.guards.claims.phrasing import find_phrased
from redpen.guards.claims.reading import read_sentences
from redpen.guards.claims.reassurance import find_reassurance
from redpen.guards.claims.resolution import find_resolution

_LOOK_BACK = 6


def find_claims(text: str) -> tuple[Claim, ...]:
    """Find every restricted claim that a text makes.

    Args:
        text: any text, as a reader sees it.

    Returns:
        The claims in the order of the text; of several of one family that overlap the first stays.
    """
    found: list[Claim] = []
    for sentence in read_sentences(text):
        for find in (find_phrased, find_resolution, find_reassurance, find_causes):
            found.extend(find(sentence))
    return _distinct(found)


def _distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda item: (item.start, -item.end)):
        if not any(item.family == claim.family and claim.start < item.end for item in kept[-_LOOK_BACK:]):
            kept.append(claim)
    return tuple(kept)
