"""Good states that nothing supports: short statements that what is affected is as it should be."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import Clause, Known, head_of, is_past
from redpen.guards.claims.word_classes import WORD_CLASSES

_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_READERS = frozenset(WORD_CLASSES["readers"].split())
_NEWS = frozenset(
    "news update updates notice report reports information bulletin summary statement message".split()
)
_BY_HAND = frozenset("hand manually crew crews volunteers courier couriers".split())


def tells_good_state(sentence: Sentence, clause: Clause, known: Known) -> bool:
    """Whether a clause that nothing supports says of what is affected that something good holds now."""
    words, tags = sentence.words, sentence.tags
    begin, end = head_of(sentence, clause)
    if clause.past or clause.mask & t.WILL or words[begin] in _READERS:
        return False
    if any(tag & t.AGENT for tag in tags[begin:end]):
        return False
    subject = content(sentence, begin, end)
    if _is_talk(sentence, clause, subject - known.all) or is_routine(sentence, clause):
        return False
    says = content(sentence, clause.verb, clause.end) - talk_stems()
    good = not clause.mask & (_TROUBLE | t.PARTIAL) and says.isdisjoint(trouble_stems())
    return good and not says <= known.all and not subject.isdisjoint(known.all)


def _is_talk(sentence: Sentence, clause: Clause, strange: frozenset[str]) -> bool:
    """Whether a clause, with words in its subject that nothing holds, is news or talk about the incident."""
    words = sentence.words[clause.start : clause.end]
    if clause.mask & t.COMMUNICATES or "yet" in words:
        return True
    return not strange.isdisjoint(talk_stems()) or not _NEWS.isdisjoint(words[: clause.verb - clause.start])


def is_routine(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells who does what by hand, as long as the trouble lasts."""
    words, tags = sentence.words, sentence.tags
    if not _BY_HAND.isdisjoint(words[clause.start : clause.end]):
        return True
    return any(
        words[at] == "by" and is_past(words[at - 1], tags[at - 1]) and not clause.past
        for at in range(clause.verb + 1, clause.end)
    )
