"""Claims that only restate what the original says, in words that make no claim there."""

from __future__ import annotations

from collections.abc import Collection

from redpen.guards.claims import tags as t
from redpen.guards.claims.about import thing
from redpen.guards.claims.content import is_content
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.supported import is_plain

_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER | t.WILL
_DENIED = t.NOT | t.NO
_CHANGED = frozenset("again back now already since finally fully no more once longer without".split())
"""Words by which the same words tell of a change."""
_TERMS = frozenset("insured".split())
"""Words that tell a rule, which stays the same, and no state of things."""
_POINTS = frozenset(("us",))
"""Words of content by their tags that name nothing."""
_FORMS = t.PAST | t.GERUND
_NEW_SUBJECT = t.DETERMINER | t.PRONOUN | t.AGENT
_REACHES_OVER = frozenset((",", ")"))
"""Marks that end a clause and not what a denial or a hedge before it reaches."""
_BY_TURN = frozenset(("guarantee", "liability"))
_TURN = 3
_AT_WHICH = frozenset("when after once although though while whenever until before".split())
"""What begins a clause that tells when something is so, or in spite of what."""
_SAID_OF_IT = frozenset(("=incident",))


def is_restated(claim: Claim, revised: str, original: str) -> bool:
    """Whether a sentence of the original holds the very words of a claim without claiming anything.

    What the rules read as a claim in one order of words and not in the other is no news: "results from the
    lab are running late" for "lab results are running late". A denial, a condition, a hedge or a word of
    change on one side alone makes it news.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
    """
    sentence = next((item for item in read_sentences(revised) if _holds(item, claim)), None)
    if sentence is None:
        return False
    said = _words(sentence, claim.start, claim.end)
    if claim.family == "cause" and _is_occasion(sentence, claim) and _holds_all(original, said):
        return True
    if said <= _POINTS or not said.isdisjoint(_CHANGED) or is_plain(said):
        return False
    mood, rule = _mood(sentence), not said.isdisjoint(_TERMS)
    # One word of content may stand in any turn ("we answer questions", "it is we who answer for it").
    held = frozenset(sentence.words[at] for at in sentence.within(claim.start, claim.end))
    turn = held if claim.family in _BY_TURN and len(said) == 1 and len(held) >= _TURN else said
    return any(
        turn <= before.vocabulary
        and (rule or not _claims(before, original, claim.family))
        and ((said <= before.vocabulary and _mood(before) == mood) or _says_clause(before, sentence, claim))
        for before in read_sentences(original)
    )


def _is_occasion(sentence: Sentence, claim: Claim) -> bool:
    """Whether a claim stands in a clause that tells when, or in spite of what ("after it is unplugged")."""
    places = sentence.within(claim.start, claim.end)
    start, _ = _clause(sentence, places[0], places[-1])
    return not _AT_WHICH.isdisjoint(sentence.words[max(0, start - 1) : places[0]])


def _holds_all(original: str, said: frozenset[str]) -> bool:
    """Whether a sentence of the original tells the same occasion in the same words."""
    return any(
        said <= before.vocabulary and not _AT_WHICH.isdisjoint(before.vocabulary)
        for before in read_sentences(original)
    )


def _says_clause(before: Sentence, sentence: Sentence, claim: Claim) -> bool:
    """Whether one clause of ``before`` holds a claim of ``sentence``, in the same tense, voice and mood."""
    places = sentence.within(claim.start, claim.end)
    start, end = _clause(sentence, places[0], places[-1])
    said = _forms(sentence, places[0], places[-1] + 1)
    mood, about = _reached(sentence, start, end), claim.about - _SAID_OF_IT
    at = 0
    while at < len(before.words):
        begin, stop = _clause(before, at, at)
        at = max(stop, at) + 1
        if (
            said <= _forms(before, begin, stop)
            and _reached(before, begin, stop) == mood
            and about <= frozenset(map(thing, before.words[begin:stop]))
        ):
            return True
    return False


def _forms(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return what stands for the words of content: stems, but participles as they are."""
    words, tags = sentence.words, sentence.tags
    return frozenset(
        words[at] if tags[at] & _FORMS else stem(words[at])
        for at in range(start, end)
        if is_content(words[at], tags[at]) or words[at] in _CHANGED
    )


def _clause(sentence: Sentence, first: int, last: int) -> tuple[int, int]:
    """Return where the clause around some words begins and ends."""
    start, end = first, last + 1
    while start > 0 and not _ends_clause(sentence, start - 1):
        start -= 1
    while end < len(sentence.words) and not _ends_clause(sentence, end):
        end += 1
    return start, end


def _ends_clause(sentence: Sentence, at: int) -> bool:
    tags = sentence.tags
    if sentence.words[at] in CLAUSE_MARKS or tags[at] & t.BUT:
        return True
    return bool(tags[at] & t.AND and at + 1 < len(tags) and tags[at + 1] & _NEW_SUBJECT)


def _reached(sentence: Sentence, start: int, end: int) -> tuple[bool, bool, bool, bool]:
    """Return the mood of a clause with what reaches it from before, see ``_mood_of``."""
    while start > 0 and (sentence.words[start - 1] in _REACHES_OVER or not _ends_clause(sentence, start - 1)):
        start -= 1
    mask = 0
    for tag in sentence.tags[start:end]:
        mask |= tag
    return _mood_of(mask, sentence.words[start:end])


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.span(0, -1)


def _holds(sentence: Sentence, claim: Claim) -> bool:
    start, end = _span(sentence)
    return start <= claim.start and claim.end <= end


def _words(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the words of content, and those of change, between two places of the text."""
    words, tags = sentence.words, sentence.tags
    return frozenset(
        words[at]
        for at in sentence.within(start, end)
        if is_content(words[at], tags[at]) or words[at] in _CHANGED
    )


def _mood(sentence: Sentence) -> tuple[bool, bool, bool, bool]:
    return _mood_of(sentence.mask, sentence.vocabulary)


def _mood_of(mask: int, words: Collection[str]) -> tuple[bool, bool, bool, bool]:
    """Return whether words are open, denied, told as a change, told as under way or to be done."""
    under_way = bool(mask & t.BEING) or "be" in words
    return bool(mask & _OPEN), bool(mask & _DENIED), not _CHANGED.isdisjoint(words), under_way


def _claims(sentence: Sentence, original: str, family: str) -> bool:
    start, end = _span(sentence)
    return any(
        given.family == family and start < given.end and given.start < end for given in find_claims(original)
    )
