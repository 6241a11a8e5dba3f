"""Things that are named nowhere else and are said to bring the trouble about, in any tense and frame.

"An overfull outbox is holding up confirmations", "frost keeps 15 doors shut", "a map that trips up the
queue", "we can thank a firmware update": whatever the verb, a noun that neither original nor context holds
stands where a cause stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_nouns import (
    AUXILIARY,
    REASONS,
    RELATIVE,
    answer_of,
    clause_end,
    cursed_of,
    done_by,
    noun_after,
    reasons_of,
    subject_of,
)
from redpen.guards.claims.actor_words import (
    ASTRAY,
    BRINGS,
    CURSED,
    EXPLAINS,
    HARMS,
    forms_of,
    idioms,
    kinds_of_forms,
    no_actors,
    pages,
    particles,
)
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.own_doings import does_no_harm, is_measure, is_noun_here, is_turned_down
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import Known, mask_of
from redpen.guards.claims.untied import is_reader_step

_SAYS = "this brought it about, which nothing supports"
_OPEN_MOOD = t.WILL | t.MAY | t.CAN | t.NOT | t.NO | t.TO
_UNSETTLED = t.WILL | t.MAY | t.CAN | t.NO
_DENIALS = frozenset(
    "something someone somebody anything no not nothing nobody none neither nor never".split()
)
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_STARTS_OBJECT = t.DETERMINER | t.NUMBER | t.PRONOUN | t.PARTIAL
_ENDS_TROUBLE = "stop halt cut prevent block break"
"""Verbs that may also be done to the trouble, and then are good news."""
_FOLLOWS_EXPLAIN = frozenset("why that this it the for how some all these those most".split())
_PLURALS = frozenset("people mice children data".split())
_DOERS = ("er", "ers", "or", "ors")
_PARTS_OF = frozenset("third thirds half quarter quarters fifth tenth majority most dozens hundreds".split())
"""How many, which is judged as a fact."""
_NUMERALS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty".split()
)
_ASTRAY = frozenset(ASTRAY.split())
_MISSING = frozenset("sick ill absent missing short away strike unwell flu quarantine scarce".split())
"""What people are that work has to wait for."""
_MISSING_IN = 2
_TAKES_NOUN = frozenset("concerns regards covers involves includes about regarding concerning".split())
_MOMENTS = frozenset("seconds second minutes minute moments moment".split())
_NEAR = 4
_TOGETHER = 2
_MOST_WORDS = 4
_SURELY: frozenset[str] = frozenset()
"""Stands for the stems of what has to be known where nothing has to be."""


def find_actors(sentence: Sentence, known: Known) -> Iterator[Claim]:
    """Find what is named nowhere else and said to bring trouble about.

    Args:
        sentence: a sentence of the revision.
        known: what the revision may restate.

    Yields:
        Claims of the family ``cause``.
    """
    if sentence.question:
        return
    for place, thing, beside in _otherwise(sentence):
        if thing.is_new(known) and (beside is None or _told_beside(beside, known)):
            yield Claim("cause", *sentence.span(*place), _SAYS)
    done = -1
    for at, end, place, thing, trouble in _at_verbs(sentence):
        if at > done and thing.is_new(known) and _is_in_trouble(trouble, known):
            yield Claim("cause", *sentence.span(*place), _SAYS)
            done = end


class _Thing(NamedTuple):
    """A noun that may do harm.

    Attributes:
        words: its words of content.
        anyway: whether it counts as new however much of it is known.
    """

    words: tuple[str, ...]
    anyway: bool = False

    def is_new(self, known: Known) -> bool:
        """Whether it is named nowhere else."""
        if self.anyway:
            return True
        nouns = range(len(self.words))
        fresh = [at for at in nouns if _is_fresh(self.words[at], known)]
        if fresh and (fresh[-1] == nouns[-1] or len(fresh) >= _TOGETHER):
            return True
        # An update may be one of the app, and a report one that runs away with the memory.
        return bool(fresh) and fresh == [nouns[-1] - 1] and stem(self.words[-1]) in talk_stems()


def _is_fresh(word: str, known: Known) -> bool:
    named = stem(word)
    return (named not in known.all and named not in talk_stems()) or _is_new_device(word, known)


class _Beside(NamedTuple):
    """The rest of a sentence that gives a reason: the stems of its words, and whether it tells of trouble."""

    stems: frozenset[str]
    trouble: bool


_Place = tuple[int, int]


@lru_cache(maxsize=1024)
def _otherwise(sentence: Sentence) -> tuple[tuple[_Place, _Thing, _Beside | None], ...]:
    """Return what is told as a reason, or to have done something to what is affected."""
    found: list[tuple[_Place, _Thing, _Beside | None]] = []
    if not REASONS.isdisjoint(sentence.vocabulary):
        for begin, end in reasons_of(sentence):
            missing, beside = _are_missing(sentence, end), _beside(sentence, begin, end)
            thing = _Thing((), True) if missing else _thing(sentence, begin, end)
            if thing is not None and beside is not None:
                found.append(((begin - 1, end - 1), thing, beside))
    if "by" in sentence.vocabulary:
        for begin, end in done_by(sentence):
            thing = _thing(sentence, begin, end)
            if thing is not None:
                found.append(((begin - 1, end - 1), thing, None))
    return tuple(found)


@lru_cache(maxsize=1024)
def _at_verbs(sentence: Sentence) -> tuple[tuple[int, int, _Place, _Thing, frozenset[str]], ...]:
    """Return what verbs say to do harm: the verb, where the noun ends, the place of both, and the noun.

    With the stems of what it is done to where that has to be known as trouble.
    """
    verbs = kinds_of_forms()
    found = []
    for at in [at for at, word in enumerate(sentence.words) if word in verbs]:
        named = _named(sentence, at)
        if named is None:
            continue
        (begin, end), trouble = named
        thing = _thing(sentence, begin, end)
        if thing is not None:
            found.append((at, end, (min(begin, at), max(end - 1, at)), thing, trouble))
    return tuple(found)


@lru_cache(maxsize=64)
def _doers(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the nouns of some texts that share their stem with a verb ("counter"), in the singular."""
    return frozenset(
        word.removesuffix("s")
        for text in texts
        for sentence in own_sentences(text)
        for word in sentence.vocabulary
        if word.endswith(_DOERS)
    )


