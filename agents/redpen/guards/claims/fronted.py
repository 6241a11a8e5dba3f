"""What stands before a clause and takes it back: conditions over a comma, labels over a colon."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.verbgroup import Group

STOPS = frozenset(";:.[]–—(…")
"""Marks that end a clause whatever stands around them."""
READER = frozenset("you your".split())
_IFS = frozenset("if provided providing assuming should unless until".split())
_WHENS = frozenset("once when after".split())
_MOMENTS = frozenset(("moment", "minute", "instant"))
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_DISCLAIMS = frozenset("say said tell do promise guarantee claim know mean".split())
"""What a short label denies for the clause after its colon ("what we cannot do: promise a time")."""
_LONGEST_LABEL = 6
FREE_RELATIVES = frozenset("whatever whichever whoever".split())
_STILL = frozenset("remain remains remained have has need needs yet wait waits waiting".split())
"""What leaves to be done what follows: "the gates have to be opened"."""
_AS_SOON_AS = 3
_TWO = 2


def opens_clause(words: list[str], at: int) -> bool:
    """Whether a word opens a clause of time or case ("in case", "the moment", "by the time").

    Args:
        words: the words of the sentence.
        at: index of the word.
    """
    before = words[max(0, at - 2) : at]
    if words[at] == "case":
        return before[-1:] == ["in"] and words[at + 1 : at + 2] != ["of"]
    if words[at] == "time":
        return before == ["by", "the"]
    return words[at] in _MOMENTS and before[-1:] == ["the"] and before[:1] != ["at"] and before[:1] != ["of"]


def disclaims(sentence: Sentence, colon: int) -> bool:
    """Whether the label before the colon says what we do not say or do ("not to be said: it is fixed").

    Args:
        sentence: the sentence.
        colon: index of the colon.
    """
    start = colon
    while start > 0 and sentence.words[start - 1] not in STOPS:
        start -= 1
    label = sentence.words[start:colon]
    denied = any(tag & t.NOT for tag in sentence.tags[start:colon])
    can = "can" in label and label[-1] == "not"
    return denied and len(label) <= _LONGEST_LABEL and (can or not _DISCLAIMS.isdisjoint(label))


def is_supposed(sentence: Sentence, comma: int, group: Group) -> bool:
    """Whether a condition that leaves the reader out ends at the comma ("if all goes well, ...").

    Args:
        sentence: the sentence.
        comma: index of the comma before the clause.
        group: the verb group of the clause.
    """
    words, tags = sentence.words, sentence.tags
    start = comma
    while start > 0 and words[start - 1] not in STOPS:
        start -= 1
    clause = words[start:comma]
    while clause and clause[0] in ("and", "but", "so", "then"):
        clause = clause[1:]
    if not clause:
        return False
    if "luck" in clause or clause[:3] == ["all", "being", "well"]:
        return True
    if clause[0] in _IFS or clause[:2] in (["as", "soon"], ["as", "long"]):
        return not group.past and READER.isdisjoint(clause)
    if clause[0] not in _WHENS or group.past or _is_former(sentence, clause, comma, group):
        return False
    timed = clause[0] == "after" and not any(tags[at] & (_FINITE | t.PAST) for at in range(start, comma))
    return not timed and not any(_simple_past(tags, at) for at in range(start, comma))


def _is_former(sentence: Sentence, clause: list[str], comma: int, group: Group) -> bool:
    """Whether a bare "once" tells of what has changed since ("once broken, it has been mended")."""
    perfect = any(tag & t.HAVE for tag in sentence.tags[max(comma, group.start) : group.start + _TWO])
    return clause[0] == "once" and len(clause) == _TWO and perfect


def _simple_past(tags: list[int], at: int) -> bool:
    tag, before = tags[at], tags[at - 1] if at else 0
    return bool(tag & t.PAST and not tag & t.BASE and not before & (t.BE | t.HAVE | t.BEEN | t.ADVERB))


def left_open(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from ``start`` to ``end`` tell what is to come, or leave open what they are said of.

    "As soon as the gates are open"; "the gates are to be opened"; "anything but open"; "whatever opens".

    Args:
        sentence: the sentence.
        start: index of the first word.
        end: index after the last.
    """
    words, tags = sentence.words, sentence.tags
    if words[start] in FREE_RELATIVES or words[max(0, start - _AS_SOON_AS) : start] == ["as", "soon", "as"]:
        return True
    for at in range(start + 1, min(end, len(words) - 1)):
        if words[at] == "to" and words[at + 1] == "be" and (tags[at - 1] & t.BE or words[at - 1] in _STILL):
            return True
        if words[at : at + 2] == ["anything", "but"]:
            return True
    return False
