"""A text as the claim rules read it: sentences of words with what each word can be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.answers import with_answers
from redpen.guards.claims.lexicon import APART, DROPPED, HYPHENS, parts_of, tags_of_tokens
from redpen.text.tokens import Tokens, sentences, tokenize

MAX_SENTENCE_WORDS = 160
"""Longer stretches without a sentence end are read in pieces of this many tokens."""


@dataclass(slots=True, eq=False)
class Sentence:
    """One sentence; three lists of equal length.

    Attributes:
        words: words in lower case with contractions undone, and the marks that part clauses.
        tags: what each can be, see ``tags``.
        at: index of the token that each comes from.
        question: whether it asks.
        mask: all tags of its words together.
        vocabulary: its words, each once.
        tokens: its tokens.
        origin: the place of its tokens from which places count: its own begin, or that of its text.
    """

    words: list[str]
    tags: list[int]
    at: list[int]
    question: bool
    mask: int
    vocabulary: frozenset[str]
    tokens: Tokens
    origin: int

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where the words from ``first`` to ``last`` (inclusive) stand."""
        # The words of an answered question stand in another order than in the text.
        tokens, places = self.tokens, self.at[first : last + 1] if last >= 0 else self.at[first:]
        start, end = min(places), max(places)
        return tokens.starts[start] - self.origin, tokens.starts[end] + len(tokens.raw[end]) - self.origin

    def within(self, begin: int, stop: int) -> list[int]:
        """Return the indices of the words that begin between two places."""
        first, last, starts = begin + self.origin, stop + self.origin, self.tokens.starts
        return [index for index, at in enumerate(self.at) if first <= starts[at] < last]

    def places(self, begin: int, stop: int) -> tuple[int, int]:
        """Return the indices of the first word between two places, and after the last."""
        found = self.within(begin, stop)
        return (found[0], found[-1] + 1) if found else (0, 0)


class Placed(NamedTuple):
    """A sentence where it stands; texts that hold the same sentence share what is read of it.

    Attributes:
        begin: index of its first character in its text.
        sentence: the sentence, whose places count from there.
    """

    begin: int
    sentence: Sentence


class _Piece(str):
    """The characters of a sentence, by which it is kept, with the tokens of its text until it is read."""

    __slots__ = ("first", "stop", "tokens")
    tokens: Tokens
    first: int
    stop: int

    def take(self) -> Tokens:
        """Return its own tokens, and let the others of its text go."""
        every, here = self.tokens, slice(self.first, self.stop)
        self.tokens = Tokens(every.raw[here], every.folded[here], every.starts[here], [])
        return self.tokens


_ENDS = frozenset("?.!…")
_OPENING = 4
_ASKING = frozenset(
    "stuck charged worried wondering is are was were has have had do does did can could will would should "
    "may what when where why who how which whether".split()
)
_SEEN_AS_SO = frozenset("know heard guess noticed right correct believe".split())
"""Words of questions that take for granted what they say ("did you know that ...?")."""
_NOT_THE_READER = frozenset("we i they anyone anybody".split())
_STATES = frozenset("is are was were has have will 's 're 've 'll".split())
_UNSETTLED = frozenset(("had", "were", "than", "every", "each", "pending"))
"""Words without which ``_settle`` has nothing to do."""
_SHORT_QUESTION = 8
_CAUSE_ASKED = frozenset("culprit cause reason explanation trigger why behind responsible wrong".split())
"""What a question names that the next sentence answers."""
_NO_ANSWER = frozenset("you your please call write contact ask see read check visit reply".split())
"""Words of a question to the reader, or of an invitation that follows it."""
_TURNED = frozenset(("had", "were"))
"""Verbs that begin a clause of condition without "if"."""
_JOINED = frozenset("re un de non pre co mis".split())


_CADENCE = frozenset(("every", "each"))
_SPANS = frozenset(
    "second minute hour day week month quarter half other few couple ten fifteen twenty thirty five two "
    "three".split()
)
"""What after "every" tells how often, and not of how many."""


