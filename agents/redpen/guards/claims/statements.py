"""How a predicate is said: stated as so, promised for later, or neither."""

from __future__ import annotations

from typing import Literal, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.fronted import FREE_RELATIVES
from redpen.guards.claims.patterns import CLAUSE_MARKS, clause_around
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import Reach, reach, subject_words
from redpen.guards.claims.verbgroup import Group, verb_group

Force = Literal["stated", "promised", "denied", "open"]
"""Said as so; said as sure to come; said as not so; said as possible, aimed at, under way or conditional."""

_CAUSATIVE = frozenset(
    "get got gets getting have having see want need like keep bring brought make made put".split()
)
_ACHIEVED = frozenset(
    "finished finish completed complete done succeeded finalised finalized stopped ceased quit after".split()
)
_ESTIMATED = frozenset(
    "estimate estimates estimated estimation eta approximate expectation tentative tentatively provisional "
    "hopefully expected subject forecast".split()
)
_THINK = frozenset("think thinks reckon reckons guess suppose".split())
_PRESENT = frozenset("have put consider deem".split())
"""Verbs whose infinitive form, without an auxiliary, is taken as the present."""
_OPENS_CONDITION = frozenset("when if once after until unless provided assuming whenever".split())
_NO = frozenset("no not none pending false never unknown open tbd".split())
_RELATIVE = frozenset(("that", "which", "who"))
_EMPHATIC = frozenset(("do", "does", "did"))
"""What tells in a relative clause that others do not ("the readings that do arrive")."""
_INDEFINITE = frozenset("a an any each every those anyone anybody anything whatever whoever".split())
_PARTS = frozenset(",;–—()")
_DENIES = frozenset("it they this that he she we i".split())
_WE = frozenset(("we", "i"))
_SAYS = frozenset("promise guarantee say tell confirm know".split())
_FINITE = t.BE | t.HAVE | t.DO | t.CAN | t.WILL
_BEYOND = frozenset("more further other".split())
_ABLE = frozenset("can could may might dare".split())
_COUNTS = frozenset("half third one two three four five six seven eight nine ten".split())
_SPEAKERS = frozenset("we you i they".split())
_FEW = 2
_MAX_OBJECT = 6
_MAX_AFTER = 14
_MAX_NOUN = 4


class Statement(NamedTuple):
    """A predicate with its force.

    Attributes:
        force: how it is said.
        group: its verb group.
        reach: what reaches it from the left.
    """

    force: Force
    group: Group
    reach: Reach


def _governor(sentence: Sentence, start: int) -> int:
    """Return the verb that brings a bare predicate about ("bring *sign-in* back"), or -1."""
    words, tags = sentence.words, sentence.tags
    at = start - 1
    low = max(0, start - _MAX_OBJECT)
    while at >= low:
        word, tag = words[at], tags[at]
        if word in CLAUSE_MARKS or tag & (t.BUT | t.BE | t.WILL | t.CAN | t.CONDITION | t.HARD_CONDITION):
            return -1
        if word in _CAUSATIVE or (tag & (t.CARRIES | t.MARK) and tag & t.ANY_FORM):
            return at
        at -= 1
    return -1


def _by_governor(sentence: Sentence, at: int) -> Group:
    """Read the mood of a bare predicate from the verb that brings it about."""
    tag = sentence.tags[at]
    outer = verb_group(sentence, at)
    if tag & t.GERUND and not tag & t.PAST:
        achieved = at > 0 and sentence.words[at - 1] in _ACHIEVED
        return outer._replace(mood="stated" if achieved else "under_way")
    if outer.mood != "bare":
        return _marked(sentence, at, outer) if tag & t.MARK else outer
    aim = tag & t.BASE and not tag & t.PAST and sentence.words[at] not in _PRESENT
    return outer._replace(mood="aim" if aim else "stated")


def _marked(sentence: Sentence, at: int, outer: Group) -> Group:
    """Read "we will call it resolved" (not yet) and "it can be considered resolved" (so it is)."""
    if outer.mood == "future":
        return outer._replace(mood="under_way")
    can = outer.mood == "possible" and "can" in sentence.words[outer.start : at]
    return outer._replace(mood="stated") if can else outer


def _gerund(sentence: Sentence, index: int, group: Group) -> Group:
    words, tags = sentence.words, sentence.tags
    before = index - 1
    while before >= 0 and tags[before] & t.ADVERB:
        before -= 1
    if before >= 0 and words[before] in ("in", "with", "of") and before:
        before -= 1
    if before >= 0 and words[before] in _ACHIEVED and words[before] != "after":
        outer = verb_group(sentence, before)
        return outer._replace(mood="stated" if outer.mood in ("stated", "bare") else outer.mood)
    return group._replace(mood="under_way") if group.mood in ("stated", "bare") else group


