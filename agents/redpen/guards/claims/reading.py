"""A text as the claim rules read it: sentences of words with what each word can be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import punctuation
from types import MappingProxyType

from redpen.guards.claims import tags as t
from redpen.guards.claims.answers import with_answers
from redpen.guards.claims.grammar import CLOSED_WORDS, GRAMMAR_VERBS
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.phrases import PHRASES
from redpen.guards.claims.vocabulary import WORD_ROWS
from redpen.text.tokens import Tokens, kind_of, sentences, tokenize

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
        tokens: all tokens of the text.
    """

    words: list[str]
    tags: list[int]
    at: list[int]
    question: bool
    mask: int
    vocabulary: frozenset[str]
    tokens: Tokens

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where the words from ``first`` to ``last`` (inclusive) stand in the text."""
        # The words of an answered question stand in another order than in the text.
        tokens, places = self.tokens, self.at[first : last + 1] if last >= 0 else self.at[first:]
        start, end = min(places), max(places)
        return tokens.starts[start], tokens.starts[end] + len(tokens.raw[end])

    def places(self, begin: int, stop: int) -> tuple[int, int]:
        """Return the indices of the first word between two places of the text, and after the last."""
        starts = self.tokens.starts
        found = [index for index, at in enumerate(self.at) if begin <= starts[at] < stop]
        return (found[0], found[-1] + 1) if found else (0, 0)


_OWN_FORMS = frozenset(("be", "have", "do"))


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, int]:
    """Return what the known words can be, by their form in lower case."""
    found: dict[str, int] = {}
    verbs = [(word, row.tags) for row in WORD_ROWS if row.verb for word in row.words.split()]
    phrased = sorted(set(re.findall(r"~([a-z]+)", " ".join(row.pattern for row in PHRASES))) - _OWN_FORMS)
    for lemma, tag in (*verbs, *GRAMMAR_VERBS, *((lemma, 0) for lemma in phrased)):
        for word in spellings(lemma):
            forms = inflect(word)
            for form, bit in ((forms.base, t.BASE), (forms.third, t.THIRD), (forms.gerund, t.GERUND)):
                found[form] = found.get(form, 0) | tag | bit
            for form in forms.past:
                found[form] = found.get(form, 0) | tag | t.PAST
    words = [(word, row.tags) for row in WORD_ROWS if not row.verb for word in row.words.split()]
    for word, tag in (*words, *CLOSED_WORDS):
        found[word] = found.get(word, 0) | tag
    return MappingProxyType(found)


_AUXILIARIES = "is are was were has have had do does did would could should might must need".split()
_CONTRACTIONS: dict[str, tuple[str, ...]] = {
    **{f"{word}n't": (word, "not") for word in _AUXILIARIES},
    **{f"{word}nt": (word, "not") for word in _AUXILIARIES if word not in ("wa", "we")},
    "can't": ("can", "not"), "cant": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"),
    "wont": ("will", "not"), "shan't": ("will", "not"), "ain't": ("is", "not"), "let's": ("let", "us"),
    "gonna": ("going", "to"), "anymore": ("any", "more"), "nolonger": ("no", "longer"),
    "alright": ("all", "right"),
}  # fmt: skip
_ENDINGS = {"'ve": "have", "'re": "are", "'ll": "will", "'d": "would", "'m": "am", "'s": "'s"}
_IS_AFTER = frozenset(
    "it that this there everything all what who which he she here nothing everyone service checkout "
    "one where".split()
)
_HYPHENS = frozenset("-‐‑")
_MARKS: dict[str, tuple[tuple[str, int], ...]] = {
    **{mark: ((mark, 0),) for mark in ",;:()[]–—…"},
    **dict.fromkeys("-‐‑―−", (("–", 0),)),
    **{mark: ((mark, t.AND),) for mark in "/&+"},
    "%": (("%", t.ADVERB),),
}
"""Marks that stay in a sentence, and what they are read as."""
_ENDS = frozenset("?.!…")
_OPENING = 4
_ASKING = frozenset(
    "stuck charged worried wondering is are was were has have had do does did can could will would "
    "should may what when where why "
    "who how which "
    "whether".split()
)
_SEEN_AS_SO = frozenset("know heard guess noticed right correct believe".split())
"""Words of questions that take for granted what they say ("did you know that ...?")."""
_NOT_THE_READER = frozenset("we i they anyone anybody".split())
_STATES = frozenset("is are was were has have will 's 're 've 'll".split())
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
_DROPPED = -1
"""Stands for the tags of a mark that is no part of a sentence."""


@lru_cache(maxsize=1)
def _plain() -> Mapping[str, int]:
    """Return the words and marks that stand for themselves, for the quick way through a text."""
    known = lexicon().items()
    words = {word: tag for word, tag in known if word[0].isalpha() and "'" not in word}
    for contraction in _CONTRACTIONS:
        words.pop(contraction, None)
    marks = {mark: parts[0][1] for mark, parts in _MARKS.items() if parts[0][0] == mark}
    dropped = dict.fromkeys(set(punctuation) - set(_MARKS) - _HYPHENS, _DROPPED)
    return words | marks | dropped


@lru_cache(maxsize=4096)
def _tags_of(word: str) -> int:
    known = lexicon().get(word)
    if known is not None:
        return known
    return t.ADVERB if len(word) > 4 and word.endswith("ly") else 0


@lru_cache(maxsize=4096)
def _parts(folded: str) -> tuple[tuple[str, int], ...]:
    """Return the words that a token stands for, each with its tags; none for a mark that parts nothing."""
    parts = _CONTRACTIONS.get(folded)
    kind = kind_of(folded)
    if kind == "number":
        return ((folded, t.NUMBER),)
    if kind != "word":
        return _MARKS.get(folded, ())
    if parts is None:
        cut = folded.find("'")
        ending = _ENDINGS.get(folded[cut:]) if cut > 0 else None
        if ending is None:
            parts = (folded,)
        elif ending == "'s" and folded[:cut] in _IS_AFTER:
            parts = (folded[:cut], "is")
        else:
            parts = (folded[:cut], ending)
    return tuple((part, _tags_of(part)) for part in parts)


def _is_hyphen(tokens: Tokens, index: int, stop: int) -> bool:
    """Whether the mark at ``index`` glues two words."""
    starts = tokens.starts
    return (
        0 < index < stop - 1
        and starts[index - 1] + len(tokens.raw[index - 1]) == starts[index]
        and starts[index + 1] == starts[index] + 1
    )


def _is_question(tokens: Tokens, start: int, stop: int, words: list[str]) -> bool:
    """Whether the tokens end in a question mark and begin as a question does."""
    last = stop - 1
    while last > start and tokens.raw[last] not in _ENDS:
        last -= 1
    if tokens.raw[last] != "?" or (not _SEEN_AS_SO.isdisjoint(words) and not _asks_us(words)):
        return False
    return not _ASKING.isdisjoint(words[:_OPENING]) or _STATES.isdisjoint(words)


def _asks_us(words: list[str]) -> bool:
    """Whether a question asks what we or others know, and not whether the reader knows it already."""
    return not _ASKING.isdisjoint(words[:1]) and not _NOT_THE_READER.isdisjoint(words[1:2])


def _read(tokens: Tokens, start: int, stop: int, asked: int = -1) -> Sentence:
    """Read the tokens from ``start`` to ``stop`` (exclusive) as one sentence.

    The question mark at ``asked`` stands for a colon ("the culprit? A router").
    """
    words: list[str] = []
    tags: list[int] = []
    at: list[int] = []
    joined = False
    mask = 0
    plain = _plain().get
    for index, word in enumerate(tokens.folded[start:stop], start):
        folded = ":" if index == asked else word
        tag = plain(folded)
        if tag is not None and not joined:
            if tag >= 0:
                words.append(folded)
                tags.append(tag)
                at.append(index)
                mask |= tag
            continue
        if folded in _HYPHENS and _is_hyphen(tokens, index, stop):
            joined = bool(words) and words[-1] in _JOINED
            continue
        if joined and tokens.kind(index) == "word":
            folded = words.pop() + folded
            tags.pop()
            at.pop()
        joined = False
        for part, tag in _parts(folded):
            words.append(part)
            tags.append(tag)
            at.append(index)
            mask |= tag
    question = _is_question(tokens, start, stop, words)
    _settle(words, tags)
    return Sentence(words, tags, at, question, mask, frozenset(words), tokens)


def _settle(words: list[str], tags: list[int]) -> None:
    """Take back what words are not beside others ("more than not", "every two hours")."""
    if words and words[0] in _TURNED and len(words) > 1 and _is_unreal(words, tags):
        words[0], tags[0] = "if", t.HARD_CONDITION
    for at in range(1, len(words)):
        if words[at] == "not" and words[at - 1] == "than":
            words[at], tags[at] = "otherwise", t.ADVERB
        elif words[at - 1] in _CADENCE and (tags[at] & t.NUMBER or words[at] in _SPANS):
            tags[at - 1] &= ~t.UNIVERSAL


def _is_unreal(words: list[str], tags: list[int]) -> bool:
    """Whether a sentence that begins with a verb supposes something ("had it been so, we would ...")."""
    if not tags[1] & (t.DETERMINER | t.PRONOUN | t.AGENT) or "," not in words:
        return False
    return any(tag & (t.MAY | t.WILL | t.CAN) for tag in tags[words.index(",") :])


@lru_cache(maxsize=256)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text into sentences of tagged words.

    Args:
        text: any text, as a reader sees it.

    Returns:
        Its sentences that hold a word, in order.
    """
    tokens = tokenize(text)
    found = []
    asked, opening = -1, -1
    for begin, end in sentences(tokens):
        if asked < 0 and (mark := _asks_for_cause(tokens, begin, end)) >= 0:
            asked, opening = mark, begin
            continue
        for start in range(begin if asked < 0 else opening, end, MAX_SENTENCE_WORDS):
            sentence = _read(tokens, start, min(end, start + MAX_SENTENCE_WORDS), asked)
            if sentence.words:
                found.append(sentence)
        asked = -1
    return with_answers(found) if any(sentence.question for sentence in found) else tuple(found)


def _asks_for_cause(tokens: Tokens, start: int, stop: int) -> int:
    """Return where the question mark stands of a question that only names the cause, or -1."""
    if stop - start > _SHORT_QUESTION or tokens.raw[stop - 1] != "?" or stop >= len(tokens):
        return -1
    words = tokens.folded[start:stop]
    named = not _CAUSE_ASKED.isdisjoint(words) and _NO_ANSWER.isdisjoint((*words, tokens.folded[stop]))
    return stop - 1 if named else -1