def _is_hyphen(tokens: Tokens, index: int, stop: int) -> bool:
    """Whether the mark at ``index`` glues two words."""
    starts = tokens.starts
    return (
        0 < index < stop - 1
        and starts[index - 1] + len(tokens.raw[index - 1]) == starts[index]
        and starts[index + 1] == starts[index] + 1
    )


def _is_question(tokens: Tokens, words: list[str]) -> bool:
    """Whether the tokens end in a question mark and begin as a question does."""
    last = len(tokens) - 1
    while last > 0 and tokens.raw[last] not in _ENDS:
        last -= 1
    if tokens.raw[last] != "?" or (not _SEEN_AS_SO.isdisjoint(words) and not _asks_us(words)):
        return False
    return not _ASKING.isdisjoint(words[:_OPENING]) or _STATES.isdisjoint(words)


def _asks_us(words: list[str]) -> bool:
    """Whether a question asks what we or others know, and not whether the reader knows it already."""
    return not _ASKING.isdisjoint(words[:1]) and not _NOT_THE_READER.isdisjoint(words[1:2])


@lru_cache(maxsize=2048)
def _read(piece: _Piece, asked: int) -> Sentence:
    """Read the tokens of a sentence.

    The question mark at ``asked`` stands for a colon ("the culprit? A router").
    """
    tokens = piece.take()
    folded = tokens.folded
    found, whole = tags_of_tokens(folded)
    last = len(found) - 1
    if whole and asked < 0 and found[last] == DROPPED and found.index(DROPPED) == last:
        # Most sentences end in a full stop and hold no other mark that is no part of them.
        at, words, tags = list(range(last)), folded[:last], found[:last]
    elif whole and asked < 0:
        at = [index for index, tag in enumerate(found) if tag >= 0]
        words, tags = [folded[index] for index in at], [found[index] for index in at]
    else:
        words, tags, at = _taken_apart(tokens, found, asked)
    # Most sentences end in a full stop: no more has to be asked of them.
    question = tokens.raw[-1] != "." and _is_question(tokens, words)
    mask, vocabulary = reduce(or_, tags, 0), frozenset(words)
    if not _UNSETTLED.isdisjoint(vocabulary):
        _settle(words, tags)
        vocabulary = frozenset(words)
    return Sentence(words, tags, at, question, mask, vocabulary, tokens, tokens.starts[0])


def _taken_apart(tokens: Tokens, found: list[int], asked: int) -> tuple[list[str], list[int], list[int]]:
    """Return words, tags and places where some tokens stand for several words, or several for one."""
    folded = tokens.folded
    words: list[str] = []
    tags: list[int] = []
    at: list[int] = []
    joined = False
    for index, (word, tag) in enumerate(zip(folded, found, strict=True)):
        if tag != APART and not joined and index != asked:
            if tag >= 0:
                words.append(word)
                tags.append(tag)
                at.append(index)
            continue
        if word in HYPHENS and _is_hyphen(tokens, index, len(folded)):
            joined = bool(words) and words[-1] in _JOINED
            continue
        whole = ":" if index == asked else word
        if joined and tokens.kind(index) == "word":
            whole = words.pop() + word
            tags.pop()
            at.pop()
        joined = False
        for part, own in parts_of(whole):
            words.append(part)
            tags.append(own)
            at.append(index)
    return words, tags, at


def _settle(words: list[str], tags: list[int]) -> None:
    """Take back what words are not beside others ("more than not", "every two hours")."""
    if words and words[0] in _TURNED and len(words) > 1 and _is_unreal(words, tags):
        words[0], tags[0] = "if", t.HARD_CONDITION
    for at in range(1, len(words)):
        if words[at] == "not" and words[at - 1] == "than":
            words[at], tags[at] = "otherwise", t.ADVERB
        elif words[at - 1] == "pending" and words[at].endswith(("s", "one")) and words[at] != "us":
            # "Pending orders ship today" supposes nothing, "pending a review" does.
            tags[at - 1] &= ~(t.CONDITION | t.HARD_CONDITION)
        elif words[at - 1] in _CADENCE and (tags[at] & t.NUMBER or words[at] in _SPANS):
            tags[at - 1] &= ~t.UNIVERSAL


