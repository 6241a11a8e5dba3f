"""Questions that the next sentence answers: "Is it over? It is." says that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.claims import tags as t

if TYPE_CHECKING:
    from redpen.guards.claims.reading import Sentence

_YES = frozenset("yes yep yeah indeed absolutely correct".split())
_NO = frozenset(("no", "nope"))
_NOT_AT_ALL = (
    "not at all", "certainly not", "absolutely not", "definitely not", "of course not", "by no means",
    "far from it", "not in the least", "not in the slightest", "not a bit", "never", "surely not",
    "nothing of the sort", "nothing of the kind", "not one bit",
)  # fmt: skip
_OF_COURSE = ("of course", "it certainly is", "sure", "certainly", "definitely", "it certainly will")
_MARKS = frozenset(",;:–—…()")
_UNSURE = frozenset("but and far know partly partially yet hopefully maybe perhaps only part".split())
"""What beside a "yes" or "no" leaves the question open."""
_STANDS_FOR_IT = frozenset("it they he she we you that there this these those i".split())
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN
_PREDICATE = (
    t.PAST | t.GERUND | t.HEALTHY | t.FINE | t.SAFE | t.GUARDED | t.DONE | t.BAD | t.ADVERB | t.BEEN | t.BEING
    | t.PREPOSITION | t.BASE
)  # fmt: skip
_LEADS = frozenset("and so but well then now".split())
_ASKS = frozenset("ask asks asked wonder wonders wondered".split())
_WRITER = {"i": "you", "my": "your", "me": "you", "am": "are", "mine": "yours"}
"""Whoever asks is the reader."""
_BLAME = frozenset("fault mistake error doing blunder negligence responsibility carelessness".split())
"""What readers ask of as the writer's."""
_LONGEST_QUESTION = 16
_LONGEST_ASIDE = 5
_FIRST = 3


def with_answers(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Turn the questions of a text that its next sentence answers into what they say with the answer.

    Args:
        sentences: the sentences of the text in their order.

    Returns:
        The same sentences; an answered question is a statement, denied where the answer is no.
    """
    found = list(sentences)
    for at, sentence in enumerate(sentences):
        if not sentence.question or len(sentence.words) > _LONGEST_QUESTION:
            continue
        after = at + 1
        if after < len(sentences) and _only_asks(sentences[after]):
            after += 1
        answer = _answer(sentences[after]) if after < len(sentences) else None
        stated = None if answer is None else _stated(sentence, agreed=answer)
        if stated is not None:
            found[at] = stated
    return tuple(found)


def _only_asks(sentence: Sentence) -> bool:
    """Whether a sentence only says who asks ("many of you ask")."""
    return len(sentence.words) <= _LONGEST_ASIDE and not _ASKS.isdisjoint(sentence.words)


def _answer(sentence: Sentence) -> bool | None:
    """Return whether a sentence begins with a plain yes or no, or None."""
    words, tags = sentence.words, sentence.tags
    if sentence.question:
        return None
    if words[0] in _YES or words[0] in _NO:
        plain = len(words) == 1 or words[1] in _MARKS or words[0] in _YES
        return words[0] in _YES if plain and _UNSURE.isdisjoint(words[1:_LONGEST_ASIDE]) else None
    whole = " ".join(words)
    if whole.startswith(_NOT_AT_ALL) and _ends_there(whole, _NOT_AT_ALL):
        return False
    if whole.startswith(_OF_COURSE) and (_ends_there(whole, _OF_COURSE) or _UNSURE.isdisjoint(words)):
        return True
    if len(words) < _FIRST - 1 or words[0] not in _STANDS_FOR_IT or not tags[1] & _FINITE:
        return None
    denied = words[_FIRST - 1 : _FIRST] == ["not"]
    end = _FIRST if denied else _FIRST - 1
    return not denied if end >= len(words) or words[end] in _MARKS else None


def _ends_there(whole: str, answers: tuple[str, ...]) -> bool:
    """Whether an answer ends with one of some words, or goes on after a mark."""
    return any(
        whole.startswith(answer)
        and (whole == answer or whole[len(answer) : len(answer) + 2].strip() in _MARKS)
        for answer in answers
    )


@lru_cache(maxsize=256)
def _stated(sentence: Sentence, *, agreed: bool) -> Sentence | None:
    """Put the verb of a question after its subject, with "not" where it is denied."""
    words, tags, at = sentence.words, sentence.tags, sentence.at
    verb = next((k for k in range(min(_FIRST, len(words))) if words[k] not in _LEADS), 0)
    if not tags[verb] & _FINITE or verb + 2 > len(words):
        return None
    # "Isn't it over?" asks what "is it over?" asks.
    first = verb + 1 + (words[verb + 1] == "not")
    if first >= len(words):
        return None
    end = _subject_end(sentence, first)
    rest = end + (words[end : end + 1] == ["not"])
    order = [*range(first, end), verb, *([] if agreed else [-1]), *range(rest, len(words))]
    told = ["not" if k < 0 else _as_told(words, k) for k in order]
    return replace(
        sentence,
        words=told,
        tags=[t.NOT if k < 0 else tags[k] for k in order],
        at=[at[max(k, verb)] for k in order],
        question=False,
        mask=sentence.mask | (0 if agreed else t.NOT),
        vocabulary=frozenset(told),
    )


def _as_told(words: list[str], at: int) -> str:
    """Return a word of a question as the writer of the text says it."""
    if words[at] == "your" and not _BLAME.isdisjoint(words[at + 1 : at + 3]):
        return "our"
    return _WRITER.get(words[at], words[at])


def _subject_end(sentence: Sentence, start: int) -> int:
    """Return the index after the subject of a question, which begins at ``start``."""
    words, tags = sentence.words, sentence.tags
    if words[start] in _STANDS_FOR_IT or (tags[start] & t.PRONOUN and not tags[start] & t.DETERMINER):
        return start + 1
    for end in range(start + 1, len(words)):
        if tags[end] & _PREDICATE and not tags[end - 1] & t.DETERMINER:
            return end
    return len(words) - 1
