"""Detect shares and counts that are allowed but were moved to another subject."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from redpen.guards.data import lines
from redpen.guards.facts import vocab
from redpen.guards.facts.subjects import stem
from redpen.guards.facts.surroundings import STEM, around, words_at
from redpen.guards.words import is_past
from redpen.guards.words import stem as root
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.facts.fact import Fact, Kind
    from redpen.guards.facts.knowledge import Knowledge, Known

ORIGINAL = "original"
"""Path of facts of the original."""
COUNTED: tuple[Kind, ...] = ("share", "count")

Allowed = tuple["Knowledge", ...]

_CUT = lazy_pattern(r"[;:!?,()–—]|\.(?!\d)| (?:and|but|while|as|where|so) ")
_WORD = lazy_pattern(r"[a-z]+")
_ROOT = 5
"""Number of letters that forms of one word share: dropped, dropping."""
_SHORT = 3
_COMPOUNDED = 4
"""Length of the shortest noun that may end a compound."""
_MODIFIERS = 2
"""Number of words before a noun that qualify it."""
_NEAR = 120
"""Number of characters around a number in which its other nouns are."""


@lru_cache(maxsize=1)
def _opposites() -> dict[str, frozenset[str]]:
    """Return, by noun, the nouns of its class that never mean the same thing."""
    sides = [line.split("|") for line in lines("facts", "opposed")]
    pairs = (pair for one, other in sides for pair in ((one, other), (other, one)))
    return {word: frozenset(others.split()) for words, others in pairs for word in words.split()}


@lru_cache(maxsize=1)
def _alike() -> dict[str, set[int]]:
    """Return, by word, the indices of the synonym rows that contain it."""
    found: dict[str, set[int]] = {}
    for at, row in enumerate(lines("facts", "alike")):
        for word in row.split():
            found.setdefault(word, set()).add(at)
    return found


def moved_to(fact: Fact, text: str, original: str, matches: list[Known], allowed: Allowed) -> str:
    """Return why a share or a count does not belong to its subject; empty if it may.

    Args:
        fact: a share or a count of a text.
        text: the text as read.
        original: the original as read.
        matches: the allowed facts with that number.
        allowed: the facts of context and original.
    """
    sides = [_sides_of(fact, known, original) for known in matches]
    side = next((word for words in sides for word in sorted(words) if _is_named(word, allowed)), "")
    if all(sides) and side:
        return f"this number is allowed for another kind of {fact.head}, not for {side}"
    said = fact.subject | ({fact.head} if fact.head else frozenset())
    subjects = frozenset[str]().union(*(known.fact.subject for known in matches))
    # Participles such as "migrated" and "sold" name an event, not its subject.
    own = frozenset(word for word in subjects - vocab.generic if not is_past(word))
    # The number of "uploads" is that of the files "uploaded".
    is_form = bool(fact.head) and root(fact.head) in set(map(root, subjects - vocab.generic))
    is_known = is_form or _are_related(said, subjects - vocab.generic)
    if is_known or not (said and own and all(known.fact.subject for known in matches)):
        return ""
    others = {word for each in allowed for word in each.subjects.get(fact.kind, ())} - subjects
    heads = {word for each in allowed for word in each.heads}
    taken = said & (others - vocab.generic) or (
        fact.head in heads - subjects and fact.head not in vocab.any_whole
    )
    if not (taken or _is_another(fact, own, matches, allowed)):
        return ""
    if not taken and _is_told_with_it(fact, original, matches):
        return ""
    if _keeps_subject(fact, text, matches, heads - {known.fact.head for known in matches}, allowed):
        return ""
    about = ", ".join(sorted(subjects))
    return f"this number is allowed for {about}, not for {fact.head or ', '.join(sorted(said))}"


def _are_related(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a word of one group equals a word of the other or ends its compound: rooms, classrooms."""
    return any(word == other or _ends_compound(word, other) for word in words for other in others)


