"""Whether "no" of a thing is news, or says what a text tells of it already: that it does not show."""

from __future__ import annotations

import re

from redpen.guards.readings import Fact
from redpen.guards.subjects import CLASSES, stem

_SENTENCE = re.compile(r"[^.!?\n]+")
_LETTERS = re.compile(r"[a-z]+")
_DENIED = frozenset("not cannot no without unavailable missing off".split())
_COUNTED = frozenset("some few several part half many".split())


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
    return _COUNTED.isdisjoint(words) and not any(map(str.isdigit, sentence))
