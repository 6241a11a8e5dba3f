"""Causes told as occasions: the trouble came when, since or after something was done or happened.

"After" a thing that is known to be part of the incident tells no cause; a thing that neither context nor
original knows does, whatever the words say about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.cause_words import NEUTRAL
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import clause_around
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.word_classes import WORD_CLASSES

OCCASIONS = frozenset("when once after since as moment".split())
_NEEDS_HAD = frozenset(("as",))
_PAST = frozenset("was were had went came ran fell got took brought".split())
_COMES_AGAIN = frozenset("after once when moment".split())
_HAS = frozenset(("has", "have"))
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
    "try tried attempt sign log open click pay order book check look post publish send".split()
)
_USED = frozenset(
    "trip trips ride rides journey session sessions call calls visit visits chat booking bookings order "
    "orders payment payments purchase form forms photo photos file files code codes card cards fingerprint "
    "pin password claim claims ticket tickets seat seats parcel parcels".split()
)
"""What readers use and do: that it "was used" or "was ended" brings nothing about."""
_OPENING = frozenset(
    "sale sales ticket tickets door doors shop shops office offices registration registrations enrolment "
    "enrollment booking bookings gate gates polls show match game fair festival term season day".split()
)
_OPENED = frozenset("opened began started".split())
_ASKED = t.COMPLEMENT | t.OPENER
"""What "when" is a question after ("see when it has been mended")."""
DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december yesterday today noon midnight".split()
)
"""Words that name a day by themselves, or an hour of one."""
_HOURS = frozenset(": am pm o'clock a.m p.m".split())
_SHORTEST = 3


def find_occasions(sentence: Sentence) -> Iterator[Claim]:
    """Find the occasions at which a sentence says that the trouble came.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``cause`` whose key holds the stems of the words that name the occasion.
    """
    if sentence.question:
        return
    words = sentence.words
    for at, word in enumerate(words):
        if word not in OCCASIONS or (word == "when" and at and sentence.tags[at - 1] & _ASKED):
            continue
        begin, end = at + 1, clause_around(words, sentence.tags, at, at + 1)[1]
        if (
            _is_date(sentence, begin)
            or end - begin < _SHORTEST
            or not _happened(sentence, begin, end, word)
            or not _came(sentence, at, end)
        ):
            continue
        named = content(sentence, begin, end) - NEUTRAL
        if named and named.isdisjoint(_NOTICED) and not _is_course_of_things(sentence, begin, end):
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
    if word in _COMES_AGAIN and _HAS.intersection(words[begin:end]) and _PAST.isdisjoint(words[begin:end]):
        # So does "after the ride has ended".
        return False
    return any(
        words[at] in _PAST or (tags[at] & t.PAST and not tags[at] & t.BASE and not _describes(sentence, at))
        for at in range(begin + 1, end)
    )


def _is_date(sentence: Sentence, at: int) -> bool:
    """Whether a day or an hour stands at ``at``, which tells since when, and no event ("since 14 March")."""
    words = sentence.words
    if words[at : at + 1] and words[at] in DAYS:
        return True
    numbered = at + 1 < len(words) and bool(sentence.tags[at] & t.NUMBER)
    return numbered and words[at + 1] in DAYS | _HOURS


def _is_course_of_things(sentence: Sentence, begin: int, end: int) -> bool:
    """Whether a clause tells what readers have done, or that something opened, and nothing amiss.

    "After the trip was ended"; "since ticket sales began at 10:00".
    """
    words, tags = sentence.words, sentence.tags
    if any(tag & _TROUBLE for tag in tags[begin:end]):
        return False
    verb = next((at for at in range(begin, end) if words[at] in _PAST or tags[at] & t.PAST), end)
    if verb in {begin, end}:
        return False
    if words[verb] in ("was", "were"):
        return words[verb - 1] in _USED
    opened = words[verb] in _OPENED or words[verb : verb + 2] == ["went", "live"]
    return opened and words[verb - 1] in _OPENING


def _describes(sentence: Sentence, at: int) -> bool:
    """Whether the participle at ``at`` tells no doing of the past ("the *planned* time")."""
    tags = sentence.tags
    if tags[at - 1] & t.BEING:
        return True
    noun = at + 1 < len(tags) and is_content(sentence.words[at + 1], tags[at + 1])
    return bool(noun and tags[at - 1] & (t.DETERMINER | t.PREPOSITION) and not tags[at - 1] & t.PRONOUN)


def _came(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the rest of the sentence tells of trouble, and not of our work on it."""
    words, tags = sentence.words, sentence.tags
    start = clause_around(words, tags, at, at + 1)[0]
    rest = range(start, at) if at - start >= _SHORTEST - 1 else range(end, len(words))
    if not rest or any(tags[k] & t.AGENT and not tags[k] & t.DETERMINER for k in rest[: _SHORTEST + 1]):
        return False
    return any(tags[k] & _TROUBLE or words[k] in _WENT_BAD for k in rest)
