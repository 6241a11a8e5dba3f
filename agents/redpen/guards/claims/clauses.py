"""Small questions about a place in a clause: what follows, what the subject holds."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words


def following(sentence: Sentence, index: int) -> str:
    """Return the word after ``index``, or an empty string."""
    return sentence.words[index + 1] if index + 1 < len(sentence.words) else ""


def clause_ends_after(sentence: Sentence, index: int) -> bool:
    """Whether the clause ends after the word at ``index``."""
    return index + 1 >= len(sentence.words) or sentence.words[index + 1] in CLAUSE_MARKS


def has(sentence: Sentence, span: tuple[int, int], tag: int) -> bool:
    """Whether any word of the span carries one of the tags."""
    return any(item & tag for item in sentence.tags[span[0] : span[1]])


def determined(sentence: Sentence, index: int) -> bool:
    """Whether an article or the like stands right before ``index``."""
    return bool(
        index and sentence.tags[index - 1] & t.DETERMINER and not sentence.tags[index - 1] & t.PRONOUN
    )


def head_of_subject(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the span of the subject before a verb group, up to its first preposition."""
    begin, end = subject_words(sentence, start)
    for at in range(begin + 1, end):
        tag = sentence.tags[at]
        if tag & t.PREPOSITION and not tag & (t.PRONOUN | t.ADVERB):
            return begin, at
    return begin, end
