"""Sorts of clauses that hide no claim: greetings, orders, offers, plans of ours, talk about the message."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told_verbs import is_past

_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_NOT_FIRST = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.NUMBER | t.AND | t.AGENT | t.PARTIAL
_AFTER_ORDER = t.PREPOSITION | t.DETERMINER | t.PRONOUN | t.TO | t.ADVERB
_OF_WRITER = """
question enquiry query note notice update news bulletin summary description reminder announcement newsletter
statement briefing apology thanks regards sympathy manual hotline
"""
"""What is said of the message itself, of how to ask, or of our feelings."""
_ABOUT_TEXT = """
message post letter reply answer report line page address contact number reference detail word heading subject
list recording text email
"""
"""What is the message itself after "a" and "this", or before "about"; else it may be what is affected."""
_OPENS_NOTE = frozenset(("here", "below", "attached", "enclosed"))
_AFTER_SUBJECT = frozenset(("permitting", "allowing", "willing"))
"""What ends a condition without a verb ("weather permitting")."""
_LONGEST_BASE = 4
"""Letters of a word that ends like a participle or plural and is none (ring, pass)."""
_NAMES_TEXT = frozenset("a an this another".split())
_REGARDING = frozenset("about on regarding concerning with".split())
_INSTEAD = frozenset(("instead", "alternatively"))
_OF_TIME = frozenset("fresh new next further another".split())
_FIRST = 3
_CADENCE = frozenset("every each hourly daily minutes hours interval intervals".split())


@lru_cache(maxsize=1)
def _about_text() -> frozenset[str]:
    return frozenset(map(stem, _ABOUT_TEXT.split()))


@lru_cache(maxsize=1)
def _of_writer() -> frozenset[str]:
    return frozenset(map(stem, _OF_WRITER.split()))


def hides_no_claim(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause is of a sort that tells nothing of the state of things.

    Args:
        sentence: the sentence.
        start: index of the first word of the clause.
        end: index after its last.
    """
    return (
        _is_fragment(sentence, start, end)
        or _is_order(sentence, start, end)
        or _is_about_text(sentence, start, end)
        or _tells_of_times(sentence, start, end)
        or not _INSTEAD.isdisjoint(sentence.words[start - 1 : start] + sentence.words[end : end + 1])
        or _moves_us(sentence, start, end)
    )


def _is_fragment(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause without a verb only greets, thanks or sets the scene ("much obliged for it")."""
    words, tags = sentence.words, sentence.tags
    if any(tag & _FINITE for tag in tags[start:end]):
        return False
    if words[end - 1] in _AFTER_SUBJECT:
        return True
    first = start
    while first < end - 1 and (tags[first] & t.ADVERB or words[first] == "very"):
        first += 1
    if tags[first] & t.PREPOSITION and not tags[first] & (t.PRONOUN | t.ADVERB):
        # "With the hall held up by a shortage" tells something, "with warm regards" does not.
        return not any(is_past(words[at], tags[at]) for at in range(first + 1, end))
    return is_past(words[first], tags[first]) and first + 1 < end and bool(tags[first + 1] & t.PREPOSITION)


def _is_order(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause without a subject asks something of the reader ("speak to the desk")."""
    words, tags = sentence.words, sentence.tags
    first = words[start]
    if (
        end - start < 2
        or tags[start] & _NOT_FIRST
        or (first.endswith(("s", "ed", "ing")) and len(first) > _LONGEST_BASE)
    ):
        return False
    if not first[0].isalpha() or (tags[start] & t.ADVERB and not tags[start] & t.BASE):
        return False
    if any(tag & (_FINITE | t.THIRD) for tag in tags[start + 1 : end]):
        return False
    if is_past(first, tags[start]):
        return False
    return bool(tags[start + 1] & _AFTER_ORDER) or words[start + 1] in ("us", "them", "it", "me")


def _is_about_text(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the subject of a clause is the message itself, or what readers write and ask."""
    words, tags = sentence.words, sentence.tags
    if (
        words[start] in _OPENS_NOTE
        and start + 1 < end
        and (tags[start + 1] & t.BE or words[start + 1] == "'s")
    ):
        return True
    for at in range(start, end):
        if tags[at] & _FINITE or (tags[at] & t.PREPOSITION and at > start):
            return False
        if is_content(words[at], tags[at]):
            if stem(words[at]) in _of_writer():
                return True
            named = words[start] in _NAMES_TEXT or not _REGARDING.isdisjoint(words[at + 1 : at + 2])
            if named and stem(words[at]) in _about_text():
                return True
    return False


def _moves_us(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause tells what something did to our feelings ("your letters cheered us")."""
    words, tags = sentence.words, sentence.tags
    return any(
        words[at] in ("us", "me") and at > start and not tags[at - 1] & (t.PREPOSITION | t.BE)
        for at in range(start + 1, end)
    )


def _tells_of_times(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause tells how often something new comes out ("a fresh map appears every 10 minutes")."""
    words, tags = sentence.words[start:end], sentence.tags[start:end]
    if _CADENCE.isdisjoint(words):
        return False
    done = any(tags[at] & t.BE and is_past(words[at + 1], tags[at + 1]) for at in range(1, len(words) - 1))
    return done or not _OF_TIME.isdisjoint(words[:_FIRST])
