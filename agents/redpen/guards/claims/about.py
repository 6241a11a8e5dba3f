"""What a claim is about: which thing is said to be over, safe or certain, as stems of its words."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.word_classes import WORD_CLASSES

_FUNCTION = (
    t.BE | t.BEEN | t.BEING | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN | t.TO | t.NOT | t.NO | t.AND | t.NUMBER
    | t.PREPOSITION | t.ADVERB | t.CONDITION | t.HARD_CONDITION | t.GLAD | t.COPULAR | t.AGENT | t.COMPLEMENT
    | t.DETERMINER | t.PRONOUN
)  # fmt: skip
_SAME = (
    "money fund funds balance deposit cash savings",
    "data information detail details record records",
    "message messages mail email emails",
    "payment payments transaction transactions checkout",
    "order orders purchase purchases",
    "login logins sign signing log logon authentication access",
    "everything all everyone everybody every each",
    "incident issue problem outage disruption fault trouble error failure delay matter it this that",
    "update updates note notes post write inform tell share notice",
)
_ONE_OF = MappingProxyType({stem(word): f"={row.split()[0]}" for row in _SAME for word in row.split()})
_EMPTY = frozenset(
    stem(word)
    for word in "status state update currently customer customers you your earlier service services system "
    "systems news good".split()
)
_GIVING_WORDS = (
    "refund reimburse compensate waive credit pay back return get give go come send card bank time day days "
    "week month today hour minute next no charge free cost apply claim take make full part more extra "
    "additional ask request contact"
)
_ANYTHING = frozenset(("=incident", "=everything"))
_RELATIVE = frozenset(("which", "who"))
_MAX_WORDS = 12


@lru_cache(maxsize=1)
def of_giving() -> frozenset[str]:
    """Return the stems of words for what may be given, to whom and when, whatever it is for."""
    classes = ("fee", "money", "perk", "gives", "drops", "readers", "expense", "payer")
    named = [word.lstrip("~") for name in classes for word in WORD_CLASSES[name].split()]
    return frozenset(thing(word) for word in (*named, *_GIVING_WORDS.split()))


def thing(word: str) -> str:
    """Return what stands for a word in ``about``: its stem, or that of its near synonyms."""
    return same(stem(word))


def same(found: str) -> str:
    """Return what stands for a stem in ``about``."""
    return _ONE_OF.get(found, found)


def about(sentence: Sentence, claim: Claim) -> frozenset[str]:
    """Return what a claim is about.

    Args:
        sentence: the sentence that makes it.
        claim: a claim found in it.

    Returns:
        Stems of the content words of its clause that stand before it or after it, and of what is worth
        keeping in it; near synonyms share one. Empty where the clause names nothing. For a commitment, stems
        of all words of its clause that do not speak of giving.
    """
    words, places = sentence.words, sentence.within(claim.start, claim.end)
    if not places:
        return frozenset()
    first, last = places[0], places[-1]
    begin = first
    while begin > 0 and first - begin < _MAX_WORDS and not _parts(sentence, begin - 1):
        begin -= 1
    if begin > 1 and sentence.words[begin] in _RELATIVE and sentence.words[begin - 1] == ",":
        begin -= 2
        while begin > 0 and first - begin < _MAX_WORDS and not _parts(sentence, begin - 1):
            begin -= 1
    end = last + 1
    while end < len(words) and end - last < _MAX_WORDS and not _parts(sentence, end):
        end += 1
    if claim.family == "commitment":
        return _stems(sentence, range(begin, end)) - of_giving() - _ANYTHING
    named = {*range(begin, first), *(k for k in places if sentence.tags[k] & (t.SENSITIVE | t.PROBLEM))}
    if claim.offered and begin == first:
        # "The tag works as before": the claim begins with what it is about.
        named.update(k for k in places if not sentence.tags[k] & t.ANY_FORM)
    if (
        claim.family == "reassurance"
        and sentence.tags[last] & (t.BASE | t.THIRD)
        and not sentence.tags[last] & t.PAST
    ):
        # "The fault does not affect records" is about the records.
        return _stems(sentence, range(last + 1, end)) or _stems(sentence, named)
    return _stems(sentence, named) or _stems(sentence, range(last + 1, end))


def _parts(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` parts two clauses."""
    if sentence.words[at] in CLAUSE_MARKS or sentence.tags[at] & t.BUT:
        return True
    following = sentence.tags[at + 1] if at + 1 < len(sentence.tags) else 0
    return bool(sentence.tags[at] & t.AND and following & (t.DETERMINER | t.PRONOUN | t.AGENT))


def _stems(sentence: Sentence, places: set[int] | range) -> frozenset[str]:
    found = {
        stem(sentence.words[at])
        for at in places
        if sentence.words[at][0].isalpha() and not sentence.tags[at] & _FUNCTION
    }
    for at in places:
        if sentence.words[at] in ("all", "everything", "everyone", "it", "this", "that"):
            found.add(stem(sentence.words[at]))
    return frozenset(_ONE_OF.get(item, item) for item in found if len(item) > 1 and item not in _EMPTY)
