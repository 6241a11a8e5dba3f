"""Good states told by a bright word: what is affected goes smoothly, is quick, purrs, is in trim.

A clause that says so of what is affected is a claim, however many of its other words are known.
"""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Clause, Known, main_clauses, mask_of
from redpen.guards.claims.told_bright_words import (
    bright_words,
    conditions,
    cues,
    deeds,
    kinds,
    manners,
    pairs,
    turns,
)
from redpen.guards.claims.told_verbs import is_past, main_verb

_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO
_NEAR = 2
_RIGHT_NOW = (["now"], ["after"], ["before"], ["here"], ["there"], ["at"], ["in"], ["next"], ["up"], ["down"])
"""What follows "right" where it tells when or where."""


def _is_limited(sentence: Sentence, end: int) -> bool:
    """Whether a word for trouble follows the clause, without a subject of its own (", but late")."""
    words, tags = sentence.words, sentence.tags
    at = next((k for k in range(end, min(end + _NEAR, len(words))) if tags[k] & t.BUT), -1)
    return 0 <= at < len(words) - 1 and bool(tags[at + 1] & (t.BAD | t.HINDERS | t.PARTIAL))


def shines(sentence: Sentence, clause: Clause) -> int:
    """Return where a word stands in the predicate of a clause that tells of a good state, or -1."""
    return next((at for at in range(clause.verb, clause.end) if _shines_at(sentence, clause, at)), -1)


def _shines_at(sentence: Sentence, clause: Clause, at: int) -> bool:
    """Whether the word at ``at`` tells of a good state, and of no aim ("what we can to get it on track")."""
    words = sentence.words
    if "what" in words[clause.verb : at] and "to" in words[clause.verb : at]:
        return False
    word = words[at]
    if (word in manners() and words[at - 1] != "as") or (words[at - 1], word) in pairs():
        return True
    if (word in kinds() and _is_said(sentence, at, clause.end)) or (
        word in deeds() and _is_deed(sentence, at)
    ):
        return True
    came, round_ = turns()
    if word in came and not round_.isdisjoint(words[at + 1 : at + 1 + _NEAR]):
        return True
    nouns, leads = conditions()
    if word in nouns and _is_condition(words, clause, at, leads):
        return True
    done = clause.tense == "perfect" and at <= clause.verb + _NEAR
    return done and (word in cues() or word == "since") and _came_about(sentence, at, clause.end)


def _is_condition(words: list[str], clause: Clause, at: int, leads: frozenset[str]) -> bool:
    """Whether the noun at ``at`` is what something is in or comes to; "in order to" is none."""
    if words[at + 1 : at + 2] == ["to"]:
        return False
    return not leads.isdisjoint(words[max(clause.verb, at - _NEAR) : at])


def _is_said(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the adjective at ``at`` is said of the subject or its object ("a great help" is none)."""
    words, tags = sentence.words, sentence.tags
    before = at - 1
    while tags[before] & t.ADVERB and not tags[before] & t.DETERMINER:
        before -= 1
    noun = at + 1 < end and is_content(words[at + 1], tags[at + 1]) and not tags[at + 1] & t.PREPOSITION
    right_now = words[at] == "right" and words[at + 1 : at + 2] in _RIGHT_NOW
    return not right_now and not (noun and words[before] in ("a", "an"))


def _is_deed(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` is a verb of what something does, and no noun or passive."""
    words, tags = sentence.words, sentence.tags
    if tags[at - 1] & (t.DETERMINER | t.PREPOSITION) and not tags[at - 1] & t.PRONOUN:
        return False
    done_to = is_past(words[at], tags[at]) and tags[at - 1] & (t.BE | t.BEEN)
    return not done_to


def _came_about(sentence: Sentence, at: int, end: int) -> bool:
    """Whether a participle that is no trouble follows "since" at ``at`` ("have since reached you")."""
    words, tags = sentence.words, sentence.tags
    if at + 1 >= end or tags[at + 1] & (t.NUMBER | t.DETERMINER | t.PRONOUN):
        return False
    after = next((k for k in range(at + 1, end) if not tags[k] & (t.BEEN | t.ADVERB)), -1)
    return after > 0 and is_past(words[after], tags[after])


@lru_cache(maxsize=1024)
def bright_clauses(sentence: Sentence) -> tuple[tuple[Clause, int], ...]:
    """Return the asserted clauses of a sentence that hold a word of a good state, with where it stands."""
    if sentence.vocabulary.isdisjoint(bright_words()):
        return ()
    tags = sentence.tags
    found = []
    for start, end in main_clauses(sentence):
        mask = mask_of(sentence, start, end)
        if mask & _OPEN:
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb <= start or tags[verb - 1] & t.AND:
            continue
        if _is_limited(sentence, end):
            continue
        clause = Clause(start, end, verb, tense, mask, False)
        at = shines(sentence, clause)
        if at >= 0:
            found.append((clause, at))
    return tuple(found)


def is_news(sentence: Sentence, clause: Clause, at: int, known: Known) -> bool:
    """Whether no sentence that is known says of the same thing what the word at ``at`` says."""
    said = stem(sentence.words[at])
    subject, says = content(sentence, clause.start, clause.verb), content(sentence, clause.start, clause.end)
    if any(says - {said} <= told.fine for told in known.sentences):
        return False
    return not any(said in told.fine and (not subject or subject & told.stems) for told in known.sentences)
