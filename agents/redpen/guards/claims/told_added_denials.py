"""Sentences put into a revision that deny harm or trouble to what is affected, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Known, clauses, mask_of
from redpen.guards.claims.told_added import Balance, stands_alone
from redpen.guards.claims.told_denials import SUFFERED
from redpen.guards.claims.told_trouble import GOOD_TOO, is_trouble_word

_OPEN = t.HEDGE | t.MAY | t.HARD_CONDITION
_UNSURE = frozenset(
    "know known say said tell sure clear certain promise guarantee guaranteed confirm yet until claim "
    "rule ruled name answer explain pretend speak speculate guess comment whether if please sorry "
    "apologise apologize only just always all every everyone enough expect expected hope we i our "
    "resolved fixed solved over found identified explained understood established determined ready "
    "fully completely properly entirely possible able still statement notice message admission admit "
    "admits fault blame liability liable fee "
    "fees pay paid charge charges price prices refund credit required needed necessary need ticket".split()
)
"""Words of denials by which honest updates leave open what is so, or tell what is owed and by whom."""
_DENIES = frozenset("no not never none nothing nobody neither nor without noone hardly".split())
_ADVERSE = t.HARM | t.BAD | t.PROBLEM | t.HINDERS
_ENDING = t.ENDS | t.ENDS_PROBLEM | t.RESUMES | t.RUNS | t.ACHIEVES
_MORE = frozenset(
    "worry worried concerned alarmed panic fear afraid risk danger peril hazard jeopardy drawback snag catch "
    "disadvantage penalty doubt question fret stake loss losing mercy trouble harm".split()
)
_FAR = 7


def find_spared(sentence: Sentence, known: Known, balance: Balance) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end that deny harm, in sentences that were put in.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
        balance: how much of the original the revision takes up.
    """
    places = _sparing(sentence)
    if not places:
        return
    spoken = content(sentence, 0, len(sentence.words)) - talk_stems()
    if spoken <= known.all or not stands_alone(sentence, balance):
        return
    for start, end in places:
        if not _is_denied(content(sentence, start, end), known):
            yield start, end


@lru_cache(maxsize=1024)
def _sparing(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Return where clauses begin and end that deny harm."""
    if not sentence.mask & (t.NOT | t.NO) or sentence.mask & t.HARD_CONDITION:
        return ()
    return tuple(
        (start, end)
        for start, end in clauses(sentence)
        if not mask_of(sentence, start, end) & _OPEN
        and _UNSURE.isdisjoint(sentence.words[start:end])
        and _denies_harm(sentence, start, end)
    )


def _denies_harm(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a word for harm or trouble stands soon after one that denies."""
    words, tags = sentence.words, sentence.tags
    at = next((k for k in range(start, end) if words[k] in _DENIES), -1)
    if at < 0 or words[at + 1 : at + 3] == ["to", "do"]:
        return False
    return any(
        (words[k] in _MORE or words[k] in SUFFERED or tags[k] & _ADVERSE or is_trouble_word(words[k]))
        and not tags[k] & _ENDING
        and words[k] not in GOOD_TOO
        and words[k - 1 : k + 1] != ["no", "longer"]
        for k in range(at + 1, min(end, at + 1 + _FAR))
    )


def _is_denied(stems: frozenset[str], known: Known) -> bool:
    """Whether some sentence that is known denies part of the same."""
    return any(len((stems - talk_stems()) & told.denied) > 1 for told in known.sentences)
