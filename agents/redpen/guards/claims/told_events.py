"""Events that nothing supports: something that is named nowhere else did something."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_nouns import asks_for
from redpen.guards.claims.actor_words import no_actors
from redpen.guards.claims.content import content
from redpen.guards.claims.own_doings import does_no_harm
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import Clause, Known, head_of
from redpen.guards.claims.told_states import is_routine

_GOOD = t.ENDS | t.ENDS_PROBLEM | t.RESUMES | t.RUNS | t.HEALTHY | t.FINE | t.REPAIR | t.BEEN | t.ACHIEVES
_HOW_MANY = frozenset("hundred thousand million dozen hundreds thousands dozens plenty lots".split())
"""Numbers, which are judged as facts."""
_PARTS_WITH = frozenset(("left", "let", "had"))
_NO_NEW_ACTOR = t.AGENT | t.PRONOUN | t.PROBLEM


def tells_new_event(sentence: Sentence, clause: Clause, known: Known) -> bool:
    """Whether a clause tells that something did something of which nothing else speaks ("mice chewed it")."""
    tags = sentence.tags
    begin, end = head_of(sentence, clause)
    subject = content(sentence, begin, end)
    # The perfect tells how things stand now ("the graph has turned green"), unless what is named nowhere
    # did it ("snow has packed the gates").
    struck = clause.tense == "perfect" and not clause.mask & _GOOD
    happened = (clause.tense in ("past", "pluperfect") or struck) and not clause.mask & t.WILL
    if not happened or not subject or is_routine(sentence, clause):
        return False
    if _tells_no_doing(sentence, clause):
        return False
    if sentence.words[clause.end - 2 : clause.end] == ["by", "us"]:
        # What we did ourselves is an admission, which others look for.
        return False
    if clause.mask & t.COMMUNICATES or any(tag & _NO_NEW_ACTOR for tag in tags[begin:end]):
        return False
    named = frozenset(sentence.words[begin:end])
    if not _HOW_MANY.isdisjoint(named):
        return False
    return named.isdisjoint(no_actors()) and subject.isdisjoint(known.all | talk_stems() | trouble_stems())


def _tells_no_doing(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause asks for something, has no verb of its own, or tells what something has or left.

    "Leave unapproved what looks odd"; "supplies being limited"; "the wing has had cold showers"; "trains left
    the station late".
    """
    words, tags = sentence.words, sentence.tags
    verb = clause.verb
    if asks_for(sentence, clause.start, verb) or words[verb : verb + 2] in (["has", "had"], ["have", "had"]):
        return True
    if tags[verb] & (t.BE | t.HAVE | t.DO | t.WILL):
        return False
    if any(tag & t.BEING for tag in tags[clause.start : verb + 1]) or words[verb + 1 : verb + 2] == ["by"]:
        return True
    return words[verb] in _PARTS_WITH and does_no_harm(sentence, verb, clause.end)