def _is_new_device(word: str, known: Known) -> bool:
    """Whether a word is named after a doing and stands nowhere, though the doing may ("counter", "count")."""
    return (
        word.endswith(_DOERS)
        and stem(word) not in talk_stems()
        and word.removesuffix("s") not in _doers(known.texts)
    )


def _named(sentence: Sentence, at: int) -> tuple[_Place, frozenset[str]] | None:
    """Return the words that name what does the harm that the verb at ``at`` says, see ``_harms``."""
    words = sentence.words
    if words[at] in forms_of(CURSED):
        cursed = cursed_of(sentence, at)
        return None if cursed is None else (cursed, _SURELY)
    start = _group_start(sentence, at)
    if is_noun_here(sentence, at):
        return None
    if start == 0 or mask_of(sentence, start - 1, at) & _OPEN_MOOD or _is_no_verb(sentence, at):
        return None
    kinds = kinds_of_forms()[words[at]]
    if "participle" in kinds and (doer := _doer(sentence, at)) is not None:
        return doer, _SURELY
    progressive = mask_of(sentence, start, at) & (t.BE | t.BEEN | t.BEING)
    finite = "gerund" in kinds if progressive else bool(kinds & {"past", "third", "base"})
    if not finite or does_no_harm(sentence, at, clause_end(sentence, at)):
        return None
    harmed = _harms(sentence, at)
    agent = None if harmed is None else _agent(sentence, start, at)
    return None if agent is None or harmed is None else (agent, harmed)


