"""The clauses of a revision that stand alone: what they tell stands together nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.orders import is_order
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.talk_words import talk_stems, trouble_stems, ways_around
from redpen.guards.claims.told_verbs import Tense, main_verb

_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO
_FINITE = t.BE | t.HAVE | t.CAN | t.DO | t.THIRD
_TO_DO = frozenset("can need want do may should might could".split())
_TIMES = frozenset("when whenever once before after while".split())
"""What begins a clause that tells when."""
_REASONS = frozenset("for as because since".split())
"""What begins a clause that tells why, and a mere time or place too."""
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS | t.NOT | t.NO
_DENIES = t.NOT | t.NO
_NEW_SUBJECT = t.DETERMINER | t.PRONOUN | t.AGENT
_JOINS = t.AND | t.BUT
_NOT_SKIPPED = _NEW_SUBJECT | t.CONDITION | t.HARD_CONDITION
_NO_MAIN_CLAUSE = frozenset(
    "please to for in on at by from with of that if until as why how where which who because since than "
    "including such like not let".split()
)
_SHORTEST = 3
_MOST_SUPPORT = 0.5


class Told:
    """What a sentence holds that a revision may restate; its clauses are looked at when one is asked for.

    Args:
        sentence: the sentence.

    Attributes:
        stems: the stems of its content words.
    """

    __slots__ = ("_denied", "_fine", "_sentence", "stems")

    def __init__(self, sentence: Sentence) -> None:
        self.stems = content(sentence, 0, len(sentence.words))
        self._sentence = sentence
        self._fine: frozenset[str] | None = None
        self._denied: frozenset[str] | None = None

    @property
    def fine(self) -> frozenset[str]:
        """The stems of those of its clauses that tell of no trouble."""
        if self._fine is None:
            self._fine = _stems_of_fine(self._sentence)
        return self._fine

    @property
    def denied(self) -> frozenset[str]:
        """The stems of those of its clauses that deny something."""
        if self._denied is None:
            self._denied = _stems_of_denied(self._sentence)
        return self._denied


class Known(NamedTuple):
    """What a revision may restate.

    Attributes:
        sentences: what each sentence holds.
        all: the stems of all together.
        texts: the texts that the sentences are of.
    """

    sentences: tuple[Told, ...]
    all: frozenset[str]
    texts: tuple[str, ...]


class Clause(NamedTuple):
    """A clause that nothing supports.

    Attributes:
        start: index of its first word.
        end: index after its last.
        verb: index of its first verb.
        tense: when it is true.
        mask: all tags of its words together.
        turned: whether its words stand together, but only where trouble is told of.
    """

    start: int
    end: int
    verb: int
    tense: Tense
    mask: int
    turned: bool


@lru_cache(maxsize=2048)
def clauses(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Return where the clauses of a sentence begin, after what joins them on, and end."""
    words, tags = sentence.words, sentence.tags
    found = []
    start = 0
    for at in (*_joints(sentence), len(words)):
        if at == len(words) or _parts(words, tags, at, start):
            begin = start
            while begin < at and tags[begin] & (t.AND | t.ADVERB) and not tags[begin] & _NOT_SKIPPED:
                begin += 1
            if begin < at:
                found.append((begin, at))
            start = at + 1
    return tuple(found)


def _joints(sentence: Sentence) -> list[int]:
    """Return the places at which clauses may part."""
    if not sentence.mask & (t.AND | t.BUT) and sentence.vocabulary.isdisjoint(CLAUSE_MARKS):
        return []
    words = sentence.words
    return [at for at, tag in enumerate(sentence.tags) if tag & _JOINS or words[at] in CLAUSE_MARKS]


def _parts(words: list[str], tags: list[int], at: int, start: int) -> bool:
    """Whether the word at ``at`` parts two clauses."""
    if words[at] in CLAUSE_MARKS or (tags[at] & t.BUT and at > start):
        return True
    if not tags[at] & t.AND or at + 1 >= len(tags):
        return False
    # "It is kept here and was not lost": what is denied is said apart.
    denied = tags[at + 1] & _FINITE and words[at + 2 : at + 3] == ["not"]
    return bool(tags[at + 1] & _NEW_SUBJECT or denied)


def mask_of(sentence: Sentence, start: int, end: int) -> int:
    """Return all tags of the words from ``start`` to ``end`` (exclusive) together."""
    return reduce(or_, sentence.tags[start:end], 0)


def in_trouble(mask: int, stems: frozenset[str]) -> bool:
    """Whether words with these tags and stems tell of trouble."""
    return bool(mask & _TROUBLE) or not stems.isdisjoint(trouble_stems())


