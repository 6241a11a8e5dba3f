"""Faults that are named nowhere else: a bug, a crew shortage, a misconfigured filter.

Who names what is broken names a cause. A word for a fault counts where neither original nor context holds it;
a general one ("failure", "error") where it is told of something that neither of them names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem, third_person
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import Known

_SAYS = "this went wrong, which nothing supports"
_FAULTS = """
bug typo misconfiguration flaw leak mismatch deadlock corruption overload congestion malfunction breakdown
collision blaze theft sabotage hack attack breach walkout spike blackout brownout regression
overflow misalignment misprint mislabelling contamination infestation vandalism
derailment landslide subsidence strike flu outbreak quarantine virus worm malware ransomware
intrusion cyberattack botnet meltdown burnout bankruptcy insolvency understaffing absenteeism
underinvestment misrouting mistyping overheating oversubscription overbooking crash failover
"""
"""What is a fault by its name, and brings trouble about."""
_GENERAL = "failure fault error outage glitch slip hiccup blip shortage defect bug crash flaw leak"
"""What may be the trouble itself, and is a cause where it is told of something new."""
_DEFECTIVE = """
misconfigured corrupted corrupt hacked outdated expired overzealous runaway rogue buggy botched overheated
overloaded malfunctioning defective mistyped untested misrouted contaminated counterfeit ruptured
corroded clogged
severed frayed burst leaky mislabelled misaligned miswired mismatched overlong unpatched overstretched
understaffed overworked underpowered undersized ageing aging antiquated obsolete creaking poisoned infected
compromised tampered overflowing congested oversubscribed misprogrammed miscalibrated misspelt
misspelled malformed flawed botched bungled overeager overcautious oversensitive unstable lapsed stolen
"""
"""How something is that brings trouble about, whatever it is."""
_WEAK = "broken faulty damaged failed failing cracked worn jammed snapped loose wet frozen rusty rotten"
"""The same, which is also said of what is affected."""
_KINDS = """
technical temporary brief short intermittent ongoing current major minor partial widespread local regional new
recent sudden known possible slight small serious general further second another actual apparent single
common occasional repeated unexpected unplanned minor internal first similar real big main whole total
complete systemwide wide login sign-in signin access page screen display message loading checkout payment
connection connectivity network-wide server tracking reported
"""
"""What tells no more than how large or lasting a fault is."""
_OPEN = frozenset(
    "whether if any no not never nor possible suspected probable potential maybe perhaps without exclude "
    "excluded rule ruled might may could would rumour rumours unless report reports avoid prevent against "
    "like such case event talk".split()
)
_THOSE_AFFECTED = frozenset("every each any all your their his her those these some many such".split())
"""Words before what is affected, of which there are many ("every failed order")."""
_OF_WHAT = frozenset("in at of on with between inside within".split())
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_SPELLS = frozenset(
    "way day start time experience morning afternoon evening night week weekend luck deal feeling".split()
)
"""What is called rotten or wet by those who feel with others, and is no part of anything."""
_NO_NOUN = frozenset("because to as since and".split())
_SAME = 4
_NEAR = 3
_BACK = 9


@lru_cache(maxsize=1)
def _named() -> frozenset[str]:
    return _forms(_FAULTS)


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    return _forms(_GENERAL)


@lru_cache(maxsize=1)
def _strong() -> frozenset[str]:
    return frozenset(_DEFECTIVE.split())


@lru_cache(maxsize=1)
def _weak() -> frozenset[str]:
    return frozenset(_WEAK.split())


@lru_cache(maxsize=1)
def _nothing_new() -> frozenset[str]:
    return talk_stems() | trouble_stems() | frozenset(map(stem, _KINDS.split()))


@lru_cache(maxsize=1)
def _triggers() -> frozenset[str]:
    return _named() | _general() | _strong() | _weak()


def _forms(words: str) -> frozenset[str]:
    return frozenset(form for word in words.split() for form in (word, third_person(word)))


def find_new_faults(sentence: Sentence, known: Known) -> Iterator[Claim]:
    """Find the faults that a sentence names and nothing else does.

    Args:
        sentence: a sentence of the revision.
        known: what the revision may restate.

    Yields:
        Claims of the family ``cause``.
    """
    if sentence.question or sentence.vocabulary.isdisjoint(_triggers()):
        return
    for at, word in enumerate(sentence.words):
        if word not in _triggers() or _is_open(sentence, at):
            continue
        span = None
        if word in _strong() or word in _weak():
            span = _defective(sentence, at, known, weak=word in _weak())
        if span is None and (word in _named() or word in _general()):
            span = _fault(sentence, at, known)
        if span is not None:
            yield Claim("cause", *sentence.span(*span), _SAYS)


def _is_open(sentence: Sentence, at: int) -> bool:
    """Whether words before the one at ``at`` leave open that there is such a thing."""
    words = sentence.words
    for k in range(at - 1, max(-1, at - _BACK - 1), -1):
        if words[k] in CLAUSE_MARKS:
            return False
        if words[k] in _OPEN:
            return True
    return False


def _is_new(word: str, known: Known) -> bool:
    return stem(word) not in known.all and stem(word) not in _nothing_new()


def _is_new_kind(word: str, known: Known) -> bool:
    """Whether a word before a fault tells what is faulty, and no known word begins as it does."""
    return _is_new(word, known) and not any(
        other.startswith(word[:_SAME]) for other in known.all - talk_stems()
    )


def _defective(sentence: Sentence, at: int, known: Known, *, weak: bool) -> tuple[int, int] | None:
    """Return the span of a thing that is called broken, where that or the thing is new."""
    words, tags = sentence.words, sentence.tags
    end = at + 1
    while end < len(words) and end - at <= _NEAR and is_content(words[end], tags[end]):
        if words[end].endswith(("ed", "ing", "ly")) or (tags[end] & (_FINITE | t.THIRD) and end > at + 1):
            break
        end += 1
    if (
        end == at + 1
        or (at and tags[at - 1] & (t.BE | t.BEEN | t.HAVE))
        or words[end - 1] in _NO_NOUN | _SPELLS
    ):
        return None
    noun = words[end - 1]
    if weak and at and words[at - 1] in _THOSE_AFFECTED:
        return None
    if weak:
        return (at, end - 1) if _is_new(noun, known) and not tags[end - 1] & t.PROBLEM else None
    return (at, end - 1) if stem(words[at]) not in known.all and not tags[end - 1] & t.PROBLEM else None


def _is_word(sentence: Sentence, at: int) -> bool:
    return at < len(sentence.words) and is_content(sentence.words[at], sentence.tags[at])


def _fault(sentence: Sentence, at: int, known: Known) -> tuple[int, int] | None:
    """Return the span of a fault by name, where it or what it is told of is new."""
    words, tags = sentence.words, sentence.tags
    begin = at
    while begin and at - begin < _NEAR and is_content(words[begin - 1], tags[begin - 1]):
        if tags[begin - 1] & (_FINITE | t.THIRD | t.COMPLEMENT) or words[begin - 1].endswith("ly"):
            break
        begin -= 1
    before = tags[begin - 1] if begin else 0
    nominal = begin < at or before & (t.DETERMINER | t.PREPOSITION) or at == 0
    if not nominal or (before & t.PRONOUN and not before & t.DETERMINER):
        return None
    after = tags[at + 1] if at + 1 < len(words) else 0
    if after & t.NUMBER or (_is_word(sentence, at + 1) and not after & t.ANY_FORM):
        # A crash test is no crash, and error 503 a message.
        return None
    if words[at] in _named() and _is_new(words[at], known):
        return begin, at
    bound = not words[at - 1].endswith(("ing", "ed")) or bool(before & (t.DETERMINER | t.PREPOSITION))
    if begin < at and words[at] in _general() and bound and _is_new_kind(words[at - 1], known):
        return begin, at
    return _told_of(sentence, at, known) if words[at] in _general() else None


def _told_of(sentence: Sentence, at: int, known: Known) -> tuple[int, int] | None:
    """Return the span of a fault in or of something new ("a fault at a partner bank")."""
    words, tags = sentence.words, sentence.tags
    if at + 2 >= len(words) or words[at + 1] not in _OF_WHAT:
        return None
    stop = at + 2
    while stop < len(words) and (tags[stop] & t.DETERMINER or is_content(words[stop], tags[stop])):
        if tags[stop] & _FINITE or stop > at + 2 + _NEAR:
            break
        stop += 1
    head = words[stop - 1]
    new = stop > at + 2 and is_content(head, tags[stop - 1]) and _is_new(head, known)
    return (at, stop - 1) if new else None
