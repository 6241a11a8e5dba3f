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
_RATES = word_set("severities", "rates")
_RATED_AS = word_set("severities", "rated_as")
"""What may stand between a verb of rating and the word of its rating."""
_TROUBLES = frozenset(("incident", "outage", "disruption", "fault"))
_LOOSE_WORDS = frozenset("critical medium moderate major minor severe".split())
RATED = " severity"
"""How the values end of severities that are words."""
LOOSE = "loose"
"""Unit of a word that rates only where other words do ("a major incident")."""
_NO_RATING = frozenset("priority priorities number numbers volume volumes up and quality".split())
_LONGEST_RATING = 6
_RAISES = word_set("severities", "raises")
"""What is done with a rating that changes."""
_LEVELS = frozenset("level tier grade category class rank severity priority urgency".split())
_PLAIN_RATINGS = frozenset("critical severe major minor emergency".split())
"""What rates without a word for a rating after it."""
_BEFORE_SEVERITY = _LEVELS - {"severity", "priority"}
SCHEMES = frozenset({"p", "s", "prio", "priority", "sev", "severity"}) | _RATES | _TROUBLES | _RAISES
_OF_SEVERITY = word_set("severities", "of_severity")
_NUMERALS = {"ii": 2, "iii": 3, "iv": 4, "v": 5}


def severities(pieces: Pieces, taken: bytearray, at: Iterable[int]) -> Iterator[tuple[Fact, int, int]]:
    """Yield the severity labels: P1, priority one, SEV-2, severity 3, critical severity.

    Values are ``p1`` or ``sev1``, by scheme: a P1 is no SEV-1. Yields the fact with the indices of its first
    piece and of the piece after.
    """
    for index in at:
        word = pieces.low[index]
        if taken[index]:
            continue
        if word in _RAISES:
            found = _raised(pieces, index)
        else:
            rated = word in _RATES or word in _TROUBLES
            found = _rated(pieces, index) if rated else _severity(pieces, index)
        if found is not None:
            value, first, end = found
            start, last = pieces.starts[first], pieces.ends[end - 1]
            reading = Reading(kind="severity", value=value, unit=LOOSE if word in _TROUBLES else "")
            yield Fact(readings=(reading,), start=start, end=last, text=pieces.text[start:last]), first, end


def _rated(pieces: Pieces, index: int) -> tuple[str, int, int] | None:
    """Read "we rate this high" and "a major incident": the value, its first piece and the piece after."""
    low = pieces.low
    if low[index] in _TROUBLES:
        before = low[index - 1] if index else ""
        return (f"{before}{RATED}", index - 1, index) if before in _LOOSE_WORDS else None
    place = pieces.past(index + 1, _RATED_AS, _LONGEST_RATING)
    named = low[place] in _SEVERITY_WORDS and low[place + 1] not in _NO_RATING
    # "We class the low pressure as a priority 2 incident": the pressure is low, not the rating.
    named = named and (low[place - 1] != "the" or not pieces.is_word[place + 1] or low[place + 1] in SCHEMES)
    return (f"{low[place]}{RATED}", place, place + 1) if named else None


def _raised(pieces: Pieces, index: int) -> tuple[str, int, int] | None:
    """Read "raised to our top level" and "upgraded to critical", of a case and of no price or volume."""
    low = pieces.low
    place = pieces.past(index + 1, _RATED_AS, _LONGEST_RATING)
    led = low[place - 1] == "to" or low[place - 2] == "to"
    if not led or low[place] not in _SEVERITY_WORDS:
        return None
    levelled = low[place + 1] in _LEVELS
    closed = low[place] in _PLAIN_RATINGS and not pieces.is_word[place + 1]
    return (f"{low[place]}{RATED}", place, place + 1) if levelled or closed else None


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
    before = _level_before(pieces, index) if word in ("severity", "priority") else None
    if before is not None:
        return f"{'p' if word[0] == 'p' else 'sev'}{before[0]}", before[1], index + 1
    return _severity_in_words(pieces, index, place) if word in ("severity", "sev") else None


def _level_before(pieces: Pieces, index: int) -> tuple[int, int] | None:
    """Read "level-one severity" and "level 2 priority": the level and where it begins."""
    low = pieces.low
    place = index - 1 - (index > 1 and low[index - 1] == "-")
    first = place - 1 - (place > 1 and low[place - 1] == "-")
    if first < 0 or low[first] not in _BEFORE_SEVERITY:
        return None
    level = _level(pieces, place, spelt=True)
    return None if level is None else (level, first)


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
