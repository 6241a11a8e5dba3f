"""Clauses that ask something of the reader, by the verb that they begin with."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence

_LEADS = frozenset("please kindly just simply then so also do not never or to always instead and".split())
_VERBS = frozenset(
    "make keep remember avoid ensure remain refrain allow consider bring do let get give take choose ask "
    "tell send go come hold leave read note expect ignore disregard pick bear beware treat add apply "
    "submit mind speak write wait stay turn move walk drive travel step put set carry continue pay buy "
    "prepare arrange reply quote mention include describe explain accept decline wear pack".split()
)
"""Verbs that seldom begin a statement as nouns."""
_NOUNS_TOO = frozenset(
    "call check visit contact tap click enter select open close press log sign order book use try look watch "
    "follow refresh restart reload save print scan show present clear delete remove download upload install "
    "update switch plug unplug reset register report request return cancel schedule repeat retry start stop "
    "test type text email mail message phone ring dial post help drop pull push view search see find head "
    "swap change answer compare confirm cover fill hand join ride sit seek store unlock lock charge boil "
    "run load collect order exit pause rest count".split()
)
"""Verbs that begin statements as nouns too ("check-in is slow"): what follows them tells."""
_AFTER_NOUN = t.DETERMINER | t.TO
_TAKEN = frozenset(
    "us me them it him her here there your our my at for into onto with off through around on again".split()
)
_PARTICLES = frozenset("in out up down back over".split())
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY | t.THIRD


def is_order(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause begins with an order to the reader ("keep an eye on the page").

    Args:
        sentence: the sentence.
        start: index of the first word of the clause.
        end: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    first = start
    while first < end - 1 and words[first] in _LEADS:
        first += 1
    if first + 1 >= end:
        return False
    word, after = words[first], words[first + 1]
    if word in _VERBS:
        return not tags[first + 1] & _FINITE or bool(tags[first + 1] & t.DETERMINER)
    if word not in _NOUNS_TOO:
        return False
    parted = after in _PARTICLES and first + 2 < end and tags[first + 2] & t.DETERMINER
    if tags[first + 1] & _AFTER_NOUN or after in _TAKEN or parted:
        stop = next((at for at in range(first + 2, end) if tags[at] & t.COMPLEMENT), end)
        return not any(tags[at] & (t.BE | t.HAVE | t.WILL | t.CAN) for at in range(first + 1, stop))
    return False
