"""Statements that the trouble is not there: "no longer failing", "is not degraded", "no more errors"."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import following
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach
from redpen.guards.claims.statements import Statement, state
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.verbgroup import Group, verb_group

_GOOD = frozenset(
    "available accepting possible able supported expect needed required need recommend valid use meet "
    "accepted working work reachable accessible offer online responding stable healthy operational sure safe "
    "secure using run running works function functions loads opens arrives responds appears shows sends "
    "accepts".split()
)
"""What a service may sadly be "no longer"."""
_PLAINLY_BAD = frozenset(
    "degraded down unavailable broken blocked slow delayed stuck erroring crashing failing unstable impaired "
    "disrupted faulty sluggish intermittent unresponsive offline inaccessible unreachable interrupted "
    "hampered hindered struggling stalled rejected declined abnormal elevated unhealthy".split()
)
_DENIALS = frozenset("no zero without any not none nor neither".split())
_LABELS = frozenset("time date id number code message messages report reports page update updates".split())
_VAGUE = frozenset("event matter situation ticket symptom spike".split())
_MOVES = frozenset(
    "stop stopped stopping cease ceased quit come came go gone went bring brought slow calm stand stood "
    "shut broken break".split()
)
"""Verbs that make a direction or an end of the word after them ("has not come down")."""
_FEES = frozenset(
    "fee fees penalty penalties fine fines surcharge surcharges interest charge charges reminder reminders "
    "letter letters notice notices warning warnings mark marks".split()
)
"""What is called late without any trouble of a service."""
_MORE = frozenset("further other longer later greater bigger user customer server order never".split())
"""Words like comparatives that leave a denial what it is ("no further delay")."""
_NEAR = 4
_LONGER_REACH = 12


def _said_no_longer(sentence: Sentence, index: int) -> bool:
    """Whether "no longer" stands before the word at ``index``, or "any more" after it."""
    words = sentence.words
    for at in range(max(1, index - 6), index):
        if words[at] == "longer" and words[at - 1] == "no":
            return True
    return any(
        words[at] == "any" and words[at + 1] in ("more", "longer")
        for at in range(index + 1, min(len(words) - 1, index + 5))
    )


def trouble_gone(sentence: Sentence, index: int) -> Statement | None:
    """Read a word for trouble that is denied."""
    words = sentence.words
    if sentence.tags[index] & t.PROBLEM or words[index - 1 : index] in (["no"], ["zero"]):
        return _no_trouble(sentence, index)
    if index and words[index - 1] in _MOVES:
        return None
    longer = _said_no_longer(sentence, index)
    if not longer and words[index] not in _PLAINLY_BAD:
        return None
    statement = state(sentence, index)
    reached, group = statement.reach, statement.group
    if reached.conditional or reached.hedged:
        return None
    denied = (
        reached.negated
        and not reached.disclaimed
        and group.finite
        and group.mood in ("stated", "bare", "under_way")
    )
    if denied or (longer and not reached.negated):
        return statement._replace(force="promised" if group.mood == "future" else "stated")
    return None


def no_longer(sentence: Sentence, index: int) -> Statement | None:
    """Read "no longer" and "not ... any more" before anything but a good thing."""
    before = sentence.words[index - 1 : index]
    if before == ["any"]:
        return _not_any_more(sentence, index)
    if before != ["no"] or sentence.words[index] != "longer":
        return None
    at = index + 1
    while at < len(sentence.words) and sentence.tags[at] & (t.ADVERB | t.BEEN | t.BEING):
        at += 1
    if at >= len(sentence.words) or sentence.words[at] in _GOOD:
        return None
    if sentence.words[at].endswith("ing") and not tells_trouble(sentence, at, len(sentence.words)):
        return None
    statement = state(sentence, index)
    return statement if statement.reach.asserted else None


def _not_any_more(sentence: Sentence, index: int) -> Statement | None:
    words, tags = sentence.words, sentence.tags
    for at in range(index - 2, max(-1, index - _LONGER_REACH), -1):
        if words[at] in CLAUSE_MARKS or words[at] in _GOOD or tags[at] & (t.MAY | t.CAN):
            return None
        if tags[at] & (t.NOT | t.NO):
            group = Group("stated", at, False, True, False)
            reached = reach(sentence, group)
            return Statement("stated", group, reached) if reached.asserted else None
    return None


def _denial(sentence: Sentence, index: int) -> int:
    """Return where the noun at ``index`` is denied ("no", "not ... any"), or -1."""
    words, tags = sentence.words, sentence.tags
    for at in range(index - 1, max(-1, index - _NEAR - 1), -1):
        if words[at] in ("no", "zero", "without"):
            return at
        if words[at] == "any":
            return next(
                (
                    back
                    for back in range(at - 1, max(-1, at - _NEAR - 1), -1)
                    if words[back] in ("not", "without", "never")
                ),
                -1,
            )
        if words[at] in _DENIALS or words[at] in CLAUSE_MARKS or words[at] in ("the", "our", "this"):
            return -1
        if tags[at] & (t.PREPOSITION | t.BE | t.HAVE | t.AND | t.BUT):
            return -1
    return -1


def _likened(words: list[str], at: int, index: int) -> bool:
    """Whether a comparative stands before what is denied ("no shorter delay to report")."""
    return any(word.endswith("er") and word not in _MORE for word in words[at + 1 : index])


def _no_trouble(sentence: Sentence, index: int) -> Statement | None:
    """Read a noun for trouble that is denied ("no more errors")."""
    words = sentence.words
    at = _denial(sentence, index)
    of_fees = not _FEES.isdisjoint(words[index + 1 : index + 1 + _NEAR])
    if (
        at < 0
        or of_fees
        or _likened(words, at, index)
        or following(sentence, index) in _LABELS
        or words[index] in _VAGUE
    ):
        return None
    if words[at] == "without" and words[index] in ("delay", "delays"):
        return None
    group = verb_group(sentence, at)
    reached = reach(sentence, group)
    if not reached.asserted or group.mood in ("possible", "aim"):
        return None
    return Statement("promised" if group.mood == "future" else "stated", group, reached)
