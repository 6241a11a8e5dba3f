"""Whether a tie between a trouble and its cause is denied, asked about, or said by others."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.cause_senses import is_denial_of_trouble_itself
from redpen.guards.claims.content import is_content
from redpen.guards.claims.patterns import CLAUSE_MARKS, clause_around
from redpen.guards.claims.reading import Sentence

_DENIED = frozenset("not never no neither nor nothing nobody noone unrelated without".split())
_THINK = frozenset("think believe suspect blame guess speculate wonder".split())
_RUMOURS = frozenset("rumour rumours rumor rumors speculation".split())
_OURS = frozenset("we i to please and engineers team".split())
_QUESTIONS = frozenset("what where why how which who whichever whatever".split())
_ASKED = frozenset("what who whatever whoever whichever".split())
_LEFT_OPEN = frozenset(
    "yet still unknown unclear mystery puzzle riddle question questions guess investigating looking trying "
    "checking working exploring asking wondering learn discover investigation study".split()
)
"""Words that leave a question open, which stands before them or after."""
_MAX_BACK = 8


def is_denied(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a tie is denied or asked about ("not caused by", "whether it was caused by").

    Args:
        sentence: the sentence.
        start: index of the first word of the tie.
        end: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    reason = words[start] == "because"
    if words[start] == "it" and words[end - 1] == "for":
        # "Were it not for the drought" blames it.
        return False
    for at in range(start - 1, max(-1, start - _MAX_BACK - 1), -1):
        word = words[at]
        if word in CLAUSE_MARKS or tags[at] & t.BUT:
            break
        none = reason and tags[at] & t.NO and is_content(words[at + 1], tags[at + 1])
        denied = word in _DENIED and words[at + 1] not in ("only", "just", "doubt") and not none
        if denied and (
            is_denial_of_trouble_itself(sentence, at, start) or _ends_in_relative(sentence, start)
        ):
            continue
        if word in ("whether", "if") or denied:
            return True
    if _reported(words, start) or _asked_in_full(sentence, start):
        return True
    asked = words[start - 1 : start]
    own = words[start] in _DENIED
    return not _ASKED.isdisjoint(asked) or not _DENIED.isdisjoint(words[start + own : end + 1])


def _ends_in_relative(sentence: Sentence, start: int) -> bool:
    """Whether a preposition without its noun stands before the tie ("an update it cannot cope *with* is")."""
    before = sentence.tags[start - 1]
    alone = bool(before & t.PREPOSITION) and not before & (t.ADVERB | t.PRONOUN)
    return alone and bool(sentence.tags[start] & t.BE)


def _asked_in_full(sentence: Sentence, start: int) -> bool:
    """Whether the tie stands in an open question ("where it comes from we have yet to learn")."""
    words, tags = sentence.words, sentence.tags
    begin = clause_around(words, tags, start, start + 1)[0]
    while begin < start and tags[begin] & (t.AND | t.BUT | t.ADVERB) and words[begin] not in _QUESTIONS:
        begin += 1
    if words[begin] not in _QUESTIONS:
        return False
    rest = range(begin + 1, len(words))
    return any(tags[at] & (t.NOT | t.BEING) or words[at] in _LEFT_OPEN for at in rest)


def _reported(words: list[str], start: int) -> bool:
    """Whether others are said to think or say so ("some of you think that the app is behind it")."""
    for at in range(min(start, len(words) - 1), max(-1, start - _MAX_BACK - 1), -1):
        if words[at] in _THINK:
            return bool(at) and words[at - 1] not in _OURS
    return not _RUMOURS.isdisjoint(words[max(0, start - _MAX_BACK) : start])
