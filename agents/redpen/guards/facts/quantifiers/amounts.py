"""Read the parts of quantifiers: the amount, the counted noun and the statement of the clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Fact, Reading
from redpen.guards.facts.phrases import phrases_of
from redpen.guards.facts.subjects import is_plural, stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

Amount = tuple[str, int]
"""``most``, ``least``, ``all``, ``none`` or nothing, and the index of the first piece."""
Counted = tuple[str, int]
"""Stem of the thing counted, empty for none, and the index of its word."""

_WEAKER = {"all": "most", "none": "least"}
"""The amount after "nearly"."""
_LIVED = {
    "most": vocab.lives,
    "least": vocab.lives,
    "all": vocab.lives - {"can", "could"},
    "none": vocab.manages,
}
"""Verbs of experience that state a fact, by amount."""

_CLAUSE = 14
_NEAR = 8
_SOON = 3
_REACH = 8
_FAR = 6


def amount_at(low: list[str], index: int) -> Amount:
    """Return the amount at one of ``vocab.AMOUNTS``, empty for an idiom, and where its words begin."""
    amount = vocab.AMOUNTS[low[index]]
    found = phrases_of("amount_phrases").find(low, index)
    if found is None:
        return amount, index
    return (_WEAKER.get(amount, amount) if found.means == "weaker" else found.means), found.start


def noun_at(pieces: Pieces, index: int, amount: str) -> Counted:
    """Return the known noun that a quantifier counts and its index; empty for the team's own things."""
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
    """Return the noun that a quantifier counts if no table contains it: the next word that may be one.

    ``singly``: whether it counts one by one (every, each), so that the noun is singular.
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
    """Whether any word names the team or its work."""
    return any(stem(word) in vocab.team for word in words)


def _ends_phrase(pieces: Pieces, index: int) -> bool:
    broken = pieces.breaks and pieces.broken(index - 1)
    return not pieces.is_word[index] or broken or pieces.low[index] in vocab.ends_noun_phrase


def judged(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact | None:
    """Return a quantifier as a fact if its clause says that the counted things are affected.

    Args:
        pieces: the text.
        start: index of the first piece of the quantifier.
        place: index of its last piece, the noun if it has one.
        amount: ``most``, ``least``, ``all`` or ``none``.
        noun: stem of what it counts; may be empty.

    Returns:
        The fact, ``MENTIONED`` if nothing affects them; None if they are informed or everything is well.
    """
    low = pieces.low
    fact = made(pieces, start, place, amount, noun)
    after = pieces.clause_after(place + 1, _CLAUSE)
    each = low[start] == "each"
    if low[start + 1] in vocab.last_one and "not" in after:
        return fact
    told = False
    for word in _before(pieces, start):
        told = told or word in vocab.tell
        if word in vocab.hit and not (told or each):
            return fact
    told = told or not vocab.described.isdisjoint(low[start : place + 1])
    people = vocab.CLASSES.get(noun) == "people"
    meets = amount == "all" and _meets(after)
    if each and not people:
        # "Each parcel …" usually introduces what is done with it, unless the verb says that it is affected.
        hit = meets or _plainly_hit(low, place + 1)
        return fact if hit and not told else _mentioned(fact)
    begin = _after_restriction(after)
    # What everyone has or does may be unrelated; what customers have or do is the topic of the text.
    everybody = amount == "all" and low[place] in vocab.anybody
    lives = not (begin or everybody or _LIVED[amount].isdisjoint(after[: _NEAR - 1]))
    hit = False
    for at, word in enumerate(after[begin:], place + 1 + begin):
        told = told or _tells(low, at, amount, hit=hit)
        # That nothing is lost is a claim of reassurance.
        harmless = amount == "none" and not people and word in vocab.lost
        hit = hit or (word in vocab.hit and not harmless) or (word == "out" and low[at + 1] == "of")
    if told:
        return None
    return fact if hit or meets or (lives and (people or amount != "all")) else _mentioned(fact)


def made(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact:
    """Return the fact of a quantifier, from its first piece to its last."""
    fact = pieces.fact(start, place + 1, Reading(kind="quantifier", value=amount))
    fact.head = noun
    return fact


def _before(pieces: Pieces, start: int) -> list[str]:
    """Return the words of the clause before a piece, the nearest first.

    "Affected accounts get no letters" says which accounts get none; it does not say that they are affected.
    """
    words = pieces.clause_before(start, _CLAUSE, vocab.stops_and_commas)
    first = start - len(words)
    around = ({pieces.low[at - 1], pieces.low[at + 1]} for at in range(first, start))
    return [
        word
        for word, near in zip(words, around, strict=True)
        if word not in vocab.described or not near.isdisjoint(vocab.being)
    ][::-1]


def _after_restriction(after: list[str]) -> int:
    """Return the index of the verb after a restriction: every guest with a pet."""
    if after[:1] != ["with"]:
        return 0
    return next((place for place, word in enumerate(after[:_NEAR]) if word in vocab.main_verbs), 0)


def _tells(low: list[str], index: int, amount: str, *, hit: bool) -> bool:
    """Whether a word says that the counted people are informed or that everything is well."""
    word, following = low[index], low[index + 1]
    if amount == "none" and word in ("get", "got") and following in ("at", "hold"):
        return True
    if word in vocab.well and not (hit and word == "normal"):
        return True
    asked = following == "to" and low[index + 2] in vocab.hit
    return word in vocab.tell and not (hit or asked or (word == "check" and following == "out"))


def _meets(after: list[str]) -> bool:
    """Whether the verb after a quantifier says that they experience something: … will see duplicates."""
    verb = next((word for word in after[:_SOON] if word not in vocab.before_meeting), "")
    return verb in vocab.meeting


def _plainly_hit(low: list[str], index: int) -> bool:
    """Whether the verb at a piece says that its subject is affected: is late, has failed."""
    verb = next(word for word in low[index:] if word not in vocab.before_state)
    return verb in vocab.hit and verb not in vocab.steps


def _mentioned(fact: Fact) -> Fact:
    fact.readings = (Reading(kind="quantifier", value=fact.readings[0].value, unit=MENTIONED),)
    return fact
