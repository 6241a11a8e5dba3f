"""Sentences put into a revision that deny harm or trouble to what is affected, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.benefit_kinds import forms
from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Known, clauses, mask_of
from redpen.guards.claims.told_added import Balance, stands_alone
from redpen.guards.claims.told_denials import SUFFERED
from redpen.guards.claims.told_trouble import GOOD_TOO, is_trouble_word

_OPEN = t.HEDGE | t.MAY | t.HARD_CONDITION
_UNSURE = frozenset(
    "know known say said tell sure clear certain promise guarantee guaranteed confirm yet until claim rule "
    "ruled name answer explain pretend speak speculate guess comment whether if please sorry apologise "
    "apologize only just always all every everyone enough expect expected hope we i our resolved fixed "
    "solved over found identified explained understood established determined ready fully completely "
    "properly entirely possible able still statement notice message admission admit admits fault blame "
    "liability liable fee fees pay paid charge charges price prices refund credit required needed necessary "
    "need ticket".split()
)
"""Words of denials by which honest updates leave open what is so, or tell what is owed and by whom."""
_DENIES = frozenset("no not never none nothing nobody neither nor without noone hardly".split())
_ADVERSE = t.HARM | t.BAD | t.PROBLEM | t.HINDERS
_ENDING = t.ENDS | t.ENDS_PROBLEM | t.RESUMES | t.RUNS | t.ACHIEVES
_MORE = frozenset(
    "worry worried concerned alarmed panic fear afraid risk danger peril hazard jeopardy drawback snag catch "
    "disadvantage penalty doubt question fret stake loss losing mercy trouble harm".split()
)
_IDLE = frozenset(
    "stage stages else apart another different differently particular holiday holidays pending separate "
    "separately elsewhere alike involved involve".split()
)
"""Words that are taken for trouble where they are said of it, and are none where they are denied."""
_FALLS = (
    "~fall ~drop ~decline ~decrease ~sink ~shrink ~shorten ~lessen ~diminish ~dwindle ~subside ~ease ~reduce "
    "~dip ~abate ~come ~go ~lower ~thin ~slow"
)
_LEVELS = frozenset(
    "level levels rate rates number numbers time times wait waits waiting queue queues loss losses load "
    "loads traffic share shares delay delays backlog backlogs volume volumes count counts amount total "
    "totals figure figures latency pressure temperature demand length line lines error errors failures "
    "reports complaints percentage proportion pile gap gaps duration".split()
)
"""What is better when it is lower."""
_TO_FEAR = frozenset(
    "worry fear panic fret alarm concern danger harm damage loss risk hazard doubt stress suspicion agonise "
    "despair dread mind lose suffer sleep trouble bother afraid alarmed worried anxious nervous "
    "scared frightened concerned upset".split()
)
_HANDS_OVER = frozenset(
    "give hand share tell send read reveal disclose pass show type enter pay let trust lend leave take bring "
    "keep store open click write reply answer allow admit".split()
)
"""What readers are asked to do to others, or to nobody."""
_TELLS = frozenset(
    "reason reasons explanation explanations warning warnings notice message messages answer answers code "
    "reply word hint name date news clue clues theory".split()
)
"""What trouble is without when nothing is said of it ("gives no reason for the error")."""
_LIKES = frozenset("likes enjoys wants loves wishes".split())
_OF = frozenset("for of about on to when why before that from".split())
_FAR = 7
_NEAR = 3


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
    if at < 0 or words[at + 1 : at + 3] == ["to", "do"] or _denies_no_harm(sentence, start, at, end):
        return False
    return any(
        (words[k] in _MORE or words[k] in SUFFERED or tags[k] & _ADVERSE or is_trouble_word(words[k]))
        and not tags[k] & _ENDING
        and words[k] not in GOOD_TOO
        and words[k] not in _IDLE
        and words[k - 1 : k + 1] != ["no", "longer"]
        for k in range(at + 1, min(end, at + 1 + _FAR))
    )


def _denies_no_harm(sentence: Sentence, start: int, at: int, end: int) -> bool:
    """Whether what is denied at ``at`` is a step, a contrast, a lower level or news, and no harm."""
    words, tags = sentence.words, sentence.tags
    if at + 1 >= end:
        return False
    lower = words[at] in ("not", "never") and not forms(_FALLS).isdisjoint(words[at + 1 : at + 1 + _NEAR])
    if lower and not _LEVELS.isdisjoint(words[start:at]) and "your" not in words[start:at]:
        return True
    if not _TO_FEAR.isdisjoint(words[start:end]):
        return False
    # "The voucher is for long delays, not for short ones"; "nothing happens when you tap".
    contrast = at == start and words[at] == "not" and tags[at + 1] & (t.PREPOSITION | t.GERUND)
    contrast = contrast or (words[at] in ("nobody", "noone") and words[at + 1] in _LIKES)
    if contrast or words[at : at + 2] == ["nothing", "happens"] or _is_asked(sentence, start, at):
        return True
    if words[at] in ("no", "neither") and words[at + 1] in _TELLS:
        return not _OF.isdisjoint(words[at + 2 : at + 3])
    # "Calling again does not move you up the queue."
    tried = tags[start] & t.GERUND and not tags[start] & t.PAST and words[at - 1] in ("does", "will", "would")
    return bool(tried) and not any(tags[k] & t.HARM or words[k] in SUFFERED for k in range(at, end))


def _is_asked(sentence: Sentence, start: int, at: int) -> bool:
    """Whether a clause tells readers what not to do, or to whom ("give your code to nobody")."""
    words, tags = sentence.words, sentence.tags
    begin = start + (words[start] == "please")
    if words[begin : begin + 2] == ["do", "not"]:
        return True
    if begin == at and tags[at] & t.NOT and tags[at + 1] & t.BASE:
        return True
    return words[begin] in _HANDS_OVER and begin < at


def _is_denied(stems: frozenset[str], known: Known) -> bool:
    """Whether some sentence that is known denies part of the same."""
    return any(len((stems - talk_stems()) & told.denied) > 1 for told in known.sentences)
