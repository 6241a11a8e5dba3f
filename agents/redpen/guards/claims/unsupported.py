"""Statements that nothing in context and original supports, and that can only be claims.

Word lists end where the next paraphrase begins ("rides end when riders end them"). A revision restates: the
content words of each of its clauses stand together in some sentence of its original or of the context. A
clause that stands alone is a claim where it tells a good state of what is affected, or what something did
that is named nowhere else; any other is at most a concern, see ``redpen.guards.novelty``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.allowance import context_prose
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.word_classes import WORD_CLASSES

_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NUMBER | t.NOT | t.NO
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_NEW_SUBJECT = t.DETERMINER | t.PRONOUN | t.AGENT
_NOT_SKIPPED = _NEW_SUBJECT | t.CONDITION | t.HARD_CONDITION
_AUXILIARY = t.BE | t.HAVE | t.CAN | t.DO | t.WILL
_NO_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.AND | t.NUMBER
_AFTER_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.TO
_READERS = frozenset(WORD_CLASSES["readers"].split())
_NEWS = frozenset(
    "news update updates notice report reports information bulletin summary statement message".split()
)
_PAST = frozenset(("was", "were", "had", "did"))
_NO_MAIN_CLAUSE = frozenset(
    "please to for in on at by from with of that if until as what why how where which who because since than "
    "including such like not let".split()
)
_BY_HAND = frozenset("hand manually crew crews volunteers courier couriers".split())
_RELATIVE = frozenset(("that", "which", "who"))
_WE = frozenset("we i you they".split())
_SAYS = "things are as they should be, which nothing supports"
_SAYS_OF_EVENT = "this is what happened, which nothing supports"
_NO_NEW_ACTOR = t.AGENT | t.PRONOUN | t.PROBLEM
_SHORTEST = 3
_MOST_SUPPORT = 0.5
_LEAST_PIECES = 3


class _Known(NamedTuple):
    """Stems of what a revision may restate: by sentence, and all together."""

    sentences: tuple[frozenset[str], ...]
    all: frozenset[str]


class _Clause(NamedTuple):
    """A clause that nothing supports.

    Attributes:
        start: index of its first word.
        end: index after its last.
        verb: index of its first verb.
        past: whether that is past or perfect.
        mask: all tags of its words together.
    """

    start: int
    end: int
    verb: int
    past: bool
    mask: int


@lru_cache(maxsize=1024)
def _stems_by_sentence(text: str) -> tuple[frozenset[str], ...]:
    return tuple(content(sentence, 0, len(sentence.words)) for sentence in read_sentences(text))


def _known(texts: Iterable[str]) -> _Known:
    by_sentence = tuple(found for text in texts for found in _stems_by_sentence(text))
    return _Known(by_sentence, frozenset().union(*by_sentence))


def find_unsupported(revised: str, original: str, context: Mapping[str, Any]) -> tuple[Claim, ...]:
    """Find the statements of a revision that nothing supports and that can only be claims.

    Args:
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.

    Returns:
        Claims in the order of the text.
    """
    by_original = _known((original,))
    # Most clauses stand in the original: the context need not be read for them.
    sentences = [
        sentence
        for sentence in read_sentences(revised)
        if not sentence.question and any(True for _ in _alone(sentence, by_original))
    ]
    if not sentences:
        return ()
    actions, others = context_prose(context)
    known = _known((original, *actions, *others))
    if len(known.all) < _LEAST_PIECES:
        return ()
    return tuple(
        claim
        for sentence in sentences
        for clause in _alone(sentence, known)
        for claim in _claims(sentence, clause, known)
    )


def _clauses(sentence: Sentence) -> Iterator[tuple[int, int]]:
    words, tags = sentence.words, sentence.tags
    start = 0
    for at in range(len(words) + 1):
        if at == len(words) or _parts(words, tags, at, start):
            begin = start
            while begin < at and tags[begin] & (t.AND | t.ADVERB) and not tags[begin] & _NOT_SKIPPED:
                begin += 1
            if at - begin >= _SHORTEST and words[begin] not in _NO_MAIN_CLAUSE:
                yield begin, at
            start = at + 1


def _parts(words: list[str], tags: list[int], at: int, start: int) -> bool:
    """Whether the word at ``at`` parts two clauses."""
    if words[at] in CLAUSE_MARKS or (tags[at] & t.BUT and at > start):
        return True
    return bool(tags[at] & t.AND and at + 1 < len(tags) and tags[at + 1] & _NEW_SUBJECT)


def _alone(sentence: Sentence, known: _Known) -> Iterator[_Clause]:
    """Yield the main clauses, neither open nor denied, whose content words stand together nowhere."""
    for start, end in _clauses(sentence):
        mask = 0
        for tag in sentence.tags[start:end]:
            mask |= tag
        stems = content(sentence, start, end)
        fresh = stems - known.all - talk_stems()
        if mask & _OPEN or not fresh:
            continue
        if max((len(stems & other) for other in known.sentences), default=0) >= _MOST_SUPPORT * len(stems):
            continue
        verb, past = _verb(sentence, start, end)
        if verb > start:
            yield _Clause(start, end, verb, past, mask)


def _verb(sentence: Sentence, start: int, end: int) -> tuple[int, bool]:
    """Return where the main verb of a clause stands, -1 without one, and whether it tells of the past."""
    words, tags = sentence.words, sentence.tags
    for at in range(start, end):
        if tags[at] & _AUXILIARY and words[at - 1] not in _RELATIVE:
            done = tags[at] & t.HAVE and any(
                _is_past(words[k], tags[k]) for k in range(at + 1, min(end, at + 3))
            )
            return at, words[at] in _PAST or bool(done)
    if words[start] in _WE:
        verb = next((at for at in range(start + 1, end) if not tags[at] & t.ADVERB), -1)
        return verb, verb > 0 and _is_past(words[verb], tags[verb])
    for at in range(start + 1, end):
        if tags[at] & (_NO_VERB | t.ADVERB) or words[at - 1] in _RELATIVE:
            continue
        if _is_past(words[at], tags[at]):
            return at, True
        if tags[at] & t.THIRD or _is_bare_verb(sentence, at, end):
            return at, False
    return -1, False


def _is_past(word: str, tag: int) -> bool:
    return bool(tag & t.PAST and not tag & t.BASE) or (word.endswith("ed") and not tag & _NO_VERB)


def _is_bare_verb(sentence: Sentence, at: int, end: int) -> bool:
    """Whether a word between a noun and what verbs take is read as a verb ("cards *beep* at the desk")."""
    words, tags = sentence.words, sentence.tags
    if not is_content(words[at], tags[at]) or not is_content(words[at - 1], tags[at - 1]):
        return False
    return at + 1 < end and bool(tags[at + 1] & (_AFTER_VERB | t.ADVERB))


def _head(sentence: Sentence, clause: _Clause) -> tuple[int, int]:
    """Return the span of the subject up to its first preposition."""
    for at in range(clause.start + 1, clause.verb):
        if sentence.tags[at] & t.PREPOSITION and not sentence.tags[at] & t.ADVERB:
            return clause.start, at
    return clause.start, clause.verb


def _tells_good_state(sentence: Sentence, clause: _Clause, known: _Known) -> bool:
    """Whether a clause that nothing supports says of what is affected that something good holds now."""
    words, tags = sentence.words, sentence.tags
    begin, end = _head(sentence, clause)
    if clause.past or clause.mask & t.WILL or words[begin] in _READERS:
        return False
    if any(tag & t.AGENT for tag in tags[begin:end]):
        return False
    subject = content(sentence, begin, end)
    if _is_talk(sentence, clause, subject - known.all) or _is_routine(sentence, clause):
        return False
    says = content(sentence, clause.verb, clause.end) - talk_stems()
    good = not clause.mask & (_TROUBLE | t.PARTIAL) and says.isdisjoint(trouble_stems())
    return good and not says <= known.all and not subject.isdisjoint(known.all)


def _tells_new_event(sentence: Sentence, clause: _Clause, known: _Known) -> bool:
    """Whether a clause tells that something did something of which nothing else speaks ("mice chewed it")."""
    tags = sentence.tags
    begin, end = _head(sentence, clause)
    subject = content(sentence, begin, end)
    # The perfect tells how things stand now ("the graph has turned green"), not what happened.
    if not clause.past or not subject or clause.mask & (t.WILL | t.HAVE) or _is_routine(sentence, clause):
        return False
    if clause.mask & t.COMMUNICATES or any(tag & _NO_NEW_ACTOR for tag in tags[begin:end]):
        return False
    return subject.isdisjoint(known.all | talk_stems() | trouble_stems())


def _is_talk(sentence: Sentence, clause: _Clause, strange: frozenset[str]) -> bool:
    """Whether a clause, with words in its subject that nothing holds, is news or talk about the incident."""
    words = sentence.words[clause.start : clause.end]
    if clause.mask & t.COMMUNICATES or "yet" in words:
        return True
    return not strange.isdisjoint(talk_stems()) or not _NEWS.isdisjoint(words[: clause.verb - clause.start])


def _is_routine(sentence: Sentence, clause: _Clause) -> bool:
    """Whether a clause tells who does what by hand, as long as the trouble lasts."""
    words, tags = sentence.words, sentence.tags
    if not _BY_HAND.isdisjoint(words[clause.start : clause.end]):
        return True
    return any(
        words[at] == "by" and _is_past(words[at - 1], tags[at - 1]) and not clause.past
        for at in range(clause.verb + 1, clause.end)
    )


def _claims(sentence: Sentence, clause: _Clause, known: _Known) -> Iterator[Claim]:
    span = sentence.span(clause.start, clause.end - 1)
    if _tells_good_state(sentence, clause, known):
        yield Claim("resolution", *span, _SAYS)
    elif _tells_new_event(sentence, clause, known):
        yield Claim("cause", *span, _SAYS_OF_EVENT)
