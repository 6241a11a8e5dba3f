"""What the clause of a quantifier says of those it counts: that they are hit, told something, or neither."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import MENTIONED, Fact, Reading
from redpen.guards.facts.quantifiers.amounts import (
    BEFORE_STATE,
    CLAUSE,
    DESCRIBED,
    ENDS,
    HIT,
    LIVES,
    MANAGES,
    STEPS,
    TELL,
    WELL,
)
from redpen.guards.facts.subjects import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

_LIVED = {"most": LIVES, "least": LIVES, "all": LIVES - {"can", "could"}, "none": MANAGES}
"""What the counted ones live through, by how many they are."""

_LOST = frozenset("lost missing exposed corrupted".split())
_MEETS = frozenset("see find notice face lose meet get have experience encounter receive".split())
"""What may befall the counted ones."""
_WAS = frozenset(("was", "were", "been"))
_VERBS = frozenset("is are was were has have had will may can gets get receives receive".split())
_BEING = frozenset("is are was were be been being not has have had".split())
_LAST_ONE = frozenset(("last", "single"))
_NEAR = 8
_SOON = 4
_BEFORE_MEETING = frozenset("will may is are has have now still also currently being".split())
_MEETING = word_set("quantifier_clauses", "meeting")
"""Verbs of which only those are the subject who meet with something."""


def judged(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact | None:
    """Keep a quantifier as a fact only where its clause says that something hits the counted ones.

    Args:
        pieces: the text.
        start: index of the first piece of the quantifier.
        place: index of its last piece, the noun if it has one.
        amount: ``most``, ``least``, ``all`` or ``none``.
        noun: stem of what it counts; may be empty.

    Returns:
        The fact; with the unit ``MENTIONED`` where the clause says nothing of the kind, None where it tells
        them something or says that all is well.
    """
    low = pieces.low
    fact = made(pieces, start, place, amount, noun)
    if amount == "all" and low[start + 1] in _LAST_ONE and _lacks(low, place):
        return fact
    told = False
    for word in _backwards(pieces, start):
        told = told or word in TELL
        if word in HIT and not told and low[start] != "each":
            return fact
    told = told or not DESCRIBED.isdisjoint(low[start : place + 1])
    people = noun == "people" or CLASSES.get(noun) == "people"
    if low[start] == "each" and not people:
        # Of things taken one by one it is told what is done with them, unless that is all that is said.
        hit = _plainly_hit(low, place + 1) or any(
            _is_met(low, ahead, place) for ahead in range(place + 1, place + _SOON)
        )
        return fact if hit and not told else _mentioned(fact)
    hit = lives = meets = False
    begin = _after_restriction(low, place + 1)
    for ahead in range(begin, min(place + CLAUSE, pieces.count)):
        word = low[ahead]
        if word in ENDS:
            break
        told = told or _tells(low, ahead, amount, hit=hit)
        # That no thing is lost is a claim, a reassurance.
        harmless = amount == "none" and not people and word in _LOST
        hit = hit or (word in HIT and not harmless) or (word == "out" and low[ahead + 1] == "of")
        hit = hit or (word == "may" and low[ahead + 1] in _MEETS and amount == "most")
        lives = lives or (begin == place + 1 and ahead < place + _NEAR and word in _LIVED[amount])
        meets = meets or (
            amount == "all" and noun != "thing" and ahead < place + _SOON and _is_met(low, ahead, place)
        )
    if told:
        return None
    return fact if hit or meets or (lives and (people or amount != "all")) else _mentioned(fact)


def is_told_before(pieces: Pieces, start: int) -> bool:
    """Whether the clause before a piece says that somebody is told or asked something, or served."""
    return not TELL.isdisjoint(_backwards(pieces, start))


def _after_restriction(low: list[str], index: int) -> int:
    """Return where the verb begins, past what says which ones are meant: every guest with a pet."""
    if low[index] != "with":
        return index
    ahead = range(index + 1, index + _NEAR)
    return next((place for place in ahead if low[place] in _VERBS), index)


def _lacks(low: list[str], place: int) -> bool:
    """Whether the clause after a piece says that something does not do what it should."""
    clause = list(islice(takewhile(lambda word: word not in ENDS, low[place + 1 :]), CLAUSE))
    return "not" in clause or any(word.endswith("n't") or word in HIT for word in clause)


def made(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact:
    """Return the fact that a quantifier states, from its first piece to its last."""
    first, last = pieces.starts[start], pieces.ends[place]
    reading = Reading(kind="quantifier", value=amount)
    return Fact(readings=(reading,), start=first, end=last, text=pieces.text[first:last], head=noun)


def _tells(low: list[str], index: int, amount: str, *, hit: bool) -> bool:
    """Whether a word says that the counted ones are told something, or that all is well with them."""
    word, following = low[index], low[index + 1]
    if word == "may" and following in _MEETS:
        return False
    if word in ("asked", "told") and following == "to" and low[index - 1] in _WAS and low[index + 2] in HIT:
        return False
    if amount == "none" and word in ("get", "got") and following in ("at", "hold"):
        return True
    if word in WELL and not (hit and word == "normal"):
        return True
    return word in TELL and not hit and not (word == "check" and following == "out")


def _is_met(low: list[str], ahead: int, place: int) -> bool:
    """Whether a piece is the verb of those who meet with something: every pharmacy will see duplicates."""
    led = all(word in _BEFORE_MEETING for word in low[place + 1 : ahead])
    return led and low[ahead] in _MEETING


def _plainly_hit(low: list[str], index: int) -> bool:
    """Whether the verb that begins at a piece says that its subject is hit: is late, has failed."""
    while low[index] in BEFORE_STATE:
        index += 1
    return low[index] in HIT and low[index] not in STEPS


def _mentioned(fact: Fact) -> Fact:
    fact.readings = (Reading(kind="quantifier", value=fact.readings[0].value, unit=MENTIONED),)
    return fact


def _backwards(pieces: Pieces, start: int) -> Iterator[str]:
    """Yield the words of the clause before a piece, the nearest first."""
    for place in range(start - 1, max(-1, start - CLAUSE), -1):
        word = pieces.low[place]
        if word in ENDS or word == ",":
            return
        # "Affected accounts get no letters": which accounts, not what has hit them.
        names = word in DESCRIBED and not {pieces.low[place - 1], pieces.low[place + 1]} & _BEING
        if not names:
            yield word
