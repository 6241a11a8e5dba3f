"""Whether a number that is allowed is said of what it is allowed for, or was moved to another subject."""

from __future__ import annotations

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Fact, Kind
from redpen.guards.facts.knowledge import Knowledge, Known
from redpen.guards.facts.said_otherwise import OPPOSITES
from redpen.guards.facts.subjects import CLASSES, GENERIC, stem
from redpen.guards.facts.surroundings import STEM, words_at

ORIGINAL = "original"
"""Path of a fact that stands in the original."""
COUNTED: tuple[Kind, ...] = ("share", "count")

_ROOT = 4
"""Letters that forms of one word share: dropped, dropping."""
_WHOLES = word_set("entailment", "wholes")
_ALIKE = frozenset({frozenset({"message", "alert"})})

Allowed = tuple[Knowledge, ...]


def moved_to(fact: Fact, matches: list[Known], original: str, allowed: Allowed) -> str:
    """Return why a number does not belong to what it is said of; empty when it may."""
    said = fact.subject | ({fact.head} if fact.head else frozenset())
    swapped = [sides_of(fact, known.fact) - _told_with(fact, known, original) for known in matches]
    if all(swapped):
        other = next((word for sides in swapped for word in sorted(sides) if _is_named(word, allowed)), "")
        if other:
            return f"this number is allowed for another kind of {fact.head}, not for {other}"
    own: set[str] = set()
    for known in matches:
        own |= known.fact.subject
        if not known.fact.subject and known.fact.kind in ("number", fact.kind):
            return ""
    if not said or not own or said & (own - GENERIC):
        return ""
    others = {stem for knowledge in allowed for stem in knowledge.subjects.get(fact.kind, ())} - own - GENERIC
    named = {stem for knowledge in allowed for kind in COUNTED for stem in knowledge.heads.get(kind, ())}
    taken = said & others or (fact.head in named - own and fact.head not in _WHOLES)
    if not taken and not _other_things(fact, matches, own - GENERIC) and not _is_another(fact, own, allowed):
        return ""
    about = ", ".join(sorted(own))
    return f"this number is allowed for {about}, not for {fact.head or ', '.join(sorted(said))}"


def _is_another(fact: Fact, own: set[str], allowed: Allowed) -> bool:
    """Whether what a number counts is a thing of its own in the text, of another sort than its own."""
    if not fact.head or fact.head in GENERIC or fact.head in _WHOLES or not own - GENERIC:
        return False
    group = CLASSES.get(fact.head)
    alike = group is not None and any(CLASSES.get(word) == group for word in own)
    return not alike and _is_named(fact.head, allowed)


def sides_of(fact: Fact, other: Fact) -> frozenset[str]:
    """Return the words that say which of several things of one sort a number is said of (card, wallet).

    Empty unless the other fact is about that sort of thing too, and says with a word of the same class that
    it is another one of them.
    """
    if not fact.head or fact.head not in other.subject:
        return frozenset()
    own = other.subject - fact.subject - GENERIC
    classes = {CLASSES.get(word, "") for word in own}
    roots = {word[:_ROOT] for word in other.subject}
    others = (word for word in fact.subject - other.subject - GENERIC if word[:_ROOT] not in roots)
    return frozenset(word for word in others if CLASSES.get(word, "") in classes)


def _told_with(fact: Fact, known: Known, original: str) -> frozenset[str]:
    """Return the words of a fact that the clause of its number in the original has: "messages through X"."""
    if known.path != ORIGINAL:
        return frozenset()
    near = words_at(original, known.fact.start, known.fact.end)
    return frozenset(word for word in fact.subject if word[:STEM] in near)


def _is_named(word: str, allowed: Allowed) -> bool:
    return any(stem(named) == word for knowledge in allowed for named in knowledge.words)


def _other_things(fact: Fact, matches: list[Known], own: set[str]) -> bool:
    """Whether what a number is said of is something else than what it is allowed for."""
    if not fact.head or not own or fact.head in _WHOLES:
        return False
    if fact.head in GENERIC:
        return fact.kind == "count" and any(CLASSES.get(word) == "people" for word in own)
    if not own.isdisjoint(OPPOSITES.get(fact.head, ())):
        return True
    heads = {known.fact.head for known in matches if known.fact.head in CLASSES and known.fact.head in own}
    classes = {CLASSES[stem] for stem in heads or own if stem in CLASSES}
    group = CLASSES.get(fact.head, "")
    if group and classes:
        return group not in classes and not any(frozenset({group, other}) in _ALIKE for other in classes)
    return bool(group) or (bool(classes) and fact.kind == "share")
