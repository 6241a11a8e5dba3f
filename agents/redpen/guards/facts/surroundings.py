"""Compare the words around numbers to detect a number that was moved to the subject of another."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.knowledge import restated
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from redpen.guards.facts.fact import Fact, Kind
    from redpen.guards.facts.knowledge import Knowledge


_SENTENCE_REACH = 240
_END = lazy_pattern(r"[.!?](?=\s|$)|\n")
_STATUS = lazy_pattern(r"[45]\d\d")


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the text before and after a span in its sentence, in lower case."""
    before = text[max(0, start - _SENTENCE_REACH) : start]
    begin = max((match.end() for match in _END.finditer(before)), default=0)
    after = text[end : end + _SENTENCE_REACH]
    stop = _END.search(after)
    return before[begin:].lower().lstrip(), after[: stop.end() if stop else _SENTENCE_REACH].lower()


_BESIDE: dict[Kind, tuple[Kind, ...]] = {
    "share": ("share", "count"),
    "count": ("share", "count", "number"),
    "number": ("count", "number"),
    "duration": ("duration",),
    "money": ("money",),
    "time": ("time",),
    "date": ("date",),
}
"""Kinds of numbers with which a number may be confused, by its own kind."""

DISPLACEABLE = frozenset(_BESIDE)

_MOST_NUMBERS = 40
_REACH = 70
STEM = 5
"""Number of letters by which words of clauses are compared."""
_MORE = 2
_WORD = lazy_pattern(r"[a-z]{4,}")
_CUT = lazy_pattern(r"[.;:!?,()\n•\d]| (?:and|but|while|as|where|so) ")

Words = frozenset[str]


def displaced_by(
    fact: Fact, text: str, original: str, of_original: Knowledge, of_context: Callable[[], Knowledge]
) -> Fact | None:
    """Return the other number of the original whose words surround a number of the revision.

    Args:
        fact: a number that the original or its context allows.
        text: the revision as read.
        original: the original as read.
        of_original: what the original allows.
        of_context: returns what the context allows; called only if needed.

    Returns:
        None if the surrounding words are its own or belong to no number.
    """
    kinds = _BESIDE[fact.kind]
    equal = [known.fact for reading in fact.readings for known in restated(reading, fact, of_original)]
    # A number without a unit has the subject of the previous one: "takes 24 hours, now 72".
    if any(other.kind not in kinds for other in equal):
        return None
    numbers = (
        known.fact for known in of_original.facts if known.fact.kind in kinds and not _is_status(known.fact)
    )
    near = tuple(islice(numbers, _MOST_NUMBERS))
    equals = set(map(id, equal))
    same = [id(other) in equals for other in near]
    if all(same):
        return None
    said = _around(fact, text)
    its_own = [other for other, is_same in zip(near, same, strict=True) if is_same]
    own = max((len(said & _around(other, original)) for other in its_own), default=-1)
    if not _outweighs(len(said), own, len(said)):
        # No other number can match more words than all of them.
        return None
    others = [
        other
        for other, is_same in zip(near, same, strict=True)
        if not (is_same or any(_are_linked(other, own, original, text) for own in its_own))
    ]
    if not others:
        return None
    best, found = max(((len(said & _around(it, original)), it) for it in others), key=itemgetter(0))
    if not best or (found.kind != fact.kind and _stands_beside(fact, found, text)):
        return None
    known = (it.fact for reading in fact.readings for it in restated(reading, fact, of_context()))
    own = max((own, *(len(said & _stems(other)) for other in known)))
    return found if own >= 0 and _outweighs(best, own, len(said)) else None


def _are_linked(one: Fact, other: Fact, original: str, text: str) -> bool:
    """Whether two numbers are the ends of one change ("from 7.4% to 2.1%") that the text does not reverse."""
    first, second = sorted((one, other), key=lambda fact: fact.start)
    is_change = original[first.end : second.start].strip() == "to"
    return is_change and f"{second.text} to {first.text}" not in text


def _is_status(fact: Fact) -> bool:
    """Whether a number is a status, not a count: "429 errors"."""
    return fact.head == "error" and _STATUS.fullmatch(fact.text) is not None


def _stands_beside(fact: Fact, found: Fact, text: str) -> bool:
    """Whether the other number, of another kind, is still beside the number."""
    return (
        found.text
        in text[max(0, fact.start - _REACH) : fact.start] + " " + text[fact.end : fact.end + _REACH]
    )


def _outweighs(best: int, own: int, said: int) -> bool:
    """Whether the words match another number better: by two, or all of them if none is its own."""
    return best - max(own, 0) >= _MORE or (own <= 0 and best == said)


def _around(fact: Fact, text: str) -> Words:
    return words_at(text, fact.start, fact.end) | _stems(fact)


@lru_cache(maxsize=512)
def words_at(text: str, start: int, end: int) -> Words:
    """Return the first letters of the words of the clause around a span, without numbers and fillers."""
    left = _CUT.split(text[max(0, start - _REACH) : start].lower())[-1]
    right = text[end : end + _REACH].lower()
    cut = _CUT.search(right)
    words = _WORD.findall(left) + _WORD.findall(right, 0, cut.start() if cut else _REACH)
    return frozenset(word[:STEM] for word in words if word not in vocab.fillers)


def _stems(fact: Fact) -> Words:
    return frozenset(word[:STEM] for word in fact.subject if len(word) > _MORE)
