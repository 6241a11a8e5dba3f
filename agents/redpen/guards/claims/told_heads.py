"""Good states without a verb: headings ("Booking page: quick again", "Portal trouble over")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, mask_of
from redpen.guards.claims.told_bright_words import kinds, manners, pairs
from redpen.guards.claims.told_verbs import main_verb

_FINITE = t.BE | t.HAVE | t.WILL | t.CAN | t.DO | t.MAY
_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO | t.WILL | t.BEING
_OVER = frozenset(
    "over complete completed done finished ended past gone solved resolved fixed repaired mended cured "
    "cleared sorted settled closed lifted restored recovered back normal again normality averted contained "
    "healthy operational running flowing moving online live history undone removed eliminated banished "
    "concluded tamed beaten stable steady reopened reconnected resumed delivered".split()
)
"""What may be said of a thing without a verb when its trouble is over."""
_NO_HEADS = frozenset("please keep stay dear hello hi that this yes sorry thanks thank".split())
_SAFE = frozenset("safe secure intact unharmed untouched unaffected clean drinkable potable".split())
_AFTER = frozenset("again now usual once more".split())
_LONGEST = 8
_SHORTEST = 2


def find_heads(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where words without a verb begin and end that tell of a good state of what is affected.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    head = _head(sentence)
    if head is None or any(stem(head.said) in told.fine for told in known.sentences):
        return
    trouble = head.trouble and not head.subject.isdisjoint(known.all)
    if trouble or _names_affected(head.subject, known):
        yield 0, head.end


class _Head(NamedTuple):
    """A heading: where it ends, what it says, the stems of what it says that of, whether that is trouble."""

    end: int
    said: str
    subject: frozenset[str]
    trouble: bool


@lru_cache(maxsize=1024)
def _head(sentence: Sentence) -> _Head | None:
    """Return the words without a verb at the head of a sentence that tell of a good state."""
    words = sentence.words
    end = next((at for at, word in enumerate(words) if word in CLAUSE_MARKS and word not in ":,"), len(words))
    if not _SHORTEST <= end <= _LONGEST or mask_of(sentence, 0, end) & (
        _OPEN | _FINITE | t.PARTIAL | t.NUMBER
    ):
        return None
    last = end - 1
    while last > 0 and words[last] in _AFTER and words[last - 1] not in CLAUSE_MARKS:
        last -= 1
    said = words[last]
    good = said in _OVER or said in _SAFE or said in kinds() or said in manners()
    good = good or (words[last - 1], said) in pairs() or words[last - 1 : last + 1] == ["as", "normal"]
    if last < 1 or not good or not _DETERMINED.isdisjoint(words[last - 1 : last]):
        return None
    if (said in manners() or said in kinds()) and main_verb(sentence, 0, end)[0] > 0:
        return None
    if words[0] in _NO_HEADS or sentence.tags[0] & (t.PRONOUN | t.AGENT):
        return None
    return _Head(end, said, content(sentence, 0, last), bool(mask_of(sentence, 0, last) & t.PROBLEM))


_DETERMINED = frozenset("the a an your our of to for in on at by with please".split())


def _names_affected(subject: frozenset[str], known: Known) -> bool:
    return any(subject & (told.stems - told.fine) for told in known.sentences)
