"""The verb group that a predicate stands in: what tense and mood it is said in, and where it begins."""

from __future__ import annotations

from typing import Literal, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence

Mood = Literal["stated", "bare", "under_way", "aim", "future", "possible"]
"""How something is said: as so (``is``, ``has been``), without an auxiliary, as going on (``is being``), as
an aim (``to be``), as to come (``will be``), as possible (``may be``)."""

_AUXILIARY = t.BE | t.BEEN | t.BEING | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN
_NOT_ONLY = frozenset(("only", "just", "merely", "simply", "solely"))
_PAST_AUXILIARIES = frozenset(("was", "were", "had", "did"))
_REACHED = frozenset(
    "managed able succeeded happy pleased proud glad delighted appears appear appeared seems seem seemed looks "
    "considered known reported said declared proven proved shown confirmed found determined deemed verified "
    "understood established judged thrilled relieved set".split()
)
"""Words whose infinitive says that it is so ("we managed to restore it")."""
_PROMISED = frozenset("going bound sure certain guaranteed".split())
"""Words whose infinitive says that it will be so."""
_MAX_WALK = 14


class Group(NamedTuple):
    """A verb group.

    Attributes:
        mood: how it is said.
        start: index of its first word in the sentence.
        negated: whether a negation stands inside.
        finite: whether it holds a finite auxiliary.
        past: whether that is in the past tense.
    """

    mood: Mood
    start: int
    negated: bool
    finite: bool
    past: bool


def _infinitive(sentence: Sentence, index: int) -> tuple[Mood, int, bool]:
    """Read what governs the ``to`` at ``index``."""
    words, tags = sentence.words, sentence.tags
    at = index - 1
    while at >= 0 and tags[at] & t.ADVERB and words[at] not in ("yet", "still", "far", "soon"):
        at -= 1
    if at < 0:
        return "aim", index, False
    word = words[at]
    if word == "yet":
        return "aim", at, True
    if word in _PROMISED and not (word == "set"):
        group = verb_group(sentence, at)
        if group.finite and not group.negated and group.mood in ("stated", "bare"):
            return "future", group.start, False
        return "aim", group.start, group.negated
    if word in _REACHED:
        group = verb_group(sentence, at)
        if group.mood == "future":
            return "future", group.start, group.negated
        stated = group.mood in ("stated", "bare") and not (word == "able" and not group.finite)
        return ("stated" if stated else "aim"), group.start, group.negated
    return "aim", index, False


def _coordinated(sentence: Sentence, index: int) -> int:
    """Return the index before the predicate that ``and``, ``or`` or a comma at ``index`` joins on, or -1."""
    words, tags = sentence.words, sentence.tags
    at = index - 1
    if at >= 0 and words[at] == "," and words[index] != ",":
        at -= 1
    if at < 0:
        return -1
    word = words[at]
    before = at - 1
    while before > 0 and tags[before] & t.ADVERB:
        before -= 1
    if before >= 0 and (tags[before] & (t.BE | t.BEEN) or words[before] == "'s"):
        return at - 1
    if word.endswith(("ed", "en")) or tags[at] & (
        t.PAST | t.HEALTHY | t.FINE | t.SAFE | t.GUARDED | t.DONE | t.BASE
    ):
        return at - 1
    return -1


def verb_group(sentence: Sentence, index: int) -> Group:
    """Read the auxiliaries to the left of a predicate.

    Args:
        sentence: the sentence.
        index: where the predicate (participle, adjective, verb, idiom) begins.

    Returns:
        The group; ``bare`` when no auxiliary belongs to the predicate.
    """
    words, tags = sentence.words, sentence.tags
    negated = finite = past = seen = being = future = possible = False
    start = index
    at = index - 1
    low = max(0, index - _MAX_WALK)
    while at >= low:
        tag = tags[at]
        word = words[at]
        if (
            tag & t.NOT
            and word in ("not", "never", "hardly", "scarcely", "barely", "nowhere")
            or word in ("neither", "nor")
        ):
            if words[at + 1] not in _NOT_ONLY:
                negated = True
            start = at
        elif tag & _AUXILIARY and not (finite and not tag & (t.WILL | t.MAY | t.HAVE | t.DO | t.CAN)):
            seen = True
            start = at
            if tag & t.BEING:
                being = True
            if tag & _FINITE:
                if word in ("having",):
                    return Group("stated", at, negated, True, True)
                finite = True
                past = past or word in _PAST_AUXILIARIES
            future = future or bool(tag & t.WILL)
            possible = possible or bool(tag & (t.MAY | t.CAN))
        elif word == "to" and not finite:
            if not seen and not tags[index] & t.BASE:
                break
            mood, start, denied = _infinitive(sentence, at)
            return Group(mood, start, negated or denied, mood in ("stated", "future"), False)
        elif word == "'s":
            seen = finite = True
            start = at
        elif tag & t.COPULAR and not finite and not seen:
            mood, begin, denied, was = _copular(sentence, at, tag)
            return Group(mood, begin, negated or denied, True, was)
        elif tag & t.ADVERB or (word == "no" and words[at + 1] == "longer") or word == "longer":
            possible = possible or bool(tag & t.HEDGE)
        elif not seen and (tag & t.AND or word == ","):
            joined = _coordinated(sentence, at)
            if joined < 0:
                break
            at = joined
            continue
        else:
            break
        at -= 1
    if being:
        return Group("under_way", start, negated, finite, past)
    if possible:
        return Group("possible", start, negated, True, past)
    if future:
        return Group("future", start, negated, True, False)
    if finite:
        return Group("stated", start, negated, True, past)
    return Group("bare", start, negated, False, False)


def _copular(sentence: Sentence, at: int, tag: int) -> tuple[Mood, int, bool, bool]:
    """Read a copular verb other than *be* (``got``, ``remains``) as the head of the group."""
    if tag & t.GERUND and not tag & t.PAST:
        outer = verb_group(sentence, at)
        return "under_way", outer.start, outer.negated, False
    outer = verb_group(sentence, at)
    if outer.mood != "bare":
        return outer.mood, outer.start, outer.negated, outer.past
    return "stated", outer.start, outer.negated, bool(tag & t.PAST and not tag & t.BASE)