def _is_no_verb(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` is a noun, or a participle that describes the subject of a later verb.

    "The note concerns trip payments"; "items left behind on a bus can be reported".
    """
    words, tags = sentence.words, sentence.tags
    if words[at - 1 : at] and words[at - 1] in _TAKES_NOUN:
        return True
    if not kinds_of_forms()[words[at]] >= {"past", "participle"}:
        return False
    for k in range(at + 1, len(words)):
        if words[k] in CLAUSE_MARKS or tags[k] & (t.AND | t.BUT | t.COMPLEMENT | t.CONDITION):
            return False
        if tags[k] & _UNSETTLED & ~t.NO or tags[k] & (t.BE | t.HAVE):
            return words[k - 1] not in RELATIVE
    return False


def _group_start(sentence: Sentence, at: int) -> int:
    """Return where the auxiliaries and adverbs before the verb at ``at`` begin."""
    words, tags = sentence.words, sentence.tags
    while at > 0 and (tags[at - 1] & (AUXILIARY | t.ADVERB) or words[at - 1] == "'s"):
        if words[at - 1] in RELATIVE or tags[at - 1] & t.DETERMINER:
            break
        at -= 1
    return at


def _agent(sentence: Sentence, start: int, at: int) -> tuple[int, int] | None:
    """Return the noun that does what the verb at ``at`` says, whose group begins at ``start``."""
    words, tags = sentence.words, sentence.tags
    if words[start - 1] == "what" and not any(tag & t.BE for tag in tags[max(0, start - 2) : start - 1]):
        return answer_of(sentence, at)
    subject = subject_of(sentence, start)
    if subject is None or is_reader_step(sentence, *subject):
        return None
    head = words[subject[1] - 1]
    if kinds_of_forms()[words[at]] <= {"base", "participle"} and not _is_plural(head):
        return None
    return None if words[at] in forms_of(EXPLAINS) and stem(head) in pages() else subject


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith("ss")) or word in _PLURALS


def _harms(sentence: Sentence, at: int) -> frozenset[str] | None:
    """Return the stems of what has to be known as trouble for the verb at ``at`` to say that harm is done.

    Empty where it says so whatever is known, None where it does not.
    """
    words, end = sentence.words, clause_end(sentence, at)
    word = words[at]
    if any(tuple(words[at + 1 : at + 1 + len(idiom)]) == idiom for idiom in idioms().get(word, ())):
        return _SURELY
    if word in forms_of(EXPLAINS):
        explains = words[at - 2 : at] == [",", "which"] or not _FOLLOWS_EXPLAIN.isdisjoint(
            words[at + 1 : at + 2]
        )
        return _SURELY if explains else None
    beside = particles().get(word, frozenset())
    if not beside.isdisjoint(words[at + 1 : at + 2]):
        return _SURELY if _has_object(sentence, at + 2, end) else None
    goes_on = word in forms_of("keep") and words[at + 1 : at + 2] and words[at + 1].endswith("ing")
    if goes_on or not _has_object(sentence, at + 1, end):
        return None
    near = not beside.isdisjoint(words[at + 2 : min(end, at + 2 + _NEAR)])
    if near or _hurts(sentence, at, end):
        return _SURELY
    return _brought(sentence, at, end) if word in forms_of(BRINGS) else None


def _hurts(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the verb at ``at`` does harm by itself, and not to the trouble."""
    word = sentence.words[at]
    if word not in forms_of(HARMS):
        return False
    ends = any(tag & t.PROBLEM for tag in sentence.tags[at + 1 : min(end, at + _NEAR)])
    return not (ends and word in forms_of(_ENDS_TROUBLE))


def _has_object(sentence: Sentence, at: int, end: int) -> bool:
    """Whether a noun stands at ``at``."""
    words, tags = sentence.words, sentence.tags
    while at < end and tags[at] & t.ADVERB and not tags[at] & _STARTS_OBJECT:
        at += 1
    if at >= end:
        return False
    if not _MOMENTS.isdisjoint(words[at : min(end, at + _NEAR)]):
        # "Calls break off a few seconds in."
        return False
    if tags[at] & _STARTS_OBJECT or words[at] in ("them", "us", "me"):
        return True
    return is_content(words[at], tags[at])


def _told_beside(beside: _Beside, known: Known) -> bool:
    """Whether the rest of a sentence tells the trouble that is known."""
    told = len(beside.stems & known.all)
    return told > 0 and told + beside.trouble >= _TOGETHER


def _beside(sentence: Sentence, begin: int, end: int) -> _Beside | None:
    """Return the rest of a sentence beside a reason, None where it asks or promises something."""
    words, tags = sentence.words, sentence.tags
    reason = next(at for at in range(begin - 1, -1, -1) if words[at] in REASONS)
    comma = next((at for at in range(end, len(words)) if words[at] == ","), len(words))
    rest = range(reason) if reason else range(comma + 1, len(words))
    if not rest or "please" in words or any(_is_somebody(tags[at]) or tags[at] & _UNSETTLED for at in rest):
        return None
    first, stop = rest[0], rest[-1] + 1
    return _Beside(content(sentence, first, stop), _tells_trouble(sentence, first, stop))


def _are_missing(sentence: Sentence, end: int) -> bool:
    """Whether people are said to be ill or away ("with drivers off sick"), whom the trouble may wait for."""
    people = not no_actors().isdisjoint(sentence.words[end - 1 : end])
    return people and not _MISSING.isdisjoint(sentence.words[end : end + _MISSING_IN])


def _brought(sentence: Sentence, at: int, end: int) -> frozenset[str] | None:
    """Return what follows a verb of bringing about and has to be known as trouble, see ``_harms``."""
    if not _ASTRAY.isdisjoint(sentence.words[at + 2 : end]) or _tells_trouble(sentence, at + 2, end):
        return _SURELY
    says = content(sentence, at + 1, end)
    return says if len(says) >= _TOGETHER else None


def _is_in_trouble(says: frozenset[str], known: Known) -> bool:
    """Whether what a verb is done to is trouble, by its words or because it is known."""
    return not says or (
        len(says - known.all) <= 1 and any(len(says & other.stems) >= _TOGETHER for other in known.sentences)
    )


def _tells_trouble(sentence: Sentence, begin: int, end: int) -> bool:
    """Whether a word of trouble stands between two places."""
    words, tags = sentence.words, sentence.tags
    return any(
        tags[at] & _TROUBLE
        or words[at] in forms_of(HARMS)
        or stem(words[at]) in trouble_stems()
        or (at + 1 < end and words[at + 1] in particles().get(words[at], ()))
        for at in range(begin, end)
    )


def _doer(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return the noun after the "by" of a passive at ``at``."""
    words = sentence.words
    by = next((k for k in range(at + 1, min(at + _NEAR, len(words))) if words[k] == "by"), -1)
    if by < 0 or by + 1 >= len(words) or words[by + 1] in _NUMERALS:
        return None
    if is_measure(sentence, by + 1) or is_turned_down(sentence, at, by):
        return None
    harmed = words[at] in forms_of(HARMS) or not particles().get(words[at], frozenset()).isdisjoint(
        words[at + 1 : by]
    )
    brought = words[at] in forms_of(BRINGS) and _tells_trouble(sentence, at + 1, by)
    return noun_after(sentence, by + 1) if harmed or brought else None


def _thing(sentence: Sentence, begin: int, end: int) -> _Thing | None:
    """Return the noun between two places if it is a thing that can do harm."""
    words, tags = sentence.words, sentence.tags
    nouns = [at for at in range(begin, end) if is_content(words[at], tags[at])]
    if not _PARTS_OF.isdisjoint(words[begin:end]):
        return None
    if not nouns or len(nouns) > _MOST_WORDS or tags[nouns[-1]] & (t.PROBLEM | t.NUMBER):
        return None
    no_thing = any(_is_somebody(tags[at]) or words[at] in _DENIALS for at in range(begin, end))
    named = tuple([words[at] for at in nouns])
    return None if no_thing or not no_actors().isdisjoint(named) else _Thing(named)


def _is_somebody(tag: int) -> bool:
    return bool(tag & t.AGENT or (tag & t.PRONOUN and not tag & t.DETERMINER))
