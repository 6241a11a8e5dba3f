"""Clauses that affirm what a clause of the original denies ("cards are not read", "cards are read").

A revision may drop a "not" and keep every other word, whatever the words are: no list of claims holds them
all. A clause that says nearly what a known one says, without its denial and with no other word of denial or
trouble in its place, affirms what was denied.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, own_sentences, placed_sentences
from redpen.guards.claims.told import clauses, mask_of
from redpen.guards.claims.told_trouble import is_trouble_word, tells_trouble
from redpen.guards.claims.told_verbs import main_verb

_SAYS = "the original denies this"
_DENIES = t.NOT | t.NO
_FINITE = t.BE | t.HAVE | t.CAN | t.DO
_AUXILIARY = t.BE | t.HAVE | t.CAN
_LEFT_OPEN = t.HEDGE | t.MAY
_CASES = frozenset("if when whenever once unless whether should while".split())
_ASKS = frozenset("please kindly ask urge advise".split())
_NONE = frozenset("no none nobody nothing never neither nor".split())
_NO_DENIAL = frozenset("only just merely longer least later less more doubt question matter".split())
"""Words after "not" and "no" with which nothing is denied, or another thing."""
_NEGATIVE = frozenset(
    "without unable yet hardly barely scarcely rarely seldom neither nor none nobody nothing never nowhere "
    "unknown unclear uncertain undecided unconfirmed unresolved unfinished untouched unavailable unsettled "
    "impossible incomplete inaccessible open pending outstanding missing lacking absent fail fails failed "
    "failing refuse refuses refused avoid avoids refrain decline declines rather instead than too early soon "
    "premature short stop stops stopped lack lacks remains remain stays stay still only few little beyond "
    "away except but rule rules ruled out wait waits waiting until before deny denies denied off down far "
    "unusual other others elsewhere free exempt excluded spared".split()
)
"""Words that deny in a place where "not" may have stood."""
_STILL = frozenset(("yet", "still"))
_SO_FAR = frozenset(("until", "till", "before"))
"""Words with which a denial tells when ("not before noon")."""
_LEAST_SHARED = 0.75
_FEWEST = 2
_VERB_WITHIN = 4


class _Denied(NamedTuple):
    """What a clause denies.

    Attributes:
        stems: the stems of its content words.
        verb: the stem of the first of them after its denial.
        words: all its words.
        beside: all words of its sentence.
    """

    stems: frozenset[str]
    verb: str
    words: frozenset[str]
    beside: frozenset[str]


@lru_cache(maxsize=256)
def _denied(text: str) -> tuple[_Denied, ...]:
    return tuple([found for sentence in own_sentences(text) for found in _denied_in(sentence)])


def _denied_in(sentence: Sentence) -> Iterator[_Denied]:
    words, tags = sentence.words, sentence.tags
    if not sentence.mask & _DENIES or sentence.question:
        return
    for start, end in clauses(sentence):
        if _is_open(sentence, start, end):
            continue
        at = next((at for at in range(start, end) if _denies(sentence, at, end)), -1)
        if at < 0:
            continue
        after = range(at + 1, min(end, at + 1 + _VERB_WITHIN))
        verb = next((words[k] for k in after if is_content(words[k], tags[k])), "")
        stems = content(sentence, start, end)
        if verb and len(stems) >= _FEWEST and _SO_FAR.isdisjoint(words[start:end]):
            yield _Denied(stems, stem(verb), frozenset(words[start:end]), sentence.vocabulary)


def _denies(sentence: Sentence, at: int, end: int) -> bool:
    words = sentence.words
    denies = sentence.tags[at] & t.NOT or words[at] in _NONE
    return bool(denies and at + 1 < end and words[at + 1] not in _NO_DENIAL)


def _is_open(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a clause tells what is so in some case only, or asks something of the reader."""
    words = sentence.words[start:end]
    if "whether" in words:
        return True
    return not (_CASES.isdisjoint(words[:2]) and _ASKS.isdisjoint(words)) or words[0] in ("do", "not")


@lru_cache(maxsize=256)
def _affirmed(text: str) -> tuple[frozenset[str], ...]:
    """Return the stems of the clauses of a text that deny nothing."""
    return tuple(
        content(sentence, start, end)
        for sentence in own_sentences(text)
        for start, end in clauses(sentence)
        if not mask_of(sentence, start, end) & _DENIES
    )


def find_affirmed(revised: str, original: str) -> Iterator[Claim]:
    """Find the clauses of a revision that affirm what its original denies.

    Args:
        revised: the revision as read.
        original: the original as read.

    Yields:
        Claims of the family ``resolution``.
    """
    denied = _denied(original)
    if not denied:
        return
    kept = frozenset([tuple(sentence.words) for sentence in own_sentences(original)])
    for begin, sentence in placed_sentences(revised):
        if sentence.question or tuple(sentence.words) in kept:
            continue
        for start, end in _pieces(sentence):
            if _affirms(sentence, start, end, denied, original):
                yield Claim("resolution", *sentence.span(start, end - 1), _SAYS).moved(begin)


def _pieces(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence, and what stands after "and" with a verb of its own in each."""
    tags = sentence.tags
    for start, end in clauses(sentence):
        yield start, end
        for at in range(start, end - 1):
            if tags[at] & t.AND and tags[at + 1] & _AUXILIARY:
                yield at + 1, end


def _affirms(sentence: Sentence, start: int, end: int, denied: tuple[_Denied, ...], original: str) -> bool:
    stems = content(sentence, start, end)
    near = [item for item in denied if item.verb in stems and _alike(stems, item.stems)]
    if not near or mask_of(sentence, start, end) & _DENIES or _is_open(sentence, start, end):
        return False
    if any(_alike(stems, other) for other in _affirmed(original)):
        return False
    if _is_to_come(sentence, start, end):
        return False
    own = frozenset(sentence.words[start:end])
    return any(
        (own - item.words).isdisjoint(_NEGATIVE)
        and (sentence.vocabulary - item.beside).isdisjoint(_NEGATIVE)
        and _states(sentence, start, end, item.verb)
        and not _is_open_or_bad(sentence, start, end, item)
        for item in near
    )


def _states(sentence: Sentence, start: int, end: int, verb: str) -> bool:
    """Whether a clause states something, and is no heading or exclamation."""
    words, tags = sentence.words, sentence.tags
    if words[start] == "what" or (tags[start] & t.PREPOSITION and not tags[start] & t.ADVERB):
        return False
    if mask_of(sentence, start, end) & _FINITE or main_verb(sentence, start, end)[0] > start:
        return True
    return any(tags[at] & t.ANY_FORM and stem(words[at]) == verb for at in range(start + 1, end))


def _is_to_come(sentence: Sentence, start: int, end: int) -> bool:
    """Whether something is still to be done ("have yet to be paid")."""
    words = sentence.words
    return any(words[at] in _STILL and words[at + 1] == "to" for at in range(start, end - 1))


def _is_open_or_bad(sentence: Sentence, start: int, end: int, item: _Denied) -> bool:
    """Whether a clause says something as open, or of trouble, in a word that what is denied does not hold."""
    words, tags = sentence.words, sentence.tags
    return any(
        words[at] not in item.words
        and (tags[at] & _LEFT_OPEN or is_trouble_word(words[at]) or tells_trouble(sentence, at, at + 1))
        for at in range(start, end)
    )


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two clauses share most words of each."""
    shared = len(one & other)
    return shared >= _FEWEST and shared >= _LEAST_SHARED * len(one) and shared >= _LEAST_SHARED * len(other)
