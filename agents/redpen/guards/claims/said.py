"""A clause as it is said: what it speaks of, and in which mood."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.told import clauses, in_trouble, mask_of

_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER
_DENIED = t.NOT | t.NO
CHANGED = frozenset(
    "again back now already since finally fully no more once longer always usual used".split()
)
"""Words that tell of a change."""
_WITHOUT = frozenset("without lacking lack lacks unable".split())


class Said(NamedTuple):
    """A clause.

    Attributes:
        stems: the stems of its content words.
        families: the families that are plainly claimed in it, where that was asked for.
        denied: whether it denies something.
        opened: whether it is hedged, conditional or to be checked.
        trouble: whether it tells of trouble.
        done: whether it tells of something that has been done.
        to_come: stems of what is being done or to be done.
        changed: words of it that tell of a change.
    """

    stems: frozenset[str]
    families: frozenset[str]
    denied: bool
    opened: bool
    trouble: bool
    done: bool
    to_come: frozenset[str]
    changed: frozenset[str]


def _to_come(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the stems of what a clause says is being done or to be done, and is not so yet."""
    words, tags = sentence.words, sentence.tags
    begun = (at for at in range(start, end - 1) if tags[at] & t.BEING or words[at] == "be")
    return frozenset(
        stem(next((words[k] for k in range(at + 1, end) if not tags[k] & t.ADVERB), "")) for at in begun
    )


def said_in(sentence: Sentence, start: int, end: int, families: Iterable[str] = ()) -> Said:
    """Return how the words from ``start`` to ``end`` (exclusive) of a sentence are said."""
    stems, mask = content(sentence, start, end), mask_of(sentence, start, end)
    denied = bool(mask & _DENIED) or not _WITHOUT.isdisjoint(sentence.words[start:end])
    return Said(
        stems=stems,
        families=frozenset(families),
        denied=denied,
        opened=bool(mask & _OPEN),
        trouble=in_trouble(mask & ~_DENIED, stems),
        done=bool(mask & t.HAVE),
        to_come=_to_come(sentence, start, end),
        changed=CHANGED.intersection(sentence.words[start:end]),
    )


def clause_of(claim: Claim, text: str) -> tuple[Sentence, int, int] | None:
    """Return the clause that a claim begins in."""
    for sentence in read_sentences(text):
        first, last = sentence.span(0, -1)
        if not first <= claim.start < last:
            continue
        for start, end in clauses(sentence):
            begin, stop = sentence.span(start, end - 1)
            if begin < claim.end and claim.start < stop:
                return sentence, start, end
    return None


def words_in(sentence: Sentence, claim: Claim) -> frozenset[str]:
    """Return the words of content, and those of change, that a claim was read from."""
    words, tags = sentence.words, sentence.tags
    return frozenset(
        words[at]
        for at in sentence.within(claim.start, claim.end)
        if is_content(words[at], tags[at]) or words[at] in CHANGED
    )
