"""Whether what no allowed fact equals is no fact in its sentence, or one that is known in other words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.data import lines, texts
from redpen.guards.facts import vocab
from redpen.guards.facts.implied import is_implied
from redpen.guards.facts.subjects import stem
from redpen.guards.facts.surroundings import around
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from redpen.guards.facts.fact import Fact
    from redpen.guards.facts.implied import Implied

_SENTENCE = lazy_pattern(r"[^.!?:;\n]+")
_LETTERS = lazy_pattern(r"[a-z]+")
_QUESTION = lazy_pattern(r"[^.!?\n]{0,200}\?[\"”']?\s*")
_YES = lazy_pattern(
    r"(?:yes|yep|yeah|indeed|absolutely|correct"
    r"|(?:it|they|that|he|she|we) (?:is|are|was|were|has|have|do|does)(?= *[.,;:!–—-]|$))(?![a-z])",
    re.IGNORECASE,
)
_NEAR = 4
_FIGURE = "100"
"""The figures of the only idiom that is written with any."""


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
    if fact.readings[0].value != "none" or not fact.head or vocab.CLASSES.get(fact.head) == "people":
        return False
    return any(_lacks(sentence, fact.head) for sentence in _SENTENCE.findall(original.lower()))


def _lacks(sentence: str, head: str) -> bool:
    """Whether a sentence denies something of a whole kind of things, and of no part of it."""
    words = _LETTERS.findall(sentence)
    if vocab.denied.isdisjoint(words) or head not in map(stem, words):
        return False
    # "640 bookings without a seat number" have no seat number.
    if any(
        word == "without" and head in map(stem, words[at + 1 : at + _NEAR]) for at, word in enumerate(words)
    ):
        return True
    return vocab.in_part.isdisjoint(words) and not any(map(str.isdigit, sentence))


@lru_cache(maxsize=1)
def _idioms() -> re.Pattern[str]:
    phrases = "|".join(lines("facts", "idioms"))
    return re.compile(rf"\b(?:{phrases})\b")


@lru_cache(maxsize=1)
def _ordinary_senses() -> dict[str, re.Pattern[str]]:
    """Return the patterns of the ordinary senses, by the kinds of facts that they seem to be."""
    patterns: dict[str, list[str]] = {}
    for name, pattern in texts("facts", "ordinary_senses").items():
        patterns.setdefault(name.partition(":")[0], []).append(pattern)
    patterns["date"] = patterns["time"]
    return {kind: re.compile("|".join(found)) for kind, found in patterns.items()}


def _is_ordinary(fact: Fact, text: str) -> bool:
    """Whether a fact of a text is none, for its words stand there in an ordinary sense.

    True for "a long day", "on another day", "no two ways about it", "have a good weekend", "think twice",
    "nobody likes to wait": words that measure and count nothing.
    """
    if _FIGURE not in fact.text and not any(map(str.isalpha, fact.text)):
        # Of what is written without letters no idiom, day or span holds any but this figure.
        return False
    before, after = around(text, fact.start, fact.end)
    piece = fact.text.lower()
    start, end = len(before), len(before) + len(piece)
    if any(it.start() < end and it.end() > start for it in _idioms().finditer(before + piece + after)):
        return True
    senses = _ordinary_senses().get(fact.kind)
    return senses is not None and senses.search(f"{before}«{piece}»{after}") is not None


def says_no_more(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether what seems new in a text is no fact there, or one that is known in other words.

    Args:
        fact: a fact of the text that no allowed one equals, or whose number seems to be moved.
        text: what a reader sees of the revision.
        implied: returns what they imply; asked for only when it decides.
    """
    return _is_ordinary(fact, text) or is_implied(fact, text, implied)
