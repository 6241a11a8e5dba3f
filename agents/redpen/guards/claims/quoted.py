"""Claims that a text only quotes, and does not stand by ("'it works again': we have not confirmed this")."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.text.lazy_pattern import lazy_pattern

_QUOTATION = lazy_pattern(r"[\"“„«][^\"“”„«»]{1,300}[\"”»]")
_STANDS_BY = frozenset("confirm confirmed rely believe trust from so true right ours say said us".split())
"""Words that, denied, tell that the text does not stand by what it quotes."""
_DISCLAIMS = frozenset(
    "misleading false wrong untrue incorrect inaccurate rumour rumours rumor hoax unconfirmed "
    "unverified".split()
)
_AFTER_DENIAL = 4


def is_disowned(claim: Claim, revised: str) -> bool:
    """Whether a claim ends inside a quotation that its sentence or the next one does not stand by.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
    """
    if not any(found.start() < claim.end <= found.end() for found in _QUOTATION.finditer(revised)):
        return False
    sentences = read_sentences(revised)
    at = next((k for k, sentence in enumerate(sentences) if claim.end <= sentence.span(0, -1)[1]), -1)
    return at >= 0 and any(map(_disowns, sentences[at : at + 2]))


def _disowns(sentence: Sentence) -> bool:
    words = sentence.words
    if not _DISCLAIMS.isdisjoint(words) and "not" not in words:
        return True
    return any(
        tag & t.NOT and not _STANDS_BY.isdisjoint(words[at + 1 : at + 1 + _AFTER_DENIAL])
        for at, tag in enumerate(sentence.tags)
    )
