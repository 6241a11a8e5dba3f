"""Causes told as occasions: the trouble came when, since or after something was done or happened.

"After" a thing that is known to be part of the incident tells no cause; a thing that neither context nor
original knows does, whatever the words say about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.cause_words import NEUTRAL
from redpen.guards.claims.content import content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import clause_around
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.word_classes import WORD_CLASSES

_OCCASIONS = frozenset("when once after since as moment".split())
_NEEDS_HAD = frozenset(("as",))
_PAST = frozenset("was were had went came ran fell got took brought".split())
_IS_NOW = frozenset(("is", "are", "'s", "'re"))
_OPEN = t.WILL | t.MAY | t.CAN | t.HARD_CONDITION
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_WENT_BAD = frozenset(
    "dark silent blank stale wrong late stuck dead empty lost vanished disappeared froze frozen dropped "
    "broke".split()
)
_PEOPLE = frozenset(WORD_CLASSES["readers"].split()) | frozenset(("i", "it", "this", "that", "there"))
_NOTICED = frozenset(
    stem(word)
    for word in "alert alarm monitor report notice reach call complain complaint tell told write ask see "
    "try tried "
    "attempt sign log open click pay order book check look post publish send".split()
)
_ASKED = t.COMPLEMENT | t.OPENER
"""What "when" is a question after ("see when it has been mended")."""
_SHORTEST = 3


def find_occasions(sentence: Sentence) -> Iterator[Claim]:
    """Find the occasions at which a sentence says that the trouble came.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``cause`` whose key holds the stems of the words that name the occasion.
    """
    if sentence.vocabulary.isdisjoint(_OCCASIONS) or sentence.question:
        return
    words = sentence.words
    for at, word in enumerate(words):
        if word not in _OCCASIONS or (word == "when" and at and sentence.tags[at - 1] & _ASKED):
            continue
        begin, end = at + 1, clause_around(words, sentence.tags, at, at + 1)[1]
        if (
            end - begin < _SHORTEST
            or not _happened(sentence, begin, end, word)
            or not _came(sentence, at, end)
        ):
            continue
        named = content(sentence, begin, end) - NEUTRAL
        if named and named.isdisjoint(_NOTICED):
            yield Claim("cause", *sentence.span(at, end - 1), "this is what brought it about", named)


def _happened(sentence: Sentence, begin: int, end: int, word: str) -> bool:
    """Whether the clause tells something besides readers' doings as past."""
    words, tags = sentence.words, sentence.tags
    if any(tag & _OPEN for tag in tags[begin:end]):
        return False
    if not _PEOPLE.isdisjoint(words[begin : begin + 2]):
        return False
    if _IS_NOW.intersection(words[begin:end]) and _PAST.isdisjoint(words[begin:end]):
        # "After the ride is finished" tells a time that comes again and again.
        return False
    if word in _NEEDS_HAD:
        return "had" in words[begin:end]
    return any(
        words[at] in _PAST or (tags[at] & t.PAST and not tags[at] & t.BASE) for at in range(begin + 1, end)
    )


def _came(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the rest of the sentence tells of trouble, and not of our work on it."""
    words, tags = sentence.words, sentence.tags
    start = clause_around(words, tags, at, at + 1)[0]
    rest = range(start, at) if at - start >= _SHORTEST - 1 else range(end, len(words))
    if not rest or any(tags[k] & t.AGENT and not tags[k] & t.DETERMINER for k in rest[: _SHORTEST + 1]):
        return False
    return any(tags[k] & _TROUBLE or words[k] in _WENT_BAD for k in rest)
