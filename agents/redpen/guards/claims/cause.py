"""Claims of a cause: what is said to have brought the incident about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import Table
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words
from redpen.guards.claims.verbgroup import verb_group

@@WORDS@@_FUNCTION = (
    t.BE | t.BEEN | t.BEING | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN | t.TO | t.NOT | t.NO | t.AND | t.DETERMINER
    | t.PREPOSITION | t.PRONOUN | t.NUMBER | t.ADVERB | t.CONDITION
)  # fmt: skip
_SCHEDULED = frozenset(
    "be begin start end publish receive post arrive land finish complete expire follow come go".split()
)
_MAX_CAUSE = 10


def content(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the stems of the content words from ``start`` to ``end`` (exclusive)."""
    words, tags = sentence.words, sentence.tags
    return frozenset(
        stem(words[at])
        for at in range(start, end)
        if len(words[at]) > 1 and words[at][0].isalpha() and not tags[at] & _FUNCTION
    )


_TABLE = Table((row, row.words) for row in CAUSE_ROWS)


def _cause_span(sentence: Sentence, row: CauseRow, start: int, end: int) -> tuple[int, int]:
    words, tags = sentence.words, sentence.tags
    if row.side == "before":
        begin, stop = _cause_subject(sentence, verb_group(sentence, start).start)
        return max(begin, stop - _MAX_CAUSE), stop
    stop = end
    while stop < len(words) and stop - end < _MAX_CAUSE and not (words[stop] in _MARKS and stop > end):
        if tags[stop] & t.BUT or (
            row.side == "after" and stop > end and tags[stop] & t.AND and _new_clause(sentence, stop)
        ):
            break
        stop += 1
    return end, stop


def _new_clause(sentence: Sentence, at: int) -> bool:
    tags = sentence.tags
    return at + 1 < len(tags) and bool(tags[at + 1] & (t.PRONOUN | t.AGENT | t.BE | t.HAVE))


def _open_or_denied(sentence: Sentence, start: int, end: int) -> bool:
    words, tags = sentence.words, sentence.tags
    low = max(0, start - 8)
    for at in range(start - 1, low - 1, -1):
        word = words[at]
        if word in _MARKS or tags[at] & t.BUT:
            break
        if word in _OPEN or (word in _DENIED and words[at + 1] not in ("only", "just", "doubt")):
            return True
    return any(words[at] in _DENIED for at in range(start, min(end + 1, len(words))))


def _timed(row: CauseRow, stems: frozenset[str]) -> bool:
    """Whether "after", "since" or "following" only tells the time, and names nothing that breaks things."""
    return row.words.split()[0] in ("following", "after", "since") and stems.isdisjoint(CAUSE_NOUNS)


def _head_noun(sentence: Sentence, start: int, stop: int) -> str:
    """Return the stem of the last content word before the first preposition or verb."""
    head = ""
    for at in range(start, stop):
        tag, word = sentence.tags[at], sentence.words[at]
        if head and (
            tag & (t.PREPOSITION | t.BE | t.HAVE | t.WILL | t.TO | t.CONDITION | t.PRONOUN | t.AND)
            or word in _MARKS
        ):
            break
        if len(word) > 1 and word[0].isalpha() and not tag & _FUNCTION:
            head = stem(word)
    return "" if head in _NEUTRAL else head


def _cause_subject(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the subject before ``start``; for ", which" the clause before it."""
    begin, stop = subject_words(sentence, start)
    if (
        stop - begin == 1
        and sentence.words[begin] == "which"
        and begin > 1
        and sentence.words[begin - 1] == ","
    ):
        return max(0, begin - 1 - _MAX_CAUSE), begin - 1
    return begin, stop


def _breakers(sentence: Sentence) -> Iterator[Claim]:
    """Find what is said to have broken something ("a stray rule blocked the deliveries")."""
    words, tags = sentence.words, sentence.tags
    for at, tag in enumerate(tags):
        if not tag & t.CAUSER or not tag & (t.PAST | t.GERUND) or at + 1 >= len(words) or not at:
            continue
        group = verb_group(sentence, at)
        passive = tag & t.PAST and any(tags[k] & (t.BE | t.BEEN | t.BEING) for k in range(group.start, at))
        after = tags[at + 1]
        if (
            passive
            or not after & t.DETERMINER
            and not (words[at + 1].endswith("s") and words[at + 1][0].isalpha())
        ):
            continue
        if words[at] in _NEED_RESULT and not any(
            words[k] in _RESULTS for k in range(at + 2, min(len(words), at + 7))
        ):
            continue
        if (
            group.negated
            or group.mood in ("future", "aim", "possible")
            or _open_or_denied(sentence, group.start, at)
        ):
            continue
        begin, stop = _cause_subject(sentence, group.start)
        if begin == stop or any(tags[k] & t.AGENT for k in range(begin, min(stop, begin + 2))):
            continue
        named = content(sentence, begin, stop) - _NEUTRAL
        if named:
            tokens = sentence.tokens
            head = _head_noun(sentence, begin, stop)
            first, last = tokens[sentence.at[begin]].start, tokens[sentence.at[at]].end
            yield Claim("cause", first, last, "this is the cause", named, False, head)


_NEED_RESULT = frozenset("made making took taking brought bringing threw throwing hit hitting".split())
_RESULTS = frozenset(
    "wrong fail slow crash unavailable unreachable late down offline out knees halt disarray break inaccessible unstable "
    "incorrect hang stall standstill unusable reject refuse drop".split()
)


def find_causes(sentence: Sentence) -> Iterator[Claim]:
    """Find the causes that a sentence gives.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``cause`` whose key holds the stems of the words that name the cause.
    """
    words, tags = sentence.words, sentence.tags
    yield from _breakers(sentence)
    for row, at, end in _TABLE.find(words, tags):
        if True:
            if row.words == "due to" and end < len(words) and words[end] in _SCHEDULED:
                continue
            if (
                row.words == "thanks to"
                and end < len(words)
                and words[end] in ("all", "everyone", "you", "your", "our")
            ):
                continue
            if row.words == "because" and end < len(words) and words[end] == "of":
                continue
            if row.side == "before" and at and tags[at - 1] & t.DETERMINER and not tags[at - 1] & t.PRONOUN:
                continue
            if _open_or_denied(sentence, at, end):
                continue
            start, stop = _cause_span(sentence, row, at, end)
            stems = content(sentence, start, stop)
            named = stems - _NEUTRAL
            if row.side == "before":
                named -= frozenset(("payment", "checkout"))
            if _timed(row, stems) or not named:
                continue
            tokens = sentence.tokens
            first = min(at, start)
            last = max(end, stop) - 1
            head = "" if row.side == "because" else _head_noun(sentence, start, stop)
            begin, finish = tokens[sentence.at[first]].start, tokens[sentence.at[last]].end
            yield Claim("cause", begin, finish, "this is the cause", named, False, head)
