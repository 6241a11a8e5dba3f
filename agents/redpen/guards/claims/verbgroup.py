"""The verb group that a predicate stands in: what tense and mood it is said in, and where it begins."""

from __future__ import annotations

from typing import Literal, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence

Mood = Literal["stated", "bare", "under_way", "aim", "future", "possible"]
"""How something is said: as so (``is``, ``has been``), without an auxiliary, as going on (``is being``), as
an aim (``to be``), as to come (``will be``), as possible (``may be``)."""

_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN
_AUXILIARY = _FINITE | t.BEEN | t.BEING
_BEFORE_FINITE = t.WILL | t.MAY | t.HAVE | t.DO | t.CAN
_NOT_ONLY = frozenset(("only", "just", "merely", "simply", "solely"))
_DENIALS = frozenset("not never hardly scarcely barely nowhere neither nor".split())
_PAST_AUXILIARIES = frozenset(("was", "were", "had", "did"))
_REACHED = frozenset(
    "managed able succeeded happy pleased proud glad delighted appears appear appeared seems seem seemed "
    "looks considered known reported said declared proven proved shown confirmed found determined deemed "
    "verified understood established judged thrilled relieved".split()
)
"""Words whose infinitive says that it is so ("we managed to restore it")."""
_PROMISED = frozenset("going bound sure certain guaranteed".split())
"""Words whose infinitive says that it will be so."""
_LEADS = frozenset("and but so then even not".split())
_SUBORDINATES = frozenset(
    "while although though whereas since as because if once when whenever after before until till unless "
    "whether despite knowing given".split()
)
"""What a clause begins with that may stand before its main clause."""
_STOPS = frozenset(";:.[]–—(…,")
_SHORTEST_CLAUSE = 3
_PREDICATES = t.PAST | t.HEALTHY | t.FINE | t.SAFE | t.GUARDED | t.DONE | t.BASE
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


class _Reader:
    """Reads a group from its predicate to the left, word by word."""

    __slots__ = (
        "being",
        "finite",
        "future",
        "index",
        "negated",
        "past",
        "possible",
        "seen",
        "sentence",
        "start",
    )

    def __init__(self, sentence: Sentence, index: int) -> None:
        self.sentence = sentence
        self.index = index
        self.start = index
        self.negated = self.finite = self.past = self.seen = False
        self.being = self.future = self.possible = False

    def denial(self, at: int) -> bool:
        words = self.sentence.words
        if words[at] == "but" and at and words[at - 1] == "anything":
            self.negated, self.start = True, at - 1
            return True
        if words[at] not in _DENIALS:
            return False
        self.negated = self.negated or words[at + 1] not in _NOT_ONLY
        self.start = at
        return True

    def auxiliary(self, at: int) -> bool:
        word, tag = self.sentence.words[at], self.sentence.tags[at]
        if word == "'s" and not self.finite:
            tag |= t.BE
        if not tag & _AUXILIARY or (self.finite and not tag & _BEFORE_FINITE):
            return False
        self.start, self.seen = at, True
        self.being = self.being or bool(tag & t.BEING)
        self.finite = self.finite or bool(tag & _FINITE)
        self.past = self.past or word in _PAST_AUXILIARIES
        self.future = self.future or bool(tag & t.WILL)
        self.possible = self.possible or bool(tag & (t.MAY | t.CAN))
        return True

    def filler(self, at: int) -> bool:
        words, tag = self.sentence.words, self.sentence.tags[at]
        longer = words[at] == "longer" or (words[at] == "no" and words[at + 1] == "longer")
        if not (tag & t.ADVERB or longer) or (tag & t.CONDITION and not self.seen):
            # "Once repaired, it runs" supposes the repair, "it was once repaired" tells of it.
            return False
        self.possible = self.possible or bool(tag & t.HEDGE)
        return True

    def group(self) -> Group:
        mood: Mood = "stated" if self.finite else "bare"
        if self.being:
            mood = "under_way"
        elif self.possible:
            mood = "possible"
        elif self.future:
            mood = "future"
        past = self.past and mood in ("stated", "under_way", "possible")
        return Group(mood, self.start, self.negated, self.finite or mood == "possible", past)


