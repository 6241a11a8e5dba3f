"""The clauses of a revision that stand alone: what they tell stands together nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.talk_words import talk_stems

_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NUMBER | t.NOT | t.NO
_NEW_SUBJECT = t.DETERMINER | t.PRONOUN | t.AGENT
_NOT_SKIPPED = _NEW_SUBJECT | t.CONDITION | t.HARD_CONDITION
_AUXILIARY = t.BE | t.HAVE | t.CAN | t.DO | t.WILL
_NO_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.AND | t.NUMBER
_AFTER_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.TO
_PAST = frozenset(("was", "were", "had", "did"))
_NO_MAIN_CLAUSE = frozenset(
    "please to for in on at by from with of that if until as what why how where which who because since than "
    "including such like not let".split()
)
_RELATIVE = frozenset(("that", "which", "who"))
_WE = frozenset("we i you they".split())
_SHORTEST = 3
_MOST_SUPPORT = 0.5


class Known(NamedTuple):
    """Stems of what a revision may restate: by sentence, and all together."""

    sentences: tuple[frozenset[str], ...]
    all: frozenset[str]


class Clause(NamedTuple):
    """A clause that nothing supports.

    Attributes:
        start: index of its first word.
        end: index after its last.
        verb: index of its first verb.
        past: whether that is past or perfect.
        mask: all tags of its words together.
    """

    start: int
    end: int
    verb: int
    past: bool
    mask: int


@lru_cache(maxsize=1024)
def _stems_by_sentence(text: str) -> tuple[frozenset[str], ...]:
    return tuple(content(sentence, 0, len(sentence.words)) for sentence in read_sentences(text))


def known_of(texts: Iterable[str]) -> Known:
    """Return what the sentences of some texts hold."""
    by_sentence = tuple(found for text in texts for found in _stems_by_sentence(text))
    return Known(by_sentence, frozenset().union(*by_sentence))


def _clauses(sentence: Sentence) -> Iterator[tuple[int, int]]:
    words, tags = sentence.words, sentence.tags
    start = 0
    for at in range(len(words) + 1):
        if at == len(words) or _parts(words, tags, at, start):
            begin = start
            while begin < at and tags[begin] & (t.AND | t.ADVERB) and not tags[begin] & _NOT_SKIPPED:
                begin += 1
            if at - begin >= _SHORTEST and words[begin] not in _NO_MAIN_CLAUSE:
                yield begin, at
            start = at + 1


def _parts(words: list[str], tags: list[int], at: int, start: int) -> bool:
    """Whether the word at ``at`` parts two clauses."""
    if words[at] in CLAUSE_MARKS or (tags[at] & t.BUT and at > start):
        return True
    return bool(tags[at] & t.AND and at + 1 < len(tags) and tags[at + 1] & _NEW_SUBJECT)


def alone(sentence: Sentence, known: Known) -> Iterator[Clause]:
    """Yield the main clauses, neither open nor denied, whose content words stand together nowhere."""
    for start, end in _clauses(sentence):
        mask = 0
        for tag in sentence.tags[start:end]:
            mask |= tag
        stems = content(sentence, start, end)
        fresh = stems - known.all - talk_stems()
        if mask & _OPEN or not fresh:
            continue
        if max((len(stems & other) for other in known.sentences), default=0) >= _MOST_SUPPORT * len(stems):
            continue
        verb, past = _verb(sentence, start, end)
        if verb > start:
            yield Clause(start, end, verb, past, mask)


def _verb(sentence: Sentence, start: int, end: int) -> tuple[int, bool]:
    """Return where the main verb of a clause stands, -1 without one, and whether it tells of the past."""
    words, tags = sentence.words, sentence.tags
    for at in range(start, end):
        if tags[at] & _AUXILIARY and words[at - 1] not in _RELATIVE:
            done = tags[at] & t.HAVE and any(
                is_past(words[k], tags[k]) for k in range(at + 1, min(end, at + 3))
            )
            return at, words[at] in _PAST or bool(done)
    if words[start] in _WE:
        verb = next((at for at in range(start + 1, end) if not tags[at] & t.ADVERB), -1)
        return verb, verb > 0 and is_past(words[verb], tags[verb])
    for at in range(start + 1, end):
        if tags[at] & (_NO_VERB | t.ADVERB) or words[at - 1] in _RELATIVE:
            continue
        if is_past(words[at], tags[at]):
            return at, True
        if tags[at] & t.THIRD or _is_bare_verb(sentence, at, end):
            return at, False
    return -1, False


def is_past(word: str, tag: int) -> bool:
    """Whether a word can only be a past form or a participle."""
    return bool(tag & t.PAST and not tag & t.BASE) or (word.endswith("ed") and not tag & _NO_VERB)


def _is_bare_verb(sentence: Sentence, at: int, end: int) -> bool:
    """Whether a word between a noun and what verbs take is read as a verb ("cards *beep* at the desk")."""
    words, tags = sentence.words, sentence.tags
    if not is_content(words[at], tags[at]) or not is_content(words[at - 1], tags[at - 1]):
        return False
    return at + 1 < end and bool(tags[at + 1] & (_AFTER_VERB | t.ADVERB))


def head_of(sentence: Sentence, clause: Clause) -> tuple[int, int]:
    """Return the span of the subject up to its first preposition."""
    for at in range(clause.start + 1, clause.verb):
        if sentence.tags[at] & t.PREPOSITION and not sentence.tags[at] & t.ADVERB:
            return clause.start, at
    return clause.start, clause.verb
