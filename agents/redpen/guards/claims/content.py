"""Content words of a sentence: what it speaks of, without the words of grammar."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence

_FUNCTION = (
    t.BE | t.BEEN | t.BEING | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN | t.TO | t.NOT | t.NO | t.AND
    | t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.NUMBER | t.ADVERB | t.CONDITION
)  # fmt: skip

_UNTAGGED = frozenset("them me him her but".split())
"""Words of grammar that have no tag of their own."""


@lru_cache(maxsize=2048)
def stems_of(sentence: Sentence) -> tuple[str, ...]:
    """Return the stem of each word of a sentence; it is empty where the word is none of content."""
    return tuple(
        [
            stem(word)
            if not tag & _FUNCTION and len(word) > 1 and word[0].isalpha() and word not in _UNTAGGED
            else ""
            for word, tag in zip(sentence.words, sentence.tags, strict=True)
        ]
    )


@lru_cache(maxsize=4096)
def content(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the stems of the content words from ``start`` to ``end`` (exclusive)."""
    return frozenset(filter(None, stems_of(sentence)[start:end]))


def is_content(word: str, tag: int) -> bool:
    """Whether a word with its tags is one of content."""
    return len(word) > 1 and word[0].isalpha() and not tag & _FUNCTION and word not in _UNTAGGED
