"""Words that say how many without a number, and the noun that they count."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.data import lines
from redpen.guards.facts import vocab
from redpen.guards.facts.phrases import Phrases
from redpen.guards.facts.subjects import is_plural, stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Amount = tuple[str, int]
"""``most``, ``least``, ``all``, ``none`` or nothing, and the index of the first piece."""
Counted = tuple[str, int]
"""Stem of the thing counted, empty for none, and the index of its word."""

_WEAKER = {"all": "most", "none": "least"}
"""What "nearly" makes of an amount."""
_REACH = 8
_FAR = 6


@lru_cache(maxsize=1)
def _phrases() -> Phrases:
    return Phrases(lines("facts", "amount_phrases"))


def amount_at(low: list[str], index: int) -> Amount:
    """Return what the words at a piece say, empty for an idiom, and where they begin.

    Args:
        low: the pieces of a text in lower case.
        index: where one of ``vocab.AMOUNTS`` stands.
    """
    amount = vocab.AMOUNTS[low[index]]
    found = _phrases().find(low, index)
    if found is None:
        return amount, index
    return (_WEAKER.get(amount, amount) if found.means == "weaker" else found.means), found.start


def noun_at(pieces: Pieces, index: int, amount: str) -> Counted:
    """Return the thing counted within a few words after a quantifier, its place; empty for the team's own."""
    low = pieces.low
    found, plural = ("", index), ("", index)
    of = False
    for here in range(index + 1, index + _REACH):
        word = low[here]
        if word == "-" or (word in vocab.before_counted and not found[0]):
            continue
        if word == "of" and not found[0]:
            of = True
            continue
        if of and word in vocab.pronouns_counted:
            return "people" if word == "you" else "", here
        if _ends_phrase(pieces, here) or (found[0] and word in vocab.verbs_too):
            break
        known = stem(word)
        if known in vocab.team:
            yours = known in vocab.people_of_team and not vocab.yours.isdisjoint(low[index - 1 : here])
            return ("people", here) if yours else ("", index)
        if vocab.CLASSES.get(known, "place") not in ("place", "episode") or known in vocab.wholes:
            found = (known, here)
        elif is_plural(word):
            plural = (known, here)
        elif found[0]:
            break
    return plural if not found[0] and (of or amount in vocab.strong) else found


def any_noun_at(pieces: Pieces, index: int, *, singly: bool) -> Counted:
    """Return what a quantifier counts when no table has it: the word after, if it may be a noun.

    Args:
        pieces: the text.
        index: where the quantifier stands.
        singly: whether it counts one by one (every, each), so that the noun is no plural.
    """
    low = pieces.low
    place = pieces.past(index + 1, vocab.before_any_counted, _FAR)
    first = place
    while (
        not (singly or low[place].endswith("s") or _ends_phrase(pieces, place + 1)) and place < index + _FAR
    ):
        place += 1
    word = low[place]
    if _ends_phrase(pieces, place) or word in vocab.no_nouns or not (singly or is_plural(word)):
        return "", index
    known = stem(word)
    other = vocab.CLASSES.get(known) == "place" or of_team(low[first : place + 1])
    return ("", index) if other else (known, place)


def of_team(words: list[str]) -> bool:
    """Whether one of some words names the team or what it does."""
    return any(stem(word) in vocab.team for word in words)


def _ends_phrase(pieces: Pieces, index: int) -> bool:
    broken = pieces.breaks and pieces.broken(index - 1)
    return not pieces.is_word[index] or broken or pieces.low[index] in vocab.ends_noun_phrase
