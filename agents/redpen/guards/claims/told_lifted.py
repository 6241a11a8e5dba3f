"""Orders taken back: what the original asks readers to do, or not to do, is said to be needless or allowed.

"Please boil the water" becomes "there is no need to boil it"; whoever says so says that the trouble is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Known, Told, clauses, mask_of
from redpen.guards.claims.word_classes import WORD_CLASSES

_NEED = frozenset("need needs needed necessary require requires required have has obliged".split())
_NO = frozenset("no not never longer nothing neither".split())
_STOP = frozenset("stop quit cease ditch forget abandon scrap shelve retire".split())
_MAY = frozenset("can may might could free".split())
_READERS = frozenset((*WORD_CLASSES["readers"].split(), "are", "and", "residents", "people"))
"""Who may leave off something; of things it is trouble ("the map may stop moving")."""
_OPEN = t.HEDGE | t.HARD_CONDITION | t.CONDITION
_UNSURE = frozenset("know say tell sure certain clear confirm whether if unless yet only".split())
_NOT_TOLD = frozenset(
    "worry worried concern concerned panic alarmed afraid apologise sorry thank fee fees charge charges "
    "penalty pay paid deadline deadlines reason skip".split()
)
"""Words of clauses that other rules read, or that tell what is owed."""
_ENDS = frozenset("longer more now stop quit cease ditch forget abandon scrap shelve retire".split())
"""Words of what is needless from now on."""
_PLEASE = stem("please")
_MOST = 0.6
_NEAR = 3


class _Lifting(NamedTuple):
    """A clause that calls something needless.

    Attributes:
        start: index of its first word.
        end: index after its last.
        what: stems of what it speaks of.
        ends: whether from now on.
        spared: stem of what is needless to do, where that is told and not from now on.
    """

    start: int
    end: int
    what: frozenset[str]
    ends: bool
    spared: str


def find_lifted(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end which say that what was asked for is needless.

    Args:
        sentence: the sentence of the revision.
        known: what a revision may restate.
    """
    for item in _lifting(sentence):
        asked = known.all if item.ends else _asked(known)
        if item.spared and item.spared not in asked | talk_stems():
            continue
        if item.what & asked and not any(_says(told, item.what) for told in known.sentences):
            yield item.start, item.end


@lru_cache(maxsize=1024)
def _lifting(sentence: Sentence) -> tuple[_Lifting, ...]:
    """Return the clauses that call something needless."""
    words = sentence.words
    needless = not (_NO.isdisjoint(sentence.vocabulary) or _NEED.isdisjoint(sentence.vocabulary))
    dropped = not (_STOP.isdisjoint(sentence.vocabulary) or _MAY.isdisjoint(sentence.vocabulary))
    if not (needless or dropped) or sentence.mask & t.HARD_CONDITION:
        return ()
    found = []
    for start, end in clauses(sentence):
        if mask_of(sentence, start, end) & _OPEN or not (_UNSURE | _NOT_TOLD).isdisjoint(words[start:end]):
            continue
        at = _needless(words, start, end) if needless else -1
        if at < 0 and dropped:
            at = _dropped(sentence, start, end)
        if at >= 0:
            what = content(sentence, start, end) - talk_stems() - _GRAMMAR
            ends = not _ENDS.isdisjoint(words[start:end])
            found.append(_Lifting(start, end, what, ends, "" if ends else _spared(words, at, end)))
    return tuple(found)


def _spared(words: list[str], at: int, end: int) -> str:
    """Return the stem of what is needless to do ("no need to *buy* a ticket"), empty where it never is."""
    verb = next((words[k + 1] for k in range(at, end - 1) if words[k] == "to"), "")
    return stem(verb) if verb and "never" not in words[:at] else ""


def _asked(known: Known) -> frozenset[str]:
    """Return the stems of what some sentence asks for."""
    return frozenset().union(*(told.stems for told in known.sentences if _PLEASE in told.stems))


def _says(told: Told, what: frozenset[str]) -> bool:
    """Whether a sentence that is known denies most of the same."""
    return len(what & told.denied) >= _MOST * len(what)


_GRAMMAR = frozenset("need necessari requir longer oblig stop".split())


def _needless(words: list[str], start: int, end: int) -> int:
    """Return where a word of need stands that is denied ("no need to", "you no longer have to"), or -1."""
    for at in range(start, end):
        if words[at] not in _NEED:
            continue
        before = words[max(start, at - _NEAR) : at]
        if words[at] in ("have", "has") and words[at + 1 : at + 2] != ["to"]:
            continue
        if not _NO.isdisjoint(before) or (
            words[at] in ("need", "needs") and words[at + 1 : at + 2] == ["not"]
        ):
            return at
    return -1


def _dropped(sentence: Sentence, start: int, end: int) -> int:
    """Return where readers are told that they may leave off something ("you may stop boiling"), or -1."""
    words, tags = sentence.words, sentence.tags
    for at in range(start + 1, end - 1):
        if (
            words[at] in _STOP
            and words[at - 1] in _MAY
            and words[at - 2] in _READERS
            and not tags[at] & t.NOT
        ):
            return at
    return -1
