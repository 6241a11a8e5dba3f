"""Severity labels: P1, priority one, SEV-2, severity 3, critical severity, "we rate this high"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.quantities.numbers import UNITS
from redpen.guards.facts.quantities.pieces import HYPHENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

_SEVERITY_WORDS = word_set("severities", "severity_words")
_BEFORE_LEVEL = word_set("severities", "before_level")
_CHANGED = frozenset("has have been was raised lowered reduced set changed upgraded downgraded moved".split())
RATED = " severity"
"""How the values end of severities that are words."""
SCHEMES = frozenset({"p", "s", "prio", "priority", "sev", "severity"})
_OF_SEVERITY = word_set("severities", "of_severity")
_NUMERALS = {"ii": 2, "iii": 3, "iv": 4, "v": 5}


def severities(pieces: Pieces, taken: bytearray, at: Iterable[int]) -> Iterator[tuple[Fact, int, int]]:
    """Yield the severity labels: P1, priority one, SEV-2, severity 3, critical severity.

    Values are ``p1`` or ``sev1``, by scheme: a P1 is no SEV-1. Yields the fact with the indices of its first
    piece and of the piece after.
    """
    for index in at:
        if taken[index]:
            continue
        found = _severity(pieces, index)
        if found is not None:
            value, first, end = found
            start, last = pieces.starts[first], pieces.ends[end - 1]
            reading = Reading(kind="severity", value=value)
            yield Fact(readings=(reading,), start=start, end=last, text=pieces.text[start:last]), first, end


def _severity(pieces: Pieces, index: int) -> tuple[str, int, int] | None:
    """Read the label at a scheme word: its value, its first piece and the piece after."""
    low = pieces.low
    word = low[index]
    spelt = len(word) > 1
    changed = pieces.past(index + 1, _CHANGED, 4) if spelt else index
    first = changed if changed > index + 1 and low[changed] == "to" else index + 1
    place = pieces.past(first, _BEFORE_LEVEL, 3) if spelt else index + 1
    if not spelt:
        if not pieces.glued(index):
            return None
        if low[place] in HYPHENS and pieces.glued(place):
            place += 1
    if pieces.glued_before(index) and (pieces.is_word[index - 1] or pieces.digits(index - 1)):
        return None
    level = _level(pieces, place, spelt=spelt)
    if level is not None and (word != "s" or _near_severity(pieces, index)):
        return f"{'p' if word[0] == 'p' else 'sev'}{level}", index, place + 1
    return _severity_in_words(pieces, index, place) if word in ("severity", "sev") else None


def _severity_in_words(pieces: Pieces, index: int, place: int) -> tuple[str, int, int] | None:
    """Read "severity: critical" and "high-severity"."""
    low = pieces.low
    if low[place] in _SEVERITY_WORDS:
        return f"{low[place]}{RATED}", index, place + 1
    before = index - 2 if index > 1 and low[index - 1] == "-" else index - 1
    if before >= 0 and low[before] in _SEVERITY_WORDS:
        return f"{low[before]}{RATED}", before, index + 1
    return None


def _level(pieces: Pieces, place: int, *, spelt: bool) -> int | None:
    word = pieces.low[place]
    if word in ("p", "sev") and spelt and pieces.digits(place + 1):
        return None
    if word.isdecimal() and len(word) == 1 and int(word) <= 5:
        after = pieces.low[place + 1]
        stuck = pieces.glued(place) and (pieces.is_word[place + 1] or after == "%")
        return None if stuck else int(word)
    if spelt and word in UNITS and UNITS[word] <= 5:
        return UNITS[word]
    if spelt and word in _NUMERALS and pieces.raw[place].isupper():
        return _NUMERALS[word]
    return None


def _near_severity(pieces: Pieces, index: int) -> bool:
    around = pieces.low[max(0, index - 4) : index + 6]
    return any(word in _OF_SEVERITY for word in around)