def _verb_mood(sentence: Sentence, index: int, group: Group, *, at_work: bool) -> Group:
    """Refine the mood by the form of the word itself."""
    tag = sentence.tags[index]
    if tag & t.GERUND and not at_work and not tag & t.PAST:
        return _gerund(sentence, index, group)
    if group.mood != "bare":
        return group
    predicate = tag & t.PAST or not tag & t.ANY_FORM or tag & (t.HEALTHY | t.DONE)
    if not predicate and not (at_work and tag & t.RUNS):
        return group._replace(mood="stated" if tag & t.THIRD else "aim")
    governor = -1 if group.negated else _governor(sentence, group.start)
    if governor >= 0 and (predicate or not tag & t.THIRD):
        return _by_governor(sentence, governor)
    past = bool(predicate and tag & t.PAST) and not tag & t.BASE and index > 0
    # "Once repaired, it runs": a participle without a subject, and no past.
    past = past and not sentence.tags[index - 1] & (t.CONDITION | t.HARD_CONDITION)
    return group._replace(mood="stated", past=past)


def _estimated(sentence: Sentence, index: int) -> bool:
    """Whether the sentence marks what it says is to come as an estimate."""
    words = sentence.words
    return any(words[at] in _ESTIMATED for at in range(index, len(words)))


def _depends(sentence: Sentence, index: int) -> bool:
    """Whether a condition follows what is to come ("we will close it only when payments are stable")."""
    words, tags = sentence.words, sentence.tags
    for at in range(index + 1, min(len(words), index + _MAX_AFTER)):
        if words[at] in CLAUSE_MARKS and words[at] != ",":
            return False
        if words[at] in _OPENS_CONDITION or (
            words[at] in ("as", "long") and words[at + 1 : at + 2] == ["soon"]
        ):
            return not tags[at] & t.ADVERB or words[at + 1 : at + 2] not in (["again"], ["more"])
    return False


def _marked_no(sentence: Sentence, index: int) -> bool:
    """Whether the predicate is a label that is answered in the negative ("Resolved: no")."""
    words = sentence.words
    return words[index + 1 : index + 2] == [":"] and not _NO.isdisjoint(words[index + 2 : index + 4])


def any_such(sentence: Sentence, start: int) -> bool:
    """Whether a predicate describes any one of a kind ("a card that is in order").

    Args:
        sentence: the sentence.
        start: where the verb group of the predicate begins.
    """
    words = sentence.words
    if words[start - 1 : start] == ["what"] and (start > 1 or ":" in words[start:]):
        return True
    if "which" in sentence.vocabulary and _is_asked_of(sentence, start):
        return True
    if not FREE_RELATIVES.isdisjoint(sentence.vocabulary) and _is_free(sentence, start):
        return True
    if not start or words[start - 1] not in _RELATIVE:
        return False
    noun = range(start - 2, max(-1, start - 2 - _MAX_NOUN), -1)
    return words[start] in _EMPHATIC or _is_any(sentence, noun)


def _is_asked_of(sentence: Sentence, start: int) -> bool:
    """Whether it is asked which ones a predicate is true of ("sorting out which reminders were right")."""
    words, tags = sentence.words, sentence.tags
    begin, end = subject_words(sentence, start)
    at = next((k for k in range(begin, end - 1) if words[k] == "which"), -1)
    if at < 1 or words[at - 1] in _PARTS or (tags[at - 1] & t.PREPOSITION and not tags[at - 1] & t.ADVERB):
        return False
    return not any(tags[k] & (t.ANY_FORM | t.COMPLEMENT) for k in range(at + 1, end))


def _is_free(sentence: Sentence, start: int) -> bool:
    """Whether the subject before ``start`` leaves open what it is ("whatever lines have been mended")."""
    begin, end = subject_words(sentence, start)
    return not FREE_RELATIVES.isdisjoint(sentence.words[begin : min(end, begin + 2)])


def _is_any(sentence: Sentence, noun: range) -> bool:
    """Whether the noun at some places, read from its end, is any one of its kind ("a card", "those")."""
    words = sentence.words
    for at in noun:
        if sentence.tags[at] & t.DETERMINER or words[at] in _INDEFINITE:
            return words[at] in _INDEFINITE
        if words[at] in CLAUSE_MARKS:
            return False
    return False


def _doubted(sentence: Sentence, start: int, index: int) -> bool:
    """Whether what is said is only the subject of a doubt ("to say that it is fixed would be premature")."""
    words, tags = sentence.words, sentence.tags
    if not any(tags[at] & t.COMPLEMENT for at in range(max(0, start - _MAX_AFTER), start)):
        return False
    for at in range(index + 1, min(len(words) - 1, index + _MAX_AFTER)):
        if words[at] in CLAUSE_MARKS:
            return False
        if tags[at] & (t.BE | t.MAY) and any(tags[k] & t.NOT for k in range(at + 1, min(len(words), at + 4))):
            return True
        if tags[at] & t.BE and _is_beyond_us(words, at + 1):
            return True
    return False


