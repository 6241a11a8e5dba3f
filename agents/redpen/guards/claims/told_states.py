"""Good states that nothing supports: short statements that what is affected is as it should be."""

from __future__ import annotations

from itertools import pairwise

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Clause, Known, head_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past

_READERS = frozenset("you your yours customers customer users user readers guests members everyone".split())
_REFERRING = frozenset("it they these those this that".split())
_ALL = frozenset("everything all things".split())
_DECIDES = frozenset(
    (
        *(("last", "word"), ("final", "word"), ("final", "say"), ("last", "say")),
        *(("goes", "on"), ("go", "on"), ("going", "on")),
    )
)
"""Words of who decides, and of what is not at its end."""
_SHORTEST = 3
_DUMMY = frozenset("it this that".split())
_NEWS = frozenset(
    "investigation inquiry review probe news update updates notice report reports information "
    "bulletin summary statement message".split()
)
_CONCERNS = frozenset(
    "status priority severity concern concerns touches applies affects affect hits means involves "
    "involve covers".split()
)
"""Words that tell what something is about, meets or is rated, and nothing of its state."""
_NO_TALK = frozenset(("car",))
"""Stems that cars share with care."""
_BY_HAND = frozenset("hand manually crew crews volunteers courier couriers".split())
_NOT_NEW = frozenset(
    "yet still remain remains only instead meanwhile meantime currently likewise besides rather so too "
    "story far date due".split()
)
"""Words of what goes on as it was, or stands in for something."""
_GOES_ON = frozenset("keep keeps keeping kept continue continues continuing continued long times".split())
"""Words of what goes on, lasts or is so many times as before."""
_IN_HAND = frozenset("progress way works hand review investigation care place charge touch course".split())
"""What is said to be in, on or under something while it lasts ("a fix is in the works")."""


def tells_good_state(sentence: Sentence, clause: Clause, known: Known, before: Sentence | None) -> bool:
    """Whether a clause beside trouble put into the past says that something good holds now.

    Args:
        sentence: the sentence.
        clause: the clause.
        known: what a revision may restate.
        before: the sentence before, which a pronoun may refer to.
    """
    begin, end = head_of(sentence, clause)
    subject = content(sentence, begin, end)
    if not _may_be_good(sentence, clause, subject - known.all, over=True):
        return False
    gone = clause.tense == "perfect"
    if tells_trouble(sentence, clause.verb if gone else clause.start, clause.end):
        return False
    first = sentence.words[begin]
    if first in _REFERRING and end - begin == 1:
        return _refers_to_trouble(sentence, clause, over=True, before=before)
    if first in _READERS and first != "your":
        return False
    return not clause.turned or not subject.isdisjoint(affected(known))


def tells_bright_state(sentence: Sentence, clause: Clause, known: Known, before: Sentence | None) -> bool:
    """Whether a clause with a word of a good state says so of what is affected, and now.

    Args:
        sentence: the sentence.
        clause: the clause.
        known: what a revision may restate.
        before: the sentence before, which a pronoun may refer to.
    """
    begin, end = head_of(sentence, clause)
    subject = content(sentence, begin, end)
    if not _may_be_good(sentence, clause, subject - known.all, over=False):
        return False
    says = sentence.words[clause.verb : clause.end]
    counted = any(tag & t.NUMBER for tag in sentence.tags[clause.verb : clause.end])
    if counted or not _GOES_ON.isdisjoint(says) or tells_trouble(sentence, clause.verb, clause.end):
        return False
    first = sentence.words[begin]
    if first in _REFERRING and end - begin == 1:
        return _refers_to_trouble(sentence, clause, over=False, before=before)
    if first in _READERS and first != "your":
        return False
    if first == "your" or first in _ALL:
        return True
    # Of things that are not in trouble good things are told in honest news too.
    plainly = sentence.tags[clause.verb] & t.BE or clause.tense == "perfect"
    return not subject.isdisjoint(known.all if plainly else affected(known))


def affected(known: Known) -> frozenset[str]:
    """Return the stems of what is told of only in trouble, in some sentence.

    Args:
        known: what a revision may restate.
    """
    return frozenset().union(*(told.stems - told.fine for told in known.sentences))


