"""Words that look like those that tie a trouble to its cause, and stand in another sense."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence

_QUEUES = frozenset("line lines queue queues crowd crowds backlog wait waits".split())
_GIVE = frozenset("give gives gave given giving".split())
_LISTS = frozenset("contain contains contained show shows showed carry carries".split())
_MEANWHILE = frozenset(("while", "until", "when", "if"))
"""What begins a clause of its own between a noun and what looks like its verb ("the reason while it is")."""
_BUSY = frozenset("busy working looking trying checking investigating asking examining after".split())
"""What people do with what they do not know yet."""
_UNKNOWN = frozenset(
    "unknown unclear open unsettled undetermined uncertain disputed blank guesswork moot anyone's "
    "anybody's sought hunted traced chased lacking wanting absent pending awaited elusive obscure vague hazy "
    "murky foggy unexplained unproven unestablished unidentified unconfirmed untraced unnamed debated "
    "researched probed nowhere mystery puzzle riddle enigma conundrum guess".split()
)
_STATUS = frozenset("still yet currently".split())
"""What a cause that is named never is."""
_BEING_SOUGHT = frozenset(
    "investigation investigations inquiry enquiry review scrutiny analysis examination study discussion "
    "assessment research debate search question".split()
)
_TO_BE_SEEN = frozenset(("under", "subject", "in", "up", "out", "beyond", "part", "on"))
_OUT_OF_SIGHT = frozenset("making dark hands dispute doubt question reach sight".split())
_FAR = frozenset(("off", "away"))
_WAY = frozenset("way distance far long hours days while time".split())
_HARD = frozenset("proving proved proves".split())
_SEEKS = frozenset(
    "search searches hunt quest look lookout inquiry enquiry investigation investigations work question "
    "questions study research news word talk guess guesses theory theories information clue clues idea ideas "
    "request nothing".split()
)
"""What is said of a search for the cause, and not of the cause."""
_TASK = frozenset("matter question thing point one something what subject".split())
_OURS = frozenset("we our us team engineers they".split())
_UNKNOWN_YET = frozenset(("what", "something", "one"))
"""What is unknown where somebody looks for it."""
_NEAR = 3
_MAX_CAUSE = 10
_CASES = frozenset("case ticket incident reference thread".split())
_CODE_WORDS = 2
_LONGEST_CODE = 9
_TIES = frozenset("because due owing thanks on as since after following courtesy in".split())
"""First words of ties that may follow the verb that a denial before them denies."""
_DENY_THE_TIE = frozenset(
    "happen occur start begin come arise result think believe suspect assume say know confirm mean suggest "
    "claim seem appear look need have require ask please let worry want wish".split()
)
"""Verbs with which a denial reaches the tie, or asks nothing of the reader ("it did not happen because")."""
_OURSELVES = frozenset(("we", "i", "nobody"))


def is_denial_of_trouble_itself(sentence: Sentence, at: int, start: int) -> bool:
    """Whether "not" at ``at`` tells the trouble, and does not deny the tie at ``start``.

    "Pages do not load because a disk is full" gives the cause; "it did not fail because of a disk" does not.

    Args:
        sentence: the sentence.
        at: index of the denial.
        start: index of the first word of the tie.
    """
    words, tags = sentence.words, sentence.tags
    if words[at] != "not" or words[start] not in _TIES:
        return False
    between = range(at + 1, start)
    if not any(is_content(words[k], tags[k]) for k in between):
        return False
    if any(tags[k] & (t.PROBLEM | t.BAD | t.HINDERS) or stem(words[k]) in _denying() for k in between):
        return False
    begin = next((k + 1 for k in range(at, -1, -1) if words[k] in CLAUSE_MARKS), 0)
    return _OURSELVES.isdisjoint(words[begin:at]) and at - begin > 1


@lru_cache(maxsize=1)
def _denying() -> frozenset[str]:
    return frozenset(map(stem, _DENY_THE_TIE))


def is_unknown_at(words: list[str], at: int) -> bool:
    """Whether the words from ``at`` on say that nobody knows ("unknown", "what the team is busy with")."""
    busy = not _BUSY.isdisjoint(words[at : at + _MAX_CAUSE])
    near = words[at : at + _NEAR]
    return not _UNKNOWN.isdisjoint(near) or (busy and not _UNKNOWN_YET.isdisjoint(near))


def is_open_after(sentence: Sentence, at: int) -> bool:
    """Whether what stands at ``at``, after "the cause is", says how far the search for it is, and no cause.

    Args:
        sentence: the sentence.
        at: index of the first word after the verb.
    """
    words, tags = sentence.words, sentence.tags
    first = at
    while first < len(words) and tags[first] & t.ADVERB and words[first] not in _STATUS | {"far", "up"}:
        first += 1
    near = words[first : first + _MAX_CAUSE]
    if not near or near[0] in _STATUS or tags[first] & t.BEING or near[0] in _HARD:
        return True
    if not _FAR.isdisjoint(near[1:_MAX_CAUSE]) and not _WAY.isdisjoint(near[:_NEAR]):
        return True
    if near[0] in _TO_BE_SEEN or near[:2] == ["the", "subject"]:
        return not (_BEING_SOUGHT | _OUT_OF_SIGHT).isdisjoint(near[1:])
    return not _TASK.isdisjoint(near[:_NEAR]) and not (_OURS | _STATUS).isdisjoint(near[1:])


def is_of_search(sentence: Sentence, start: int) -> bool:
    """Whether the noun of cause at ``start`` only tells what is looked for ("the search for the reason is").

    Args:
        sentence: the sentence.
        start: index of the noun.
    """
    words, tags = sentence.words, sentence.tags
    at = start - 1
    while at >= 0 and (tags[at] & t.DETERMINER or words[at] in ("root", "real", "exact", "true", "actual")):
        at -= 1
    if at < 0:
        return False
    if words[at].endswith("ing") and is_content(words[at], tags[at]):
        return at == 0 or words[at - 1] in CLAUSE_MARKS or bool(tags[at - 1] & (t.AND | t.BUT))
    return bool(tags[at] & t.PREPOSITION) and at > 0 and words[at - 1] in _SEEKS


def holds_clause(words: list[str]) -> bool:
    """Whether a clause begins among words that stand between a noun and what looks like its verb."""
    return not _MEANWHILE.isdisjoint(words)


def is_of_waiting(sentence: Sentence, start: int) -> bool:
    """Whether a queue is the reason of an advice ("allow more time because of the longer lines")."""
    return not _QUEUES.isdisjoint(sentence.words[start : start + _NEAR])


def is_number_of_incident(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether all that is named is the number of an incident ("the background is DBK-2275")."""
    words = [word for word in sentence.words[begin:stop] if word != "-"]
    if words[0] in _CASES:
        del words[0]
    short = 0 < len(words) <= _CODE_WORDS and len(words[0]) <= _LONGEST_CODE
    return short and words[-1][-1:].isdecimal()


def brings_nothing_about(sentence: Sentence, start: int, end: int, *, before: bool) -> bool:
    """Whether words are handed out, listed or a reason to do something, and nothing breaks.

    Args:
        sentence: the sentence.
        start: index of the first word of the tie.
        end: index after its last.
        before: whether the cause would stand before the tie.
    """
    words, tags = sentence.words, sentence.tags
    if words[end - 1] == "reason" and words[end : end + 1] == ["to"]:
        return True
    if before and end - start > _NEAR and not _LISTS.isdisjoint(words[start:end]):
        return True
    if words[start] not in _GIVE or words[end - 1] not in ("out", "up") or end >= len(words):
        return False
    return words[end] == "on" or is_content(words[end], tags[end]) or bool(tags[end] & t.DETERMINER)
