"""Denials that a revision drops: "tags are not read" in the original, "tags are read" in the revision."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.told import clauses, main_clauses, mask_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import main_verb

_OPEN = (
    t.HEDGE
    | t.MAY
    | t.WILL
    | t.CONDITION
    | t.HARD_CONDITION
    | t.PARTIAL
    | t.NOT
    | t.NO
    | t.AGENT
    | t.COMPLEMENT
)
_DENIED_WITHIN = 3
_VERB_WITHIN = 4
_NOT_NEW = frozenset("still only than more less fewer like yet".split())


class Denied(NamedTuple):
    """What a clause denies.

    Attributes:
        subject: stems of the subject up to its first preposition.
        noun: the last of them, which names the thing.
        verb: stem of the verb.
    """

    subject: frozenset[str]
    noun: str
    verb: str


@lru_cache(maxsize=256)
def denied_of(text: str) -> tuple[Denied, ...]:
    """Return what the clauses of a text deny of things, ours and readers' own doings apart."""
    return tuple(found for sentence in own_sentences(text) for found in _denied_in(sentence))


@lru_cache(maxsize=1024)
def _denied_in(sentence: Sentence) -> tuple[Denied, ...]:
    words, tags = sentence.words, sentence.tags
    if "not" not in sentence.vocabulary:
        return ()
    found = []
    for start, end in clauses(sentence):
        at = next((k for k in range(start + 1, end) if words[k] == "not"), -1)
        if at < 0 or mask_of(sentence, start, at) & (t.AGENT | t.CONDITION | t.HARD_CONDITION):
            continue
        after = range(at + 1, min(end, at + 1 + _DENIED_WITHIN))
        verb = next((k for k in after if is_content(words[k], tags[k])), -1)
        head = _head(sentence, start, at)
        if verb > 0 and head:
            found.append(Denied(frozenset(head), head[-1], stem(words[verb])))
    return tuple(found)


def _head(sentence: Sentence, start: int, end: int) -> list[str]:
    """Return the stems of a subject up to its first preposition, in order."""
    words, tags = sentence.words, sentence.tags
    stop = next((at for at in range(start + 1, end) if tags[at] & t.PREPOSITION), end)
    return [stem(words[at]) for at in range(start, stop) if is_content(words[at], tags[at])]


def find_flips(sentence: Sentence, denied: tuple[Denied, ...]) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end that state what the original denies.

    Args:
        sentence: the sentence of the revision.
        denied: what its original denies.
    """
    if not denied:
        return
    for start, end, subject, does in _stated(sentence):
        # "The login page" is another than "the upload page".
        if any(item.verb in does and item.noun in subject <= item.subject for item in denied):
            yield start, end


@lru_cache(maxsize=1024)
def _stated(sentence: Sentence) -> tuple[tuple[int, int, frozenset[str], frozenset[str]], ...]:
    """Return where clauses begin and end that state what is so now; the stems of their subject and verb."""
    words, tags = sentence.words, sentence.tags
    found = []
    for start, end in main_clauses(sentence):
        if mask_of(sentence, start, end) & _OPEN or not _NOT_NEW.isdisjoint(words[start:end]):
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb <= start or tense in ("past", "pluperfect") or tells_trouble(sentence, start, end):
            continue
        near = range(verb, min(end, verb + _VERB_WITHIN))
        does = frozenset(stem(words[at]) for at in near if is_content(words[at], tags[at]))
        found.append((start, end, frozenset(_head(sentence, start, verb)), does))
    return tuple(found)
