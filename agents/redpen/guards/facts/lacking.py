"""Whether "no" of a thing is news, or says what a text tells of it already: that it does not show."""

from __future__ import annotations

import re

from redpen.guards.facts.fact import Fact
from redpen.guards.facts.subject_classes import CLASSES
from redpen.guards.facts.subjects import stem
from redpen.text.lazy_pattern import lazy_pattern

_SENTENCE = lazy_pattern(r"[^.!?:;\n]+")
_LETTERS = lazy_pattern(r"[a-z]+")
_LONGEST_QUESTION = 200
_QUESTION = lazy_pattern(r"[^.!?\n]{0,200}\?[\"”']?\s*")
_YES = lazy_pattern(
    r"(?:yes|yep|yeah|indeed|absolutely|correct"
    r"|(?:it|they|that|he|she|we) (?:is|are|was|were|has|have|do|does)(?= *[.,;:!–—-]|$))(?![a-z])",
    re.IGNORECASE,
)
_DENIED = frozenset("not cannot no without unavailable missing off".split())
_NEAR = 4
_COUNTED = frozenset("some few several part half many".split())


def asked_about(fact: Fact, text: str) -> str:
    """Return what the question asks about that a bare "none" answers ("are there new bills? None so far").

    Args:
        fact: a quantifier of a text.
        text: that text.

    Returns:
        Stem of the thing; empty when the fact is no such answer.
    """
    before = text[: fact.start].rstrip()
    if fact.head or fact.text.lower() != "none" or not before.endswith("?"):
        return ""
    question = _SENTENCE.findall(before[-_LONGEST_QUESTION:-1].lower())
    things = (stem(word) for word in _LETTERS.findall(question[-1] if question else "") if word.endswith("s"))
    return next((thing for thing in things if thing in CLASSES), "")


def is_asked(fact: Fact, text: str) -> bool:
    """Whether a quantifier stands in a question that no "yes" answers ("is every line down? No, 3 are").

    Args:
        fact: a quantifier of a text.
        text: that text.
    """
    question = _QUESTION.match(text, fact.end)
    return question is not None and not _YES.match(text, question.end())


def is_lack(fact: Fact, original: str) -> bool:
    """Whether a quantifier only says that a thing is missing, as a sentence of the original does.

    Args:
        fact: a quantifier of a revision.
        original: the original as a reader sees it.
    """
    if fact.readings[0].value != "none" or not fact.head or CLASSES.get(fact.head) == "people":
        return False
    return any(_lacks(sentence, fact.head) for sentence in _SENTENCE.findall(original.lower()))


def _lacks(sentence: str, head: str) -> bool:
    """Whether a sentence denies something of a whole kind of things, and of no part of it."""
    words = _LETTERS.findall(sentence)
    if _DENIED.isdisjoint(words) or head not in map(stem, words):
        return False
    # "640 bookings without a seat number" have no seat number.
    if any(
        word == "without" and head in map(stem, words[at + 1 : at + _NEAR]) for at, word in enumerate(words)
    ):
        return True
    return _COUNTED.isdisjoint(words) and not any(map(str.isdigit, sentence))
