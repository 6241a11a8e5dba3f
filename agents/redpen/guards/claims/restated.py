"""Claims that only restate what the original says, in words that make no claim there."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.reading import Sentence, read_sentences

_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER | t.WILL
_DENIED = t.NOT | t.NO
_CHANGED = frozenset("again back now already since finally fully no more once longer".split())
"""Words by which the same words tell of a change."""


def is_restated(claim: Claim, revised: str, original: str) -> bool:
    """Whether a sentence of the original holds the very words of a claim without claiming anything.

    What the rules read as a claim in one order of words and not in the other is no news: "results from the
    lab are running late" for "lab results are running late". A denial, a condition, a hedge or a word of
    change on one side alone makes it news.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
    """
    sentence = next((item for item in read_sentences(revised) if _holds(item, claim)), None)
    if sentence is None:
        return False
    said = _words(sentence, claim.start, claim.end)
    if not said or not said.isdisjoint(_CHANGED):
        return False
    mood = _mood(sentence)
    return any(
        said <= before.vocabulary and _mood(before) == mood and not _claims(before, original, claim.family)
        for before in read_sentences(original)
    )


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.span(0, -1)


def _holds(sentence: Sentence, claim: Claim) -> bool:
    start, end = _span(sentence)
    return start <= claim.start and claim.end <= end


def _words(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the words of content, and those of change, between two places of the text."""
    starts = sentence.tokens.starts
    return frozenset(
        word
        for word, tag, at in zip(sentence.words, sentence.tags, sentence.at, strict=True)
        if start <= starts[at] < end and (is_content(word, tag) or word in _CHANGED)
    )


def _mood(sentence: Sentence) -> tuple[bool, bool, bool]:
    return (
        bool(sentence.mask & _OPEN),
        bool(sentence.mask & _DENIED),
        not _CHANGED.isdisjoint(sentence.vocabulary),
    )


def _claims(sentence: Sentence, original: str, family: str) -> bool:
    start, end = _span(sentence)
    return any(
        given.family == family and start < given.end and given.start < end for given in find_claims(original)
    )