def _is_unreal(words: list[str], tags: list[int]) -> bool:
    """Whether a sentence that begins with a verb supposes something ("had it been so, we would ...")."""
    if not tags[1] & (t.DETERMINER | t.PRONOUN | t.AGENT) or "," not in words:
        return False
    return any(tag & (t.MAY | t.WILL | t.CAN) for tag in tags[words.index(",") :])


def _piece(text: str, tokens: Tokens, first: int, stop: int) -> _Piece:
    """Return the tokens from ``first`` to ``stop`` (exclusive) as a piece."""
    starts, last = tokens.starts, stop - 1
    piece = _Piece(text[starts[first] : starts[last] + len(tokens.raw[last])])
    piece.tokens, piece.first, piece.stop = tokens, first, stop
    return piece


@lru_cache(maxsize=256)
def placed_sentences(text: str) -> tuple[Placed, ...]:
    """Cut a text into sentences of tagged words.

    Args:
        text: any text, as a reader sees it.

    Returns:
        Its sentences that hold a word, in order, each with its place.
    """
    tokens = tokenize(text)
    found = []
    asked, opening = -1, -1
    for begin, end in sentences(tokens):
        asks = asked < 0 and tokens.raw[end - 1] == "?"
        if asks and (mark := _asks_for_cause(tokens, begin, end)) >= 0:
            asked, opening = mark, begin
            continue
        for first in range(begin if asked < 0 else opening, end, MAX_SENTENCE_WORDS):
            stop = min(end, first + MAX_SENTENCE_WORDS)
            # A hyphen that glues a sentence to the one before is no part of either.
            start = first + (tokens.raw[first] in HYPHENS and _is_hyphen(tokens, first, stop))
            here = asked - start if start <= asked < stop else -1
            sentence = _read(_piece(text, tokens, start, stop), here)
            if sentence.words:
                found.append(Placed(tokens.starts[start], sentence))
        asked = -1
    if "?" not in text or not any(sentence.question for _, sentence in found):
        return tuple(found)
    told = with_answers([placed.sentence for placed in found])
    return tuple(Placed(placed.begin, sentence) for placed, sentence in zip(found, told, strict=True))


@lru_cache(maxsize=1024)
def own_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text as such, for what does not ask where they stand.

    Args:
        text: any text, as a reader sees it.

    Returns:
        Its sentences, whose places count from their own begin; what is kept by a sentence serves all texts
        that hold it.
    """
    return tuple([placed.sentence for placed in placed_sentences(text)])


@lru_cache(maxsize=256)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text into sentences of tagged words, whose places count from the begin of the text.

    Args:
        text: any text, as a reader sees it.

    Returns:
        Its sentences that hold a word, in order.
    """
    return tuple(_moved(begin, sentence) for begin, sentence in placed_sentences(text))


def _moved(begin: int, it: Sentence) -> Sentence:
    # Written out: ``dataclasses.replace`` takes four times as long.
    origin = it.origin - begin
    return Sentence(it.words, it.tags, it.at, it.question, it.mask, it.vocabulary, it.tokens, origin)


def _asks_for_cause(tokens: Tokens, start: int, stop: int) -> int:
    """Return where the mark stands of a question that only names the cause, or -1."""
    if stop - start > _SHORT_QUESTION or stop >= len(tokens):
        return -1
    words = tokens.folded[start:stop]
    named = not _CAUSE_ASKED.isdisjoint(words) and _NO_ANSWER.isdisjoint((*words, tokens.folded[stop]))
    return stop - 1 if named else -1