def _is_beyond_us(words: list[str], at: int) -> bool:
    """Whether it is said of what stands before ``at`` that nobody can say so ("more than we can promise")."""
    after = words[at : at + _MAX_AFTER]
    if after[1:2] == ["than"] and after[0] in _BEYOND:
        return not _ABLE.isdisjoint(after)
    return after[:1] == ["beyond"] or after[1:2] == ["guess"] or after[2:3] == ["guess"]


def _denied_after(sentence: Sentence, index: int) -> bool:
    """Whether a clause after the predicate says that it is not so, or that we cannot say so.

    "I wish I could say that it has recovered, but it has not"; "that it will end, we cannot promise".
    """
    words, tags = sentence.words, sentence.tags
    for at in range(index + 1, min(len(words) - 2, index + _MAX_AFTER)):
        if words[at] not in _PARTS and not tags[at] & t.BUT:
            continue
        begin = at + 1
        while begin < len(words) - 2 and (tags[begin] & (t.AND | t.BUT | t.ADVERB) or words[begin] in _PARTS):
            begin += 1
        told_off = begin + 2 < len(words) and tags[begin + 1] & _FINITE and words[begin + 2] == "not"
        if words[begin] not in _DENIES or not told_off:
            continue
        end = begin + 3
        while end < len(words) and tags[end] & t.ADVERB:
            end += 1
        ends = end >= len(words) or words[end] in CLAUSE_MARKS
        told = words[begin] in _WE and end < len(words) and words[end] in _SAYS and _at_end(words, end + 1)
        # "We would like to say that it is so; today we cannot."
        told = told or (ends and not _SAYS.isdisjoint(words[:index]))
        if told or (ends and words[begin] not in _WE):
            return True
    return False


def _so_far(sentence: Sentence) -> bool:
    """Whether only a part is told of ("half of the servers have been patched so far")."""
    words = sentence.words
    counted = sentence.mask & (t.NUMBER | t.PARTIAL) or not _COUNTS.isdisjoint(sentence.vocabulary)
    return bool(counted) and "far" in words[1:] and words[words.index("far", 1) - 1] == "so"


def _reduced(sentence: Sentence, index: int) -> bool:
    """Whether a bare participle only tells which one is meant ("the messages received by some of you")."""
    words, tags = sentence.words, sentence.tags
    if words[index + 1 : index + 2] != ["by"] or index + 2 >= len(words) or not index:
        return False
    if not tags[index] & t.PAST or not tags[index + 2] & (t.DETERMINER | t.PARTIAL):
        return False
    start, end = clause_around(words, tags, index, index + 1)
    another = words[start] in _SPEAKERS and index - start > _FEW
    return another or any(
        tags[at] & (_FINITE | t.MAY) for at in (*range(start, index), *range(index + 2, end))
    )


def _at_end(words: list[str], at: int) -> bool:
    return at >= len(words) or words[at] in CLAUSE_MARKS or words[at] in ("yet", "you")


def state(sentence: Sentence, index: int, *, at_work: bool = False) -> Statement:
    """Read how the predicate at ``index`` is said.

    Args:
        sentence: the sentence.
        index: where the predicate begins.
        at_work: whether going on is the good state itself ("is working"), and not
            its prelude ("is resolving").

    Returns:
        Its force, with the verb group and the reach that give it.
    """
    group = _verb_mood(sentence, index, verb_group(sentence, index), at_work=at_work)
    reached = reach(sentence, group)
    if sentence.words[max(0, group.start - 2) : group.start] == ["let", "alone"]:
        return Statement("denied", group, reached)
    if (
        any_such(sentence, group.start)
        or _marked_no(sentence, index)
        or _doubted(sentence, group.start, index)
        or _denied_after(sentence, index)
        or _so_far(sentence)
        or (group.mood == "stated" and not group.finite and _reduced(sentence, index))
    ):
        return Statement("open", group, reached)
    if reached.conditional or (reached.hedged and not reached.negated):
        return Statement("open", group, reached)
    if reached.negated:
        return Statement("denied", group, reached)
    if group.mood == "future":
        thought = not _THINK.isdisjoint(sentence.words[: group.start])
        open_yet = thought or _estimated(sentence, index) or _depends(sentence, index)
        force: Force = "open" if open_yet else "promised"
        return Statement(force, group, reached)
    return Statement("stated" if group.mood in ("stated", "bare") else "open", group, reached)
