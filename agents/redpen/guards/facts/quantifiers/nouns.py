"""The things that a quantifier counts: a noun of the tables, or the word after "every" that may be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.quantifiers.words import (
    DETERMINERS,
    NO_NOUNS,
    STRONG,
    TEAM,
    VERBS_TOO,
    WHOLES,
    YOU,
)
from redpen.guards.facts.quantities.units import ENDS_NOUN_PHRASE
from redpen.guards.facts.subject_classes import CLASSES
from redpen.guards.facts.subjects import stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Counted = tuple[str, int]
"""Stem of the thing counted, empty for none, and the index of its word."""

_REACH = 8
_PEOPLE = word_set("quantifier_nouns", "people")
_YOURS = frozenset({"your", "their"})
"""Whose people are hit like any others: your whole team."""


def noun_at(pieces: Pieces, index: int, amount: str) -> Counted:
    """Return the thing counted within a few words after a quantifier, its place; empty for the team's own."""
    low = pieces.low
    found, plural = ("", index), ("", index)
    of = False
    for here in range(index + 1, index + _REACH):
        word = low[here]
        if (word == "-" and pieces.glued(here)) or (word in DETERMINERS and not found[0]):
            continue
        if word == "of" and not (found[0] or plural[0]):
            of = True
            continue
        if of and word in YOU and not found[0]:
            return "people" if word == "you" else "", here
        if _ends_phrase(pieces, here) or (found[0] and word in VERBS_TOO):
            break
        known = stem(word)
        if known in TEAM:
            yours = known in _PEOPLE and not _YOURS.isdisjoint(low[index - 1 : here])
            return ("people", here) if yours else ("", index)
        if CLASSES.get(known, "place") not in ("place", "episode") or known in WHOLES:
            found = (known, here)
        elif is_plural(word):
            plural = (known, here)
        elif found[0]:
            break
    return plural if not found[0] and (of or amount in STRONG) else found


def any_noun_at(pieces: Pieces, index: int, *, singly: bool) -> Counted:
    """Return what a quantifier counts when no table has it: the word after, if it may be a noun.

    Args:
        pieces: the text.
        index: where the quantifier stands.
        singly: whether it counts one by one (every, each), so that the noun is no plural.
    """
    low = pieces.low
    place = index + 1
    while low[place] in DETERMINERS or low[place] in ("single", "of"):
        place += 1
    first = place
    while not (singly or low[place].endswith("s") or _ends_phrase(pieces, place + 1)) and place < index + 6:
        place += 1
    word = low[place]
    if not pieces.is_word[place] or _ends_phrase(pieces, place) or word in VERBS_TOO or word in NO_NOUNS:
        return "", index
    known = stem(word)
    other = CLASSES.get(known) == "place" or any(stem(near) in TEAM for near in low[first : place + 1])
    fits = len(word) > 2 and not other and (singly or (word.endswith("s") and not word.endswith("ss")))
    return (known, place) if fits else ("", index)


def is_plural(word: str) -> bool:
    """Whether a word has the ending of a plural."""
    return word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))


def _ends_phrase(pieces: Pieces, index: int) -> bool:
    word = pieces.low[index]
    broken = bool(pieces.breaks) and pieces.broken(index - 1)
    return not pieces.is_word[index] or broken or word in ENDS_NOUN_PHRASE