def _may_be_good(sentence: Sentence, clause: Clause, strange: frozenset[str], *, over: bool) -> bool:
    """Whether tense, subject and kind of a clause are those of a good state that holds now."""
    if clause.tense in ("past", "pluperfect") or clause.mask & (t.WILL | t.BEING | t.PARTIAL):
        return False
    begin, end = head_of(sentence, clause)
    if any(tag & t.AGENT for tag in sentence.tags[begin:end]) or _lasts(sentence, clause):
        return False
    if _is_talk(sentence, clause, strange) or is_routine(sentence, clause):
        return False
    supposed = clause.tense == "present" and _is_supposed(sentence, clause.start)
    return not supposed and (over or not is_done_to(sentence, clause))


def _refers_to_trouble(sentence: Sentence, clause: Clause, *, over: bool, before: Sentence | None) -> bool:
    """Whether the pronoun that is the subject of a clause takes up what is affected."""
    first = sentence.words[clause.start]
    if first in _DUMMY and (sentence.tags[clause.verb] & t.BE or (first != "it" and not over)):
        return False
    if clause.start > 1:
        return over or tells_trouble(sentence, 0, clause.start - 1)
    if before is None or before.mask & t.COMMUNICATES:
        return False
    return over or tells_trouble(before, 0, len(before.words))


def _is_supposed(sentence: Sentence, start: int) -> bool:
    """Whether a condition stands before the clause at ``start`` ("once it is mended, the gates open")."""
    words, tags = sentence.words, sentence.tags
    if start < _SHORTEST or words[start - 1] != ",":
        return False
    begin = next((at + 1 for at in range(start - 2, -1, -1) if words[at] in CLAUSE_MARKS), 0)
    opens = tags[begin] & (t.CONDITION | t.HARD_CONDITION) or words[begin] in ("as", "with", "where")
    if tags[begin] & t.HARD_CONDITION or (opens and any(tag & t.HAVE for tag in tags[begin:start])):
        return True
    return bool(opens) and not any(is_past(words[at], tags[at]) for at in range(begin, start - 1))


def is_done_to(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells in the present what is done as a rule ("tours can be borrowed")."""
    words, tags = sentence.words, sentence.tags
    if clause.tense != "present" or not tags[clause.verb] & (t.BE | t.CAN):
        return False
    after = [at for at in range(clause.verb + 1, clause.end) if not tags[at] & (t.ADVERB | t.BEEN)]
    return bool(after) and is_past(words[after[0]], tags[after[0]])


def goes_on(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells what goes on, or is in hand, while the trouble lasts."""
    return _lasts(sentence, clause) or is_routine(sentence, clause)


def _lasts(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells what goes on, or is in hand, while the trouble lasts."""
    words, tags = sentence.words, sentence.tags
    if not _NOT_NEW.isdisjoint(words[clause.start : clause.end + 1]):
        return True
    return any(
        words[at] in _IN_HAND and tags[at - 1] & (t.PREPOSITION | t.DETERMINER)
        for at in range(clause.verb + 1, clause.end)
    )


def _is_talk(sentence: Sentence, clause: Clause, strange: frozenset[str]) -> bool:
    """Whether a clause, with words in its subject that nothing holds, is news or talk about the incident."""
    words, tags = sentence.words[clause.start : clause.end], sentence.tags
    # "Scanners read every code" tells nobody anything.
    told = [at for at in range(clause.verb, clause.end) if tags[at] & t.COMMUNICATES]
    if tags[clause.start] & t.COMMUNICATES and not is_past(words[0], tags[clause.start]):
        return True
    by_things = told and not strange and clause.verb <= told[-1] <= clause.verb + 1
    if "tell" in words and "you" in words[words.index("tell") :]:
        return True
    if (told and not by_things) or not _CONCERNS.isdisjoint(words) or _leaves_it_to(words):
        return True
    return not strange.isdisjoint(talk_stems() - _NO_TALK) or not _NEWS.isdisjoint(
        words[: clause.verb - clause.start]
    )


def _leaves_it_to(words: list[str]) -> bool:
    """Whether a clause says who decides, or that something may come ("the sea has the last word")."""
    if "where" in words[1:]:
        return True
    if words[-1:] == ["possible"] and words[0] in ("one", "a", "an", "some", "another"):
        return True
    return any(pair in _DECIDES for pair in pairwise(words))


def is_routine(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells who does what by hand, as long as the trouble lasts."""
    words, tags = sentence.words, sentence.tags
    if not _BY_HAND.isdisjoint(words[clause.start : clause.end]):
        return True
    return any(
        words[at] == "by" and is_past(words[at - 1], tags[at - 1]) and clause.tense == "present"
        for at in range(clause.verb + 1, clause.end)
    )
