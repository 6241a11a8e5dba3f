"""Trouble that the original tells as present and the revision only as past: it is said to be over."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.verbgroup import verb_group

_TROUBLE = t.BAD | t.HINDERS
_FINITE = t.BE | t.HAVE | t.DO | t.CAN | t.MAY | t.WILL
_ONGOING = frozenset(
    "still remain remains remaining continue continues continuing ongoing yet currently presently now "
    "expect expects "
    "expected expecting hope hopes hoping estimate estimates estimated estimating eta until meanwhile "
    "meantime "
    "interim working trying should may might unresolved unfixed".split()
)
"""Words with which an update goes on; one of them, and past tense says no end."""
_OURS = frozenset("we i team engineers who".split())
_BACK = 8
_FORWARD = 7
_PAST_DENIALS = frozenset(("could", "did", "was", "were", "had"))


class _Tenses(NamedTuple):
    """How often a text tells trouble as present, and where it first tells it as past."""

    present: int
    past: tuple[int, int] | None
    ongoing: bool


@lru_cache(maxsize=256)
def _tenses(text: str) -> _Tenses:
    present, past, ongoing = 0, None, False
    for sentence in read_sentences(text):
        ongoing = ongoing or not sentence.vocabulary.isdisjoint(_ONGOING)
        for at, tag in enumerate(sentence.tags):
            if tag & _TROUBLE:
                tense = _tense(sentence, at)
            elif tag & t.NOT and at:
                tense = _denial(sentence, at)
            else:
                continue
            if tense == "present":
                present += 1
            elif tense == "past" and past is None:
                past = sentence.span(at, at)
    return _Tenses(present, past, ongoing)


def _tense(sentence: Sentence, at: int) -> str:
    """Return the tense of the trouble at ``at``; empty where it is no predicate."""
    words, tags = sentence.words, sentence.tags
    group = verb_group(sentence, at)
    open_yet = any(tag & t.HARD_CONDITION for tag in tags[max(0, group.start - _BACK) : group.start])
    if open_yet or group.negated or (group.start and words[group.start - 1] in _OURS):
        return ""
    if group.finite:
        return "past" if group.past else "present"
    if group.mood != "bare" or not at or words[at - 1] in CLAUSE_MARKS:
        return ""
    before = tags[at - 1]
    if before & (t.DETERMINER | t.PREPOSITION | t.TO) and not before & t.PRONOUN:
        return ""
    if tags[at] & t.PAST and not tags[at] & t.BASE:
        return "past" if _is_verb(sentence, at) else ""
    return "present" if tags[at] & (t.BASE | t.THIRD) else ""


def _is_verb(sentence: Sentence, at: int) -> bool:
    """Whether the past form at ``at`` is itself the verb of its clause, and describes no noun."""
    words, tags = sentence.words, sentence.tags
    describes = at + 1 < len(words) and is_content(words[at + 1], tags[at + 1])
    if describes or words[at - 1].endswith("ing"):
        return False
    return not any(tag & _FINITE for tag in tags[at + 1 : at + _FORWARD])


def _denial(sentence: Sentence, at: int) -> str:
    """Return the tense of "cannot", "does not", "could not"."""
    word, tag = sentence.words[at - 1], sentence.tags[at - 1]
    if at > 1 and sentence.words[at - 2] in _OURS:
        return ""
    if not tag & (t.CAN | t.DO | t.BE | t.HAVE | t.MAY):
        return ""
    return "past" if word in _PAST_DENIALS else "present"


def _has_word(text: str, word: str) -> bool:
    return any(word in sentence.vocabulary for sentence in read_sentences(text))


@lru_cache(maxsize=256)
def _pluperfect(text: str) -> tuple[int, int] | None:
    """Return the span of the first trouble, not our own doing, that a text says "had been" there."""
    for sentence in read_sentences(text):
        words, tags = sentence.words, sentence.tags
        for at in range(1, len(words) - 1):
            if words[at] != "had" or words[at - 1] in _OURS or sentence.question:
                continue
            bad = words[at + 1] == "been" or tags[at + 1] & _TROUBLE
            if bad and not any(
                tag & (t.CONDITION | t.HARD_CONDITION) for tag in tags[max(0, at - _BACK) : at]
            ):
                return sentence.span(at, at + 1)
    return None


def find_past_trouble(revised: str, original: str) -> tuple[Claim, ...]:
    """Find that a revision tells as past the trouble that its original tells as present.

    Args:
        revised: the revision as read.
        original: the original as read.

    Returns:
        At most one claim of the family ``resolution``; none where the revision says in any word that the
        trouble goes on.
    """
    earlier = _pluperfect(revised)
    if earlier is not None and _tenses(original).present and not _has_word(original, "had"):
        return (Claim("resolution", *earlier, "the trouble is told as past"),)
    told = _tenses(revised)
    if told.past is None or told.present or told.ongoing or not _tenses(original).present:
        return ()
    return (Claim("resolution", *told.past, "the trouble is told as past"),)
