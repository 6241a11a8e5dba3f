"""Readings of an end or a return that the words of their clause turn into routine, repetition or a display.

"Again", "as before", "goes through" and "done" tell that trouble is over, and tell besides what is done a
second time, what a price still is, what goes through a review, and what a screen says by mistake.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.orders import is_order
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.text.lazy_pattern import lazy_pattern

_PASSIVE = t.BE | t.BEEN | t.BEING
_TURNED = t.BE | t.DO | t.HAVE | t.CAN
_ANEW = """
sort count recount calculate recalculate compute add tally total reckon measure weigh gauge sample poll
survey inspect examine check recheck test retest audit review assess evaluate grade mark rate compare copy
recopy draft write rewrite type retype key enter fill compile assemble collate put queue requeue line
schedule reschedule try retry attempt repeat replay print reprint pack repack wrap label relabel import
export submit resubmit file bill debit invoice visit contact remind notify warn tell inform ask invite
interview brief trace clean wash flush rinse dig build rebuild make remake do redo
"""
"""What is done a second time when it is done again, with nothing being back for it."""
_ANEW_STEMS = frozenset(map(stem, _ANEW.split()))
_PUT_RIGHT = frozenset("right back on online live straight in into".split())
"""What "put" and "worked" bring to a good state with."""
_PEOPLE = frozenset(
    "team group staff crew desk colleagues officers clerks volunteers drivers couriers nurses teachers "
    "engineers technicians operators specialists".split()
)
_CADENCE = frozenset("every each whenever twice".split())
_START = frozenset("zero scratch start beginning one first".split())
_OBJECTS = frozenset("it them that this those".split())
_SETTLED = frozenset(
    "fee fees fare fares price prices rate rates cost costs charge charges surcharge surcharges rent toll "
    "tolls tariff tariffs hours deadline deadlines date dates rule rules term terms limit limits quota "
    "policy policies conditions discount excess deposit tax taxes tip salary wage".split()
)
"""What is as before whatever the trouble."""
_FAST = frozenset(
    "fast quick quickly good well smooth smoothly reliable reliably easy easily healthy stable available "
    "soon reachable bright clear fresh strong steady responsive".split()
)
"""What is good to be as much as before."""
_LIKENESS = frozenset(("as", "like"))
_BEFORE = frozenset("before usual always ever normal normally you it they we that in on any".split())
_PARTLY = frozenset(
    "half third quarter fraction bursts batches drips trickles dribs attempts tries later partly "
    "sometimes occasionally sporadically intermittently erratically patchily haphazardly dribbles fits "
    "spurts instalments second fourth fifth".split()
)
"""How many and how things go through while the trouble lasts."""
_DISPLAY_BEFORE = lazy_pattern(
    r"\b(?:says?|shows?|reads?|marked|marks?|claims?|displays?|displayed|reports?|lists?|listed|labelled|labeled"
    r"|tagged|flagged|shown|called|named|titled|entitled|headed|states?|looks?|appears?|told)\b[^;:.–—]*$"
)
_DISPLAY_AFTER = lazy_pattern(
    r"\b(?:by mistake|in error|wrongly|incorrectly|falsely|mistakenly|too early|prematurely|out of date"
    r"|outdated|which (?:is|was) (?:wrong|not|false|untrue|incorrect|a display|a mistake|an error)"
    r"|(?:(?:al)?though|even (?:when|if))\b[^;:.]*\b(?:not|no|never|nothing|nobody|off|down|shut|closed"
    r"|fail\w*|empty|missing|lost|gone|dead)|display (?:fault|error|bug|problem|glitch)"
    r"|(?:but|;|while|when) (?:it|they|that|this) (?:is|are|was|were|has|have|does|do) not)\b"
)
_NAMED = frozenset("called named titled entitled headed labelled labeled".split())
_RECKONS = frozenset(
    "reckon reckons guess guesses guesstimate think believe estimate estimates suppose gather figure "
    "reckoning opinion view hunch feeling judge gauge".split()
)
_BY_TIME = frozenset("in within by around about at towards before".split())
_TIMES = frozenset(
    "noon midday midnight evening tonight morning afternoon minutes hours hour tomorrow one two three "
    "four five six seven eight nine ten eleven twelve fifteen twenty thirty forty".split()
)
_REASONS = frozenset("because since as for now that's while".split())
_CHECKS = (
    ["make", "sure"],
    ["check", "that"],
    ["check", "whether"],
    ["check", "if"],
    ["ensure", "that"],
    ["ensure", "the"],
)
"""What begins an order to see to it that something is so."""
_QUESTIONS = frozenset(
    "acceptance outcome question decision answer result timing reason cause verdict choice eligibility "
    "validity approval".split()
)
"""What is open until somebody decides."""
_NEAR = 4


def tells_no_end(sentence: Sentence, first: int, last: int) -> bool:
    """Whether what a claim of an end or a return was read from tells of something else.

    Args:
        sentence: the sentence.
        first: index of the first word that it was read from.
        last: index of the last one.
    """
    words = sentence.words
    start, end = _clause(sentence, first, last)
    if words[last] in ("again", "more"):
        otherwise = _is_repeated(sentence, start, last, end)
    else:
        likened = words[last] in _LIKENESS and not _BEFORE.isdisjoint(words[last + 1 : last + 2])
        otherwise = likened and _stays_so(sentence, start, last)
    return (
        otherwise
        or (words[last] == "open" and _is_undecided(words[start:first], words[last + 1 : last + 2]))
        or (words[start : start + 2] in _CHECKS and _REASONS.isdisjoint(words[start + 2 : first]))
        or words[max(0, first - 1)] in _NAMED
        or (words[first] in _NAMED and words[first + 1 : first + 2] not in (["off"], ["back"]))
        or (words[start] in ("neither", "nor") and bool(sentence.tags[start + 1] & _TURNED))
        or ("through" in words[last : last + 2] and not _PARTLY.isdisjoint(words[start:end]))
        or _is_reckoned(sentence, first, last, end)
        or _is_display(sentence, first, last)
    )


def _is_undecided(subject: list[str], after: list[str]) -> bool:
    """Whether what is open is a question ("acceptance of milk is open")."""
    return not _QUESTIONS.isdisjoint(subject) and after != ["again"]


def _is_reckoned(sentence: Sentence, first: int, last: int, end: int) -> bool:
    """Whether somebody reckons that it is so at a time to come ("we reckon that it is up in an hour")."""
    words, tags = sentence.words, sentence.tags
    if _RECKONS.isdisjoint(words[: last + 1]):
        return False
    return any(
        words[at] in _BY_TIME
        and any(tags[k] & t.NUMBER or words[k] in _TIMES for k in range(at + 1, min(end, at + _NEAR)))
        for at in range(first, end)
    )


def _clause(sentence: Sentence, first: int, last: int) -> tuple[int, int]:
    """Return where the words between the marks around a claim begin and end."""
    words = sentence.words
    start = next((at + 1 for at in range(first - 1, -1, -1) if words[at] in CLAUSE_MARKS), 0)
    end = next((at for at in range(last + 1, len(words)) if words[at] in CLAUSE_MARKS), len(words))
    return start, end


def _is_repeated(sentence: Sentence, start: int, last: int, end: int) -> bool:
    """Whether "again" at ``last`` tells that something is done a second time, or many times."""
    words, after = sentence.words, sentence.words[last + 1 : end]
    if after[:2] == ["and", "again"] or words[last - 2 : last] in (["again", "and"], ["and", "over"]):
        return True
    if not _CADENCE.isdisjoint(after[:2]) or (after[:1] == ["from"] and not _START.isdisjoint(after[:4])):
        return True
    if _is_by_hand(words[start:end]) and not _tells_return(sentence, last):
        return True
    return (
        is_order(sentence, start, end)
        or _is_done_anew(sentence, start, last)
        or _is_step(sentence, start, last)
    )


def _is_by_hand(words: list[str]) -> bool:
    return "manually" in words or ("by", "hand") in pairwise(words)


def _tells_return(sentence: Sentence, last: int) -> bool:
    """Whether a form of *be* or *can* alone stands with "again" ("the desk is open again by hand")."""
    return bool(sentence.tags[last - 1] & (t.FINE | t.HEALTHY | t.RUNS))


def _is_done_anew(sentence: Sentence, start: int, last: int) -> bool:
    """Whether the verb before "again" is one of work that is done a second time."""
    words, tags = sentence.words, sentence.tags
    verb = next((at for at in range(last - 1, start - 1, -1) if tags[at] & _PASSIVE), -1)
    if verb >= 0:
        at = next((k for k in range(verb + 1, last) if not tags[k] & t.ADVERB), -1)
        if at < 0 or stem(words[at]) not in _ANEW_STEMS:
            return at >= 0 and words[at : at + 2] == ["worked", "out"]
        # "Kiosks are printing again" is news, "staff are counting again" is none.
        by_people = words[at].endswith("ing") and not _PEOPLE.isdisjoint(words[start:verb])
        done = by_people or words[at].endswith("ed") or words[at] in _PARTICIPLES
        return done and _PUT_RIGHT.isdisjoint(words[at + 1 : last])
    if _PEOPLE.isdisjoint(words[start:last]):
        return False
    return any(
        stem(words[at]) in _ANEW_STEMS and words[at - 1] in _PEOPLE and at + 1 < last
        for at in range(start + 1, last)
    )


_PARTICIPLES = frozenset("put sent built done made written told rung dug paid".split())


_STEPS = _ANEW_STEMS | frozenset(map(stem, "book send show start order request upload save place".split()))


def _is_step(sentence: Sentence, start: int, last: int) -> bool:
    """Whether "again" ends the second of two steps of readers ("cancel it and schedule it again")."""
    words, tags = sentence.words, sentence.tags
    for at in range(start + 1, last - 1):
        if not tags[at] & t.AND or words[at] == "or":
            continue
        verb = at + 1 + (words[at + 1] == "then")
        if (
            verb + 1 < last
            and stem(words[verb]) in _STEPS
            and words[verb + 1] in _OBJECTS
            and not tags[verb] & (t.BE | t.CAN | t.HAVE | t.WILL)
        ):
            return any(tags[k] & (t.CAN | t.MAY) for k in range(start, at)) or is_order(sentence, start, at)
    return False


def _stays_so(sentence: Sentence, start: int, last: int) -> bool:
    """Whether "as" or "like" at ``last`` likens a price, a number or a degree, and no state of a service."""
    words, tags = sentence.words, sentence.tags
    if words[last - 1] == "same" or not _SETTLED.isdisjoint(words[start:last]):
        return True
    if words[last - 2] == "as" and words[last - 1] not in _FAST:
        return True
    return any(tags[at] & t.NUMBER for at in range(start + 1, last))


def _is_display(sentence: Sentence, first: int, last: int) -> bool:
    """Whether a screen or label says so by mistake ("orders show as delivered although nothing came")."""
    if not _shows(sentence.vocabulary):
        return False
    words = sentence.words
    before, after = " ".join(words[: last + 1]), " ".join(words[max(0, first - _NEAR) :])
    found = _DISPLAY_BEFORE.search(before)
    return found is not None and _DISPLAY_AFTER.search(after) is not None


_SHOWING = frozenset(
    "say says show shows read reads marked mark marks claim claims display displays displayed report reports "
    "list lists listed labelled labeled tagged flagged shown state states look looks appear appears".split()
)


@lru_cache(maxsize=512)
def _shows(vocabulary: frozenset[str]) -> bool:
    return not _SHOWING.isdisjoint(vocabulary)