def _ends_compound(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _COMPOUNDED and longer.endswith(shorter)


def _is_another(fact: Fact, own: frozenset[str], matches: list[Known], allowed: Allowed) -> bool:
    """Whether the subject of a number differs from those for which it is allowed."""
    head = fact.head
    if not head or not own or head in vocab.any_whole or head == "people":
        return False
    if head in vocab.generic:
        return "people" in _classes(own)
    if not own.isdisjoint(_opposites().get(head, ())):
        return True
    group = vocab.CLASSES.get(head)
    if group not in _classes(own) and _is_named(head, allowed):
        return True
    classes = _classes(known.fact.head for known in matches) or _classes(own)
    if group is None or not classes:
        return group is not None or (bool(classes) and fact.kind == "share")
    return group not in classes


def _is_named(word: str, allowed: Allowed) -> bool:
    return any(stem(named) == word for each in allowed for named in each.words)


def sides_of(fact: Fact, other: Fact) -> frozenset[str]:
    """Return the qualifiers that tell apart several things of one sort (card, wallet payments).

    Empty unless the other fact is about the same sort of thing with another qualifier of the same class.
    """
    if fact.head not in other.subject:
        return frozenset()
    classes = {vocab.CLASSES.get(word, "") for word in other.subject - fact.subject - vocab.generic}
    roots = set(map(root, other.subject))
    others = {word for word in fact.subject - vocab.generic if root(word) not in roots and not _acts(word)}
    return frozenset(word for word in others if vocab.CLASSES.get(word, "") in classes)


def _sides_of(fact: Fact, known: Known, original: str) -> frozenset[str]:
    """Return ``sides_of`` without qualifiers that the original uses, such as "instant payments"."""
    sides = sides_of(fact, known.fact)
    if not sides:
        return sides
    if known.path != ORIGINAL:
        is_of_a_sort = _classes(known.fact.subject - {fact.head})
        return sides if is_of_a_sort else sides - _modifiers_of(fact.head, original)
    near = words_at(original, known.fact.start, known.fact.end)
    return frozenset(word for word in sides if word[:STEM] not in near)


def _modifiers_of(head: str, text: str) -> set[str]:
    """Return the stems of the words directly before any occurrence of a noun in a text."""
    words = _WORD.findall(text.lower())
    places = (at for at, word in enumerate(words) if stem(word) == head)
    return {stem(word) for at in places for word in words[max(0, at - _MODIFIERS) : at]}


def _acts(word: str) -> bool:
    """Whether a word is a participle, which tells what happens to a thing and not its sort."""
    return is_past(word) or word.endswith("ing")


def _classes(words: Iterable[str]) -> set[str]:
    return {vocab.CLASSES[word] for word in words if word in vocab.CLASSES}


def _keeps_subject(fact: Fact, text: str, matches: list[Known], others: set[str], allowed: Allowed) -> bool:
    """Whether a number that seems moved still has its own subject in other words."""
    head = fact.head
    own = {word for known in matches for word in known.fact.subject} - vocab.generic
    if not head or not own.isdisjoint(_opposites().get(head, ())):
        return False
    words = _words_after(fact, text)
    near = frozenset(words)
    shown = set(map(root, near))
    phrase = _phrase(words)
    if any(known.fact.head in phrase or _is_shown(known, shown) for known in matches):
        return True
    if head in others:
        return False
    known_words = {word for each in allowed for word in each.words}
    if head not in vocab.CLASSES and head not in set(map(stem, known_words)):
        return not _roots(known_words).isdisjoint(_roots(near - vocab.ends_noun_phrase))
    rows = _alike()
    return any(not rows.get(head, set()).isdisjoint(rows.get(word, ())) for word in own)


def _is_told_with_it(fact: Fact, original: str, matches: list[Known]) -> bool:
    """Whether the original has the noun of a count, one of no class, near that count.

    "4,400 members got a wrong statement" may be retold as "4,400 statements were wrong".
    """
    if fact.kind != "count" or fact.head in vocab.CLASSES:
        return False
    in_original = (known.fact for known in matches if known.path == ORIGINAL)
    near = (original[max(0, it.start - _NEAR) : it.end + _NEAR].lower() for it in in_original)
    return any(fact.head in map(stem, _WORD.findall(words)) for words in near)


def _words_after(fact: Fact, text: str) -> list[str]:
    """Return the words after a number in its clause."""
    return _WORD.findall(_CUT.split(around(text, fact.start, fact.end)[1])[0])


def _phrase(words: Iterable[str]) -> set[str]:
    """Return the stems of the noun phrase with which some words begin; names may stand before the noun."""
    return set(map(stem, takewhile(lambda word: word not in vocab.ends_noun_phrase, words)))


def _is_shown(known: Known, shown: set[str]) -> bool:
    """Whether the subject of a known number is beside it with another head ("64k events in the queue")."""
    subject = known.fact.subject
    of_context = known.fact.kind == "count" and known.path != ORIGINAL
    return (len(subject) > 1 or of_context) and set(map(root, subject - vocab.lacking)) <= shown


def _roots(words: Iterable[str]) -> set[str]:
    return {word[:_ROOT] for word in words if len(word) > _SHORT}