def _slowly(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the stems of adverbs of manner, which are no words of content ("opens slowly")."""
    return frozenset(stem(word) for word in sentence.words[start:end] if word.endswith("ly"))


@lru_cache(maxsize=2048)
def _told_in(sentence: Sentence) -> Told:
    return Told(sentence)


def _stems_of_fine(sentence: Sentence) -> frozenset[str]:
    fine: frozenset[str] = frozenset()
    for start, end in clauses(sentence):
        if not mask_of(sentence, start, end) & _TROUBLE:
            stems = content(sentence, start, end)
            if (stems | _slowly(sentence, start, end)).isdisjoint(_amiss()):
                fine |= stems
    return fine


def _stems_of_denied(sentence: Sentence) -> frozenset[str]:
    if not sentence.mask & _DENIES:
        return frozenset()
    denied = (it for it in clauses(sentence) if mask_of(sentence, *it) & _DENIES)
    return frozenset().union(*[content(sentence, start, end) for start, end in denied])


@lru_cache(maxsize=1)
def _amiss() -> frozenset[str]:
    """Return the stems of words for trouble that are none for ways around one."""
    return trouble_stems() - ways_around()


def known_of(texts: Iterable[str]) -> Known:
    """Return what the sentences of some texts hold."""
    return _known(tuple(texts))


@lru_cache(maxsize=64)
def _known(texts: tuple[str, ...]) -> Known:
    sentences = tuple([_told_in(sentence) for text in texts for sentence in own_sentences(text)])
    return Known(sentences, frozenset().union(*[told.stems for told in sentences]), texts)


def _is_put_anew(stems: frozenset[str], known: Known) -> bool:
    """Whether known words, more than one, stand together in no sentence that is known."""
    return len(stems) > 1 and not any(stems <= told.stems for told in known.sentences)


def _tells_what_is_theirs(words: list[str], start: int) -> bool:
    """Whether "what" at ``start`` stands for what readers or devices have, and not for what to do."""
    after = words[start + 1 : start + 3]
    return after[:1] in (["you"], ["they"]) and _TO_DO.isdisjoint(after)


def _is_open(sentence: Sentence, start: int, end: int, mask: int) -> bool:
    """Whether a word leaves a clause open or denies it; "the till" is no condition."""
    if not mask & _OPEN:
        return False
    tags = sentence.tags
    return any(
        tags[at] & _OPEN and not (sentence.words[at] == "till" and tags[at - 1] & t.DETERMINER)
        for at in range(start, end)
    )


@lru_cache(maxsize=1024)
def main_clauses(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Return where the clauses begin and end that state something by themselves.

    A reason counts as one ("for the gates are open"), and what is so on a condition that follows it ("it
    opens when you knock").
    """
    words, tags = sentence.words, sentence.tags
    found = []
    for begin, stop in clauses(sentence):
        start, end = begin, stop
        if words[start] in _REASONS and mask_of(sentence, start, end) & _FINITE:
            start += 1
        after = (at for at in range(start + _SHORTEST, end) if words[at] in _TIMES)
        end = next((at for at in after if at + 1 < end and tags[at + 1] & _NEW_SUBJECT), end)
        if words[start] == "what" and not _tells_what_is_theirs(words, start):
            continue
        if end - start < _SHORTEST or words[start] in _NO_MAIN_CLAUSE or is_order(sentence, start, end):
            continue
        found.append((start, end))
    return tuple(found)


class Main(NamedTuple):
    """A main clause that is neither open nor denied.

    Attributes:
        clause: the clause as it is when it stands alone.
        stems: the stems of its content words.
        news: those that are no talk.
        trouble: whether it tells of trouble.
    """

    clause: Clause
    stems: frozenset[str]
    news: frozenset[str]
    trouble: bool


@lru_cache(maxsize=1024)
def _stated(sentence: Sentence) -> tuple[Main, ...]:
    """Return the main clauses with a verb after their first word that are neither open nor denied."""
    found = []
    for start, end in main_clauses(sentence):
        mask = mask_of(sentence, start, end)
        if _is_open(sentence, start, end, mask):
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb > start:
            stems = content(sentence, start, end)
            clause = Clause(start, end, verb, tense, mask, False)
            found.append(Main(clause, stems, stems - talk_stems(), in_trouble(mask, stems)))
    return tuple(found)


def alone(sentence: Sentence, known: Known, *, over: bool = False) -> Iterator[Clause]:
    """Yield the main clauses, neither open nor denied, whose content words stand together nowhere.

    Clauses that hold no word for trouble count as alone where their words stand together only in telling
    of it.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
        over: whether trouble is put into the past: then clauses with numbers count too, which other rules
            read, and those whose words are all known.
    """
    for clause, stems, news, trouble in _stated(sentence):
        if clause.mask & t.NUMBER and not over:
            continue
        if news <= known.all and not (over and _is_put_anew(stems, known)):
            continue
        least = _MOST_SUPPORT * len(stems)
        supports = [told for told in known.sentences if len(stems & told.stems) >= least]
        if not supports:
            yield clause
        elif not trouble and all(len(stems & told.fine) < least for told in supports):
            yield clause._replace(turned=True)


def head_of(sentence: Sentence, clause: Clause) -> tuple[int, int]:
    """Return the span of the subject up to its first preposition."""
    for at in range(clause.start + 1, clause.verb):
        if sentence.tags[at] & t.PREPOSITION and not sentence.tags[at] & t.ADVERB:
            return clause.start, at
    return clause.start, clause.verb
