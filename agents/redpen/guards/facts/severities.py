"""Read severity labels: P1, priority one, SEV-2, severity 3, critical severity, "we rate this high"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

RATED = " severity"
"""Suffix of the values of severities in words."""
LOOSE = "loose"
"""Unit of a word that is a severity only if the known severity is a word ("a major incident")."""
_LONGEST_RATING = 6
_NUMERALS = {"ii": 2, "iii": 3, "iv": 4, "v": 5}


def severities(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the severity labels: P1, priority one, SEV-2, severity 3, critical severity.

    Values are ``p1`` or ``sev1``, by scheme: a P1 is no SEV-1.
    """
    for index in at:
        word, before = pieces.low[index], pieces.low[index - 1]
        if word in vocab.troubles:
            # "A major incident": the word before it rates it.
            if before in vocab.loose_words:
                yield pieces.fact(
                    index - 1, index, Reading(kind="severity", value=before + RATED, unit=LOOSE)
                )
            continue
        rated = word in vocab.rating_verbs or word in vocab.raises
        found = _rated(pieces, index) if rated else _severity(pieces, index)
        if found is not None:
            value, first, end = found
            yield pieces.fact(first, end, Reading(kind="severity", value=value))


def _rated(pieces: Pieces, index: int) -> tuple[str, int, int] | None:
    """Read "we rate this high" and "raised to critical": the value, its first piece and the piece after."""
    low = pieces.low
    place = pieces.past(index + 1, vocab.rated_as, _LONGEST_RATING)
    word, after = low[place], low[place + 1]
    if low[index] in vocab.raises:
        # Incidents are raised "to critical" or "to our top level", prices and volumes are not.
        closed = word in vocab.plain_ratings and not pieces.is_word[place + 1]
        fits = "to" in low[place - 2 : place] and (after in vocab.levels or closed)
    else:
        # "We class the low pressure as a priority 2 incident": the pressure is low, not the rating.
        described = low[place - 1] == "the" and pieces.is_word[place + 1] and after not in vocab.schemes
        # In "the error rate has been low", the rate is a noun.
        described = described or (low[index] in ("rate", "rates") and low[index + 1] in vocab.being)
        fits = after not in vocab.no_rating and not described
    return (word + RATED, place, place + 1) if fits and word in vocab.severity_words else None


def _severity(pieces: Pieces, index: int) -> tuple[str, int, int] | None:
    """Read the label at a word of a scheme: its value, its first piece and the piece after."""
    low = pieces.low
    word = low[index]
    spelt = len(word) > 1
    place = index + 1
    if spelt:
        place = pieces.past(pieces.past(place, vocab.changed, 4), vocab.before_level, 3)
    else:
        if not pieces.glued(index):
            return None
        if low[place] in vocab.hyphens and pieces.glued(place):
            place += 1
    level = _level(pieces, place, spelt=spelt)
    if level is not None and (word != "s" or _near_severity(pieces, index)):
        return f"{'p' if word[0] == 'p' else 'sev'}{level}", index, place + 1
    before = _level_before(pieces, index) if word in ("severity", "priority") else None
    if before is not None:
        return f"{'p' if word[0] == 'p' else 'sev'}{before[0]}", before[1], index + 1
    return _severity_in_words(pieces, index, place) if word in ("severity", "sev") else None


def _level_before(pieces: Pieces, index: int) -> tuple[int, int] | None:
    """Read "level-one severity" and "level 2 priority": the level and its index."""
    low = pieces.low
    place = index - 1 - (low[index - 1] == "-")
    first = place - 1 - (low[place - 1] == "-")
    level = _level(pieces, place, spelt=True) if low[first] in vocab.before_severity else None
    return None if level is None else (level, first)


def _severity_in_words(pieces: Pieces, index: int, place: int) -> tuple[str, int, int] | None:
    """Read "severity: critical" and "high-severity"."""
    low = pieces.low
    if low[place] in vocab.severity_words:
        return f"{low[place]}{RATED}", index, place + 1
    before = index - 1 - (low[index - 1] == "-")
    return (f"{low[before]}{RATED}", before, index + 1) if low[before] in vocab.severity_words else None


def _level(pieces: Pieces, place: int, *, spelt: bool) -> int | None:
    word = pieces.low[place]
    if word.isdecimal() and len(word) == 1 and int(word) <= 5:
        after = pieces.low[place + 1]
        stuck = pieces.glued(place) and (pieces.is_word[place + 1] or after == "%")
        return None if stuck else int(word)
    if spelt and word in vocab.UNITS and vocab.UNITS[word] <= 5:
        return vocab.UNITS[word]
    if spelt and word in _NUMERALS and pieces.raw[place].isupper():
        return _NUMERALS[word]
    return None


def _near_severity(pieces: Pieces, index: int) -> bool:
    around = pieces.low[max(0, index - 4) : index + 6]
    return any(word in vocab.of_severity for word in around)
