"""Every restricted claim that a text makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from redpen.guards.claims.about import about
from redpen.guards.claims.blame import BLAME_CUES, find_blame
from redpen.guards.claims.blame_taken import BLAME_TAKEN_CUES, find_blame_taken
from redpen.guards.claims.cause import find_causes
from redpen.guards.claims.found import Claim
from redpen.guards.claims.harmless import HARMLESS_CUES, find_harmless
from redpen.guards.claims.kept_safe import SAFETY_CUES, find_kept_safe
from redpen.guards.claims.phrasing import find_phrased, phrase_keys
from redpen.guards.claims.reading import Sentence, placed_sentences
from redpen.guards.claims.reassurance import REASSURANCE_ANCHORS, find_reassurance
from redpen.guards.claims.resolution import RESOLUTION_ANCHORS, find_resolution
from redpen.guards.claims.sure_promises import PROMISE_CUES, find_sure_promises

MAX_FOUND = 120
"""Most claims that are looked for in a text; what follows counts as one that nothing allows."""
UNREAD = "too many claims to read them all"
_Find = Callable[[Sentence], Iterable[Claim]]
_ANCHORS = RESOLUTION_ANCHORS | REASSURANCE_ANCHORS
_FINDERS: tuple[_Find, ...] = (find_phrased, find_resolution, find_reassurance, find_causes)
_CUED: tuple[tuple[frozenset[str], _Find], ...] = (
    (BLAME_CUES, find_blame),
    (BLAME_TAKEN_CUES, find_blame_taken),
    (PROMISE_CUES, find_sure_promises),
    (HARMLESS_CUES, find_harmless),
    (SAFETY_CUES, find_kept_safe),
)
"""What finds claims only in sentences that hold one of some words."""
_CUES = frozenset().union(*(cues for cues, _ in _CUED))
LONG = 40
"""Words from which on a sentence may be too dense to read."""
_FEW = 4
_LOOK_BACK = 6


@lru_cache(maxsize=1024)
def find_claims(text: str, quiet: frozenset[int] = frozenset()) -> tuple[Claim, ...]:
    """Find every restricted claim that a text makes.

    Args:
        text: any text, as a reader sees it.
        quiet: where sentences begin that make none.

    Returns:
        The claims in the order of the text; of several of one family that overlap the first stays. Kept for
        the last texts, since contexts and originals come again and again.
    """
    found: list[Claim] = []
    count = 0
    for begin, sentence in placed_sentences(text):
        if begin in quiet:
            continue
        claims, every = claims_in(sentence) if count <= MAX_FOUND else ((_unread(sentence),), 1)
        count += every
        if claims:
            found += (claim.moved(begin) for claim in claims)
    return tuple(found)


@lru_cache(maxsize=1024)
def claims_in(sentence: Sentence) -> tuple[tuple[Claim, ...], int]:
    """Find every restricted claim that a sentence makes, and how many there are with those that overlap.

    Args:
        sentence: a sentence whose places count from its own begin.
    """
    if _is_dense(sentence):
        return (_unread(sentence),), 1
    lacks = sentence.vocabulary.isdisjoint
    found = [claim for find in _FINDERS for claim in find(sentence)]
    if not lacks(_CUES):
        found += [claim for cues, find in _CUED if not lacks(cues) for claim in find(sentence)]
    if not found:
        return (), 0
    return tuple(claim._replace(about=about(sentence, claim)) for claim in _distinct(found)), len(found)


def _is_dense(sentence: Sentence) -> bool:
    """Whether so many words of so few are triggers that no person wrote the sentence to be read."""
    words = sentence.words
    if len(words) < LONG or len(sentence.vocabulary) * _FEW > len(words):
        return False
    keys = phrase_keys()
    triggers = sum(tag & _ANCHORS > 0 or word in keys for word, tag in zip(words, sentence.tags, strict=True))
    return triggers * _FEW > len(words)


def _unread(sentence: Sentence) -> Claim:
    """Return what stands for a sentence that is not read: a claim that nothing allows."""
    claim = Claim("resolution", *sentence.span(0, -1), UNREAD, frozenset((UNREAD,)))
    return claim._replace(about=about(sentence, claim))


def _distinct(claims: Iterable[Claim]) -> list[Claim]:
    kept: list[Claim] = []
    for claim in sorted(claims, key=_place):
        if not any(item.family == claim.family and claim.start < item.end for item in kept[-_LOOK_BACK:]):
            kept.append(claim)
    return kept


def _place(claim: Claim) -> tuple[int, int, str]:
    return claim.start, -claim.end, claim.family