def ends_fronted(words: list[str], comma: int, *, inside: bool) -> bool:
    """Whether a comma ends a subordinate clause that stands before its main clause.

    Args:
        words: the words of the sentence.
        comma: where the comma stands.
        inside: whether the main clause has a subject of its own; without one the clause may be an aside.

    Returns:
        True for the comma of "while we look, it works", not for the second one of "it, while slow, works".
    """
    start = comma
    while start > 0 and words[start - 1] not in _STOPS:
        start -= 1
    if start > 0 and words[start - 1] == "," and not inside:
        return False
    while start < comma and words[start] in _LEADS:
        start += 1
    return words[start] in _SUBORDINATES and comma - start >= _SHORTEST_CLAUSE


def verb_group(sentence: Sentence, index: int) -> Group:
    """Read the auxiliaries to the left of a predicate.

    Args:
        sentence: the sentence.
        index: where the predicate (participle, adjective, verb, idiom) begins.

    Returns:
        The group; ``bare`` when no auxiliary belongs to the predicate.
    """
    words, tags = sentence.words, sentence.tags
    reader = _Reader(sentence, index)
    at = index - 1
    low = max(0, index - _MAX_WALK)
    while at >= low:
        tag = tags[at]
        if reader.denial(at) or reader.auxiliary(at):
            at -= 1
        elif words[at] == "to" and _governs(reader, words[at + 1], tags[index]):
            return _infinitive(sentence, at, denied=reader.negated)
        elif tag & t.COPULAR and not reader.seen:
            return _copular(sentence, at, denied=reader.negated)
        elif reader.filler(at):
            at -= 1
        elif not reader.seen and (tag & t.AND or words[at] == ","):
            at = _coordinated(sentence, at)
        else:
            break
    return reader.group()


def _governs(reader: _Reader, after: str, tag: int) -> bool:
    """Whether a "to" before ``after`` makes an infinitive of the predicate, a perfect one included."""
    perfect = after == "have" and tag & t.PAST
    return bool(perfect or (not reader.finite and (reader.seen or tag & t.BASE)))


def _infinitive(sentence: Sentence, index: int, *, denied: bool) -> Group:
    """Read the mood of a predicate from what governs the ``to`` at ``index``."""
    words, tags = sentence.words, sentence.tags
    at = index - 1
    while at >= 0 and tags[at] & t.ADVERB and words[at] not in ("yet", "still", "far", "soon"):
        at -= 1
    word = words[at] if at >= 0 else ""
    if word == "yet":
        return Group("aim", at, True, False, False)
    if word not in _REACHED and word not in _PROMISED:
        return Group("aim", index, denied, False, False)
    outer = verb_group(sentence, at)
    negated = denied or outer.negated
    said = outer.mood in ("stated", "bare")
    mood: Mood = "aim"
    if word in _PROMISED:
        mood = "future" if outer.finite and said and not outer.negated else "aim"
    elif outer.mood == "future":
        mood = "future"
    elif said and (outer.finite or word != "able"):
        mood = "stated"
    return Group(mood, outer.start, negated, mood != "aim", False)


def _copular(sentence: Sentence, at: int, *, denied: bool) -> Group:
    """Read a copular verb other than *be* (``got``, ``remains``) as the head of the group."""
    tag = sentence.tags[at]
    outer = verb_group(sentence, at)
    negated = denied or outer.negated
    if tag & t.GERUND and not tag & t.PAST:
        return Group("under_way", outer.start, negated, True, False)
    if outer.mood != "bare":
        return Group(outer.mood, outer.start, negated, True, outer.past)
    return Group("stated", outer.start, negated, True, bool(tag & t.PAST and not tag & t.BASE))


def _coordinated(sentence: Sentence, joint: int) -> int:
    """Return the index before the predicate that ``and``, ``or`` or a comma at ``joint`` joins on, or -1."""
    words, tags = sentence.words, sentence.tags
    if words[joint] == "," and ends_fronted(words, joint, inside=False):
        return -1
    at = joint - 1
    if at >= 0 and words[at] == "," != words[joint]:
        at -= 1
    before = at - 1
    while before > 0 and tags[before] & t.ADVERB:
        before -= 1
    if before >= 0 and (tags[before] & (t.BE | t.BEEN) or words[before] == "'s"):
        return at - 1
    if at >= 0 and (words[at].endswith(("ed", "en")) or tags[at] & _PREDICATES):
        return at - 1
    return -1
