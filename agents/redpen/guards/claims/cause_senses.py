"""Words that look like those that tie a trouble to its cause, and stand in another sense."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
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
    "anybody's sought hunted traced chased".split()
)
_UNKNOWN_YET = frozenset(("what", "something", "one"))
"""What is unknown where somebody looks for it."""
_NEAR = 3
_MAX_CAUSE = 10
_CODE_WORDS = 2
_LONGEST_CODE = 9


def is_unknown_at(words: list[str], at: int) -> bool:
    """Whether the words from ``at`` on say that nobody knows ("unknown", "what the team is busy with")."""
    busy = not _BUSY.isdisjoint(words[at : at + _MAX_CAUSE])
    near = words[at : at + _NEAR]
    return not _UNKNOWN.isdisjoint(near) or (busy and not _UNKNOWN_YET.isdisjoint(near))


def holds_clause(words: list[str]) -> bool:
    """Whether a clause begins among words that stand between a noun and what looks like its verb."""
    return not _MEANWHILE.isdisjoint(words)


def is_of_waiting(sentence: Sentence, start: int) -> bool:
    """Whether a queue is the reason of an advice ("allow more time because of the longer lines")."""
    return not _QUEUES.isdisjoint(sentence.words[start : start + _NEAR])


def is_number_of_incident(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether all that is named is the number of an incident ("the background is DBK-2275")."""
    words = [word for word in sentence.words[begin:stop] if word != "-"]
    return len(words) <= _CODE_WORDS and len(words[0]) <= _LONGEST_CODE and words[-1][-1:].isdecimal()


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
