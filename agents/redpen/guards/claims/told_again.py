"""What is affected does something once again, as it should, or has left off; whatever the verb is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.orders import is_order
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, clauses, mask_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past
from redpen.text.lazy_pattern import lazy_pattern

_OPEN = t.HEDGE | t.MAY | t.WILL | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_COMPARES = frozenset("twice double times half third than".split())
"""Words with which something is not as it should be ("twice as long as they should")."""
_CUES = frozenset(
    "once should ought meant supposed used running intended designed stopped quit ceased left".split()
)
_DULY = frozenset(("should", "ought"))
_AGAIN = lazy_pattern(r"\bonce (?:again|more)\b")
_AS_IT_SHOULD = lazy_pattern(
    r"\b(?:as|the way|just as|exactly as) (?:it|they|these|those|this|that|he|she)"
    r" (?:always )?(?:should|ought to|used to|(?:is|are) (?:meant|supposed) to)\b"
    r"|\bas (?:intended|designed)\b"
)
_STOPPED = lazy_pattern(
    r"\b(?:has|have) (?:stopped|quit|ceased|left off) (?:doing (?:this|that|so|it)|happening|misbehaving)\b"
)
_RUNNING = lazy_pattern(r"\bup and running\b")
_REPEATS = frozenset(
    "sorry apologise apologize apologies thank thanks ask asking remind reminding say saying stress repeat "
    "check checking look looking try trying write post call send sending test testing".split()
)
"""Words of what we say or do more than once."""
_TO_COME = frozenset("to get getting bring bringing until keep keeping work working help hope".split())


def find_restored(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end in which something known does again what it is there for.

    Args:
        sentence: a sentence of the revision.
        known: what the revision may restate.
    """
    for start, end, stems in _restoring(sentence):
        if not stems.isdisjoint(known.all) and not any(stems <= told.stems for told in known.sentences):
            yield start, end


@lru_cache(maxsize=1024)
def _restoring(sentence: Sentence) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """Return the clauses that say so of anything, with the stems of what they speak of."""
    if sentence.question or sentence.vocabulary.isdisjoint(_CUES):
        return ()
    return tuple(
        (start, end, content(sentence, start, end))
        for start, end in clauses(sentence)
        if not _is_open(sentence, start, end)
        and not is_order(sentence, start, end)
        and (_has_stopped(sentence, start, end) or _says_so(sentence, start, end))
    )


def _is_open(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a word leaves a clause open or denies it; "once again" and "as it should" do not."""
    words, tags = sentence.words, sentence.tags
    for at in range(start, end):
        again = words[at] == "once" and words[at + 1 : at + 2] in (["again"], ["more"])
        duly = words[at] in _DULY and at >= start + 2 and words[at - 2] in ("as", "way")
        if tags[at] & _OPEN and not (again or duly):
            return True
    return False


def _has_stopped(sentence: Sentence, start: int, end: int) -> bool:
    return _STOPPED.search(" ".join(sentence.words[start:end])) is not None


def _says_so(sentence: Sentence, start: int, end: int) -> bool:
    words = sentence.words[start:end]
    text = " ".join(words)
    if _AS_IT_SHOULD.search(text):
        return not mask_of(sentence, start, end) & _TROUBLE and _COMPARES.isdisjoint(words)
    if tells_trouble(sentence, start, end):
        return False
    if _RUNNING.search(text):
        return _TO_COME.isdisjoint(words)
    if not _AGAIN.search(text) or not _REPEATS.isdisjoint(words):
        return False
    # "The list is once more compared by hand" tells of work.
    tags = sentence.tags
    passive = any(
        tags[at] & (t.BE | t.BEEN) and is_past(sentence.words[at + 1], tags[at + 1])
        for at in range(start, end - 1)
    )
    return not passive and not tags[start] & t.AGENT
