"""Statements as they stand without an aside after their subject, and whether they are made at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach
from redpen.guards.claims.verbgroup import Group

_VERB = t.BE | t.HAVE | t.CAN
_LONGEST = 14
_FEWEST = 2


def without_aside(sentence: Sentence) -> tuple[Sentence, Sequence[int]]:
    """Leave out what stands between commas after the subject of a sentence.

    Args:
        sentence: the sentence.

    Returns:
        The sentence without its aside, or as it is, and at which index each of its words stood.
    """
    words, tags = sentence.words, sentence.tags
    if words.count(",") < _FEWEST:
        return sentence, range(len(words))
    first = words.index(",")
    if any(tag & (_VERB | t.WILL | t.MAY) for tag in tags[:first]):
        return sentence, range(len(words))
    for second in range(first + 2, min(len(words) - 1, first + _LONGEST)):
        if words[second] == "," and (tags[second + 1] & _VERB or words[second + 1] == "now"):
            kept = [*range(first), *range(second + 1, len(words))]
            mask = 0
            for at in kept:
                mask |= tags[at]
            told = [words[at] for at in kept]
            rest = replace(
                sentence,
                words=told,
                tags=[tags[at] for at in kept],
                at=[sentence.at[at] for at in kept],
                mask=mask,
                vocabulary=frozenset(told),
            )
            return rest, kept
    return sentence, range(len(words))


def is_asserted(sentence: Sentence, at: int) -> bool:
    """Whether nothing before a verb takes back what it says ("we cannot promise that it will not fail").

    Args:
        sentence: the sentence.
        at: where the verb group of the statement begins.
    """
    return reach(sentence, Group("stated", at, False, True, False)).asserted
