"""Other senses of words for an end: done by hand, corrected bills that go out, errors that come and go."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import following
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence

_DOES_SO = frozenset(
    "so by manually in one each every twice daily hourly nightly weekly step bit piece as at on here there "
    "automatically individually separately remotely centrally per during between before after while when "
    "because".split()
)
"""What follows "done" where it tells how something is done, or stands for another verb."""
_LEAVES = frozenset(
    "come comes go goes leave leaves follow follows arrive arrives apply applies appear appears reach "
    "reaches show shows carry carries move moves land lands get gets stay stays cost costs".split()
)
"""What is done, in the present, by things that a participle before them names."""
_HANDS_OUT = frozenset(
    "send sends issue issues post posts mail mails email emails hand hands print prints deliver delivers "
    "publish publishes see find view get receive bring keep sends submit attach list lists".split()
)
_AT_TIMES = frozenset("after when whenever if once upon on during while".split())
_COMES_BACK = frozenset("comes returns reappears recurs resurfaces reoccurs restarts".split())
_PLURALS = frozenset("sends loads replies answers orders returns replays moves runs lands".split())
"""Verbs of the third person that are nouns after "all" ("we have paused all sends")."""
_OBJECT = 6
_FAR = 9


def names_what_goes_out(sentence: Sentence, index: int) -> bool:
    """Whether a participle names what is sent, or what goes out ("corrected bills leave today").

    Args:
        sentence: the sentence.
        index: where the participle stands.
    """
    words, tags = sentence.words, sentence.tags
    start = index
    while start and words[start - 1] not in CLAUSE_MARKS:
        start -= 1
    if start == index:
        return any(words[at] in _LEAVES for at in range(index + 2, min(len(words), index + _OBJECT)))
    return words[index - 1] in _HANDS_OUT and not tags[index - 1] & t.GERUND


def goes_at_times(sentence: Sentence, index: int) -> bool:
    """Whether it is told when a trouble goes as a rule ("it disappears after a reload and comes back").

    Args:
        sentence: the sentence.
        index: where the verb of going stands.
    """
    after = sentence.words[index + 1 : index + _FAR]
    return not _AT_TIMES.isdisjoint(after[:1]) or not _COMES_BACK.isdisjoint(after)


def is_done_with(sentence: Sentence, index: int) -> bool:
    """Whether "done" tells of an end, and not how or how often something is done ("it is done by hand").

    Args:
        sentence: the sentence.
        index: where "done" stands.
    """
    words = sentence.words
    so_far = words[index + 1 : index + 3] == ["so", "far"]
    rhythm = words[index + 1 : index + 3] in (["once", "a"], ["once", "every"])
    return (
        not (so_far or rhythm) and following(sentence, index) not in _DOES_SO and "what" not in words[:index]
    )


def is_plural_object(sentence: Sentence, index: int) -> bool:
    """Whether a form like a verb is the noun of an object with "all" ("we have paused all sends").

    Args:
        sentence: the sentence.
        index: where the form stands.
    """
    words, tags = sentence.words, sentence.tags
    if words[index] not in _PLURALS or words[index - 1] != "all" or index < 2:
        return False
    return bool(tags[index - 2] & (t.ANY_FORM | t.PREPOSITION))
