"""Every restricted claim that a text makes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from redpen.guards.claims.about import about
from redpen.guards.claims.cause import find_causes
from redpen.guards.claims.found import Claim
from redpen.guards.claims.phrasing import find_phrased, phrase_keys
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.reassurance import REASSURANCE_ANCHORS, find_reassurance
from redpen.guards.claims.resolution import RESOLUTION_ANCHORS, find_resolution

MAX_FOUND = 120
"""Most claims that are looked for in a text; what follows counts as one that nothing allows."""
UNREAD = "too many claims to read them all"
_ANCHORS = RESOLUTION_ANCHORS | REASSURANCE_ANCHORS
_LONG = 40
_FEW = 4
_LOOK_BACK = 6


@lru_cache(maxsize=1024)
def find_claims(text: str) -> tuple[Claim, ...]:
    """Find every restricted claim that a text makes.

    Args:
        text: any text, as a reader sees it.

    Returns:
        The claims in the order of the text; of several of one family that overlap the first stays. Kept for
        the last texts, since contexts and originals come again and again.
    """
    found: list[tuple[Claim, Sentence]] = []
    for sentence in read_sentences(text):
        if len(found) > MAX_FOUND or _is_dense(sentence):
            found.append((_unread(sentence), sentence))
            continue
        for find in (find_phrased, find_resolution, find_reassurance, find_causes):
            found += ((claim, sentence) for claim in find(sentence))
    return tuple(claim._replace(about=about(sentence, claim)) for claim, sentence in _distinct(found))


def _is_dense(sentence: Sentence) -> bool:
    """Whether so many words of so few are triggers that no person wrote the sentence to be read."""
    words = sentence.words
    if len(words) < _LONG or len(sentence.vocabulary) * _FEW > len(words):
        return False
    keys = phrase_keys()
    triggers = sum(tag & _ANCHORS > 0 or word in keys for word, tag in zip(words, sentence.tags, strict=True))
    return triggers * _FEW > len(words)


def _unread(sentence: Sentence) -> Claim:
    """Return what stands for a sentence that is not read: a claim that nothing allows."""
    return Claim("resolution", *sentence.span(0, -1), UNREAD, frozenset((UNREAD,)))


def _distinct(claims: Iterable[tuple[Claim, Sentence]]) -> list[tuple[Claim, Sentence]]:
    kept: list[tuple[Claim, Sentence]] = []
    for pair in sorted(claims, key=_place):
        claim = pair[0]
        if not any(item.family == claim.family and claim.start < item.end for item, _ in kept[-_LOOK_BACK:]):
            kept.append(pair)
    return kept


def _place(pair: tuple[Claim, Sentence]) -> tuple[int, int, str]:
    claim = pair[0]
    return claim.start, -claim.end, claim.family
