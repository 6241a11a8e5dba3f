"""Small questions about a place in a clause: what follows, what the subject holds."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words


def following(sentence: Sentence, index: int) -> str:
    """Return the word after ``index``, or an empty string."""
    return sentence.words[index + 1] if index + 1 < len(sentence.words) else ""


def clause_ends_after(sentence: Sentence, index: int) -> bool:
    """Whether the clause ends after the word at ``index``."""
    return index + 1 >= len(sentence.words) or sentence.words[index + 1] in CLAUSE_MARKS


def is_glued(sentence: Sentence, index: int) -> bool:
    """Whether a hyphen joins the word at ``index`` and the next into one ("the cut-off")."""
    at, tokens = sentence.at, sentence.tokens
    if index < 0 or index + 1 >= len(at) or at[index + 1] != at[index] + 2:
        return False
    end = tokens.starts[at[index]] + len(tokens.raw[at[index]])
    return tokens.raw[at[index] + 1] == "-" and tokens.starts[at[index + 1]] == end + 1


def has(sentence: Sentence, span: tuple[int, int], tag: int) -> bool:
    """Whether any word of the span carries one of the tags."""
    return any(item & tag for item in sentence.tags[span[0] : span[1]])


def determined(sentence: Sentence, index: int) -> bool:
    """Whether an article or the like stands right before ``index``."""
    return bool(
        index and sentence.tags[index - 1] & t.DETERMINER and not sentence.tags[index - 1] & t.PRONOUN
    )


_COMPLETION = frozenset(
    "now already fully finally all completely successfully again back both entirely since meanwhile".split()
)
_PRESENT_BE = frozenset(("is", "are", "'s", "am", "'re"))


def _in_list_of_steps(sentence: Sentence, index: int) -> bool:
    """Whether the participle at ``index`` shares a present "is" with one before it ("is read and sent")."""
    words, tags = sentence.words, sentence.tags
    if not index or not (tags[index - 1] & t.AND or words[index - 1] == ","):
        return False
    for at in range(index - 2, -1, -1):
        if tags[at] & (
            t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO | t.BEEN | t.BEING | t.BUT | t.CONDITION
        ):
            return words[at] in _PRESENT_BE
    return False


def habitual(sentence: Sentence, start: int, index: int) -> bool:
    """Whether the verb at ``index``, whose group begins at ``start``, tells what is done as a rule.

    The simple present of an activity does ("the queue is drained", "calls go through"), unless an adverb of
    completion stands with it.
    """
    words, tags = sentence.words, sentence.tags
    group = words[start:index]
    if not _COMPLETION.isdisjoint(group) or following(sentence, index) in ("now", "already", "again"):
        return False
    if tags[index] & t.PAST and not tags[index] & t.BASE:
        if not group and _in_list_of_steps(sentence, index):
            return True
        return bool(group) and all(
            word in _PRESENT_BE or tags[start + at] & t.ADVERB for at, word in enumerate(group)
        )
    return bool(tags[index] & (t.BASE | t.THIRD)) and not group


def head_of_subject(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the span of the subject before a verb group, up to its first preposition."""
    begin, end = subject_words(sentence, start)
    for at in range(begin + 1, end):
        tag = sentence.tags[at]
        if tag & t.PREPOSITION and not tag & (t.PRONOUN | t.ADVERB):
            return begin, at
    return begin, end
