"""Benefits that an approved action gives, told in other words.

"We pay your fare back" and "you may claim the fare" say no more than the action "Refund the fare". Two
clauses give the same where the kind of benefit is the same and what it is about: a noun, or an amount. What
one names besides, a benefit of another kind, or a wider circle of those who get it is more than was approved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.about import of_giving, same, thing
from redpen.guards.claims.benefit_kinds import Benefit, benefits, forms, kind_words
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.other_senses import CURRENCIES
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import clauses
from redpen.guards.claims.word_classes import WORD_CLASSES

_FAMILIES = frozenset(("commitment", "guarantee", "resolution", "reassurance"))
"""Families in which what is given may be read: to get it is certain, a fee dropped is trouble gone."""
_EVERYBODY = frozenset("everyone everybody anyone anybody".split())
_EVERY = frozenset(("every", "each", "all", "any"))
_UNBOUNDED = frozenset("unlimited forever always whole entire lifetime double twice".split())
_AMENDS = frozenset(("up", "amends", "right", "good"))
_BESIDES = frozenset("too also plus additionally besides moreover".split())
"""Words that say that something is given on top."""
_DENIED = frozenset("not never cannot".split())
_WHO = frozenset("who that which whose if when where unless".split())
_LIKE: dict[Benefit, frozenset[Benefit]] = {
    "back": frozenset(("back", "credit")),
    "free": frozenset(("free",)),
    "credit": frozenset(("credit", "back")),
    "longer": frozenset(("longer",)),
    "gift": frozenset(("gift",)),
}
"""Kinds by which a kind may be told where the amount is the same."""
_SAME = (
    "rebook book change move switch journey trip travel",
    "duplicate double second twice",
    "resit retake sit again",
)
"""Words that may stand for each other in what is given."""
_ONE_OF = {thing(word): f"={row.split()[0]}" for row in _SAME for word in row.split()}
_EMPTY = (
    "place way stay choose rather like prefer decide enough simply account card bank inbox affect hit "
    "wallet find involve doing so arriving hungry thirsty allow apply applies how little goes attempt try "
    "until"
)
_ANY_MONEY = (
    "fee fees charge charges cost costs money amount amounts payment payments price sum sums difference"
)
"""Words for what is paid that do not tell what for."""
_MONTHS = (
    "january february march april june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday"
)
_DIGITS = {
    word: str(number)
    for numbers, named in (
        (
            range(2, 20),
            (
                "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
                "sixteen seventeen eighteen nineteen"
            ),
        ),
        (range(20, 100, 10), "twenty thirty forty fifty sixty seventy eighty ninety"),
    )
    for number, word in zip(numbers, named.split(), strict=True)
}
"""The digits of amounts that are written as words."""
_FINITE = t.BE | t.HAVE | t.WILL | t.CAN
_WHEN = t.CONDITION | t.HARD_CONDITION
_NEAR = 5
_NEW_WORDS = 1
_NEW_BESIDE_AMOUNT = 2


class _Given(NamedTuple):
    """What a clause gives: kinds, what it is about, amounts, how widely, and whether on top of the rest."""

    kinds: frozenset[Benefit]
    things: frozenset[str]
    amounts: frozenset[str]
    wide: frozenset[str]
    besides: bool


def is_given_by(claim: Claim, revised: str, actions: Iterable[str]) -> bool:
    """Whether an approved action gives what the clause of a claim gives.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        actions: the approved actions, or other texts whose promises may be made again.
    """
    if claim.family not in _FAMILIES:
        return False
    parts = _said(claim, revised)
    said = [part for part in parts if part.kinds]
    # "Here is how we make up for it" gives nothing by itself.
    named = not parts or any(part.things for part in parts)
    if not said and (named or not _makes_up(claim, revised)):
        return False
    gifts = [given for text in actions for given in _gifts(text) if given.kinds]
    return bool(said or gifts) and all(any(_is_same(part, given) for given in gifts) for part in said)


def _makes_up(claim: Claim, revised: str) -> bool:
    """Whether a claim only says that something is made up for."""
    words = frozenset(revised[claim.start : claim.end].casefold().split())
    return not words.isdisjoint(forms("~make")) and not words.isdisjoint(_AMENDS)


def _is_same(said: _Given, given: _Given) -> bool:
    if not said.kinds or said.besides or not said.wide <= given.wide:
        return False
    amounts = bool(said.amounts & given.amounts)
    like = frozenset().union(*(_LIKE[kind] for kind in given.kinds)) if amounts else given.kinds
    fresh = said.things - given.things
    if not said.kinds <= like or not fresh.isdisjoint(_givable()):
        return False
    return len(fresh) <= _most_new(said, given, amounts=amounts)


def _most_new(said: _Given, given: _Given, *, amounts: bool) -> int:
    """Return how many things a clause may name besides those given; -1 where it names none of those."""
    if amounts:
        return _NEW_BESIDE_AMOUNT
    if "gift" in said.kinds:
        return 0 if said.things else -1
    if not said.things:
        return 0
    return _NEW_WORDS if said.things & given.things or not given.things else -1


def _said(claim: Claim, revised: str) -> list[_Given]:
    """Return what the clauses give that a claim stands in."""
    for sentence in read_sentences(revised):
        first, last = sentence.span(0, -1)
        if not first <= claim.start < last:
            continue
        if claim.family != "commitment" and not _tells(sentence, claim):
            return []
        return [
            _given(sentence, start, end)
            for clause in clauses(sentence)
            for start, end in _parts(sentence, *clause)
            for begin, stop in (sentence.span(start, end - 1),)
            if begin < claim.end and claim.start < stop
        ]
    return []


def _parts(sentence: Sentence, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a clause that an "and" with a verb of its own parts ("and dessert is on us")."""
    tags, begin = sentence.tags, start
    for at in range(start + 1, end):
        if tags[at] & t.AND and any(tag & _FINITE for tag in tags[at + 1 : at + _NEAR]):
            yield begin, at
            begin = at + 1
    yield begin, end


def _tells(sentence: Sentence, claim: Claim) -> bool:
    """Whether the words of a claim themselves tell of a benefit."""
    places = sentence.within(claim.start, claim.end)
    return bool(
        places
        and benefits(sentence.words[places[0] : places[-1] + 1], sentence.tags[places[0] : places[-1] + 1])
    )


@lru_cache(maxsize=1024)
def _gifts(text: str) -> tuple[_Given, ...]:
    """Return what the sentences of an approved action give; what one denies of itself it does not give."""
    return tuple(
        _for_all(sentence, _given(sentence, 0, len(sentence.words)))
        for sentence in read_sentences(text)
        if not _denies(sentence)
    )


def _for_all(sentence: Sentence, given: _Given) -> _Given:
    """Return what is given, to everybody where all terms are moved ("all deadlines move by 2 days")."""
    words, terms = sentence.words, WORD_CLASSES["term"].split()
    every = any(word in _EVERY and words[at + 1 : at + 2][0] in terms for at, word in enumerate(words[:-1]))
    return given._replace(wide=given.wide | {"everybody"}) if every else given


def _denies(sentence: Sentence) -> bool:
    """Whether a sentence denies that something is given, and not that it is charged or who gets it."""
    words = sentence.words
    for at, word in enumerate(words):
        if word in _WHO:
            return False
        if word in _DENIED:
            return words[at + 1 : at + 2] != [] and words[at + 1] not in forms(
                "~charge ~bill ~pay ~fine ~penalise ~owe ~cost ~levy ~apply ~invoice"
            )
    return False


def _given(sentence: Sentence, start: int, end: int) -> _Given:
    words, tags = sentence.words[start:end], sentence.tags[start:end]
    things = frozenset(
        _same(thing(word))
        for word, tag in zip(words, tags, strict=True)
        if is_content(word, tag) and not tag & _WHEN
    )
    return _Given(
        kinds=benefits(words, tags),
        things=things - _nothing(),
        amounts=frozenset(
            _DIGITS.get(word, word)
            for word, tag in zip(words, tags, strict=True)
            if tag & t.NUMBER or word in _DIGITS
        ),
        wide=_wide(words, tags),
        besides=any(
            # "We have also extended it" adds a sentence, and no benefit.
            word in _BESIDES and not (word == "also" and at and tags[at - 1] & t.HAVE)
            for at, word in enumerate(words)
        ),
    )


def _is_of_all(words: list[str], tags: list[int]) -> bool:
    """Whether a clause begins with readers of whom nothing tells which ("guests get a voucher")."""
    if (
        len(words) < _NEAR - 1
        or words[0] not in WORD_CLASSES["readers"].split()
        or not words[0].endswith("s")
    ):
        return False
    told = (
        tags[1] & t.PREPOSITION
        or words[1].endswith(("ed", "ing"))
        or words[1] in ("stuck", "left", "hit", "caught")
    )
    return not told and _WHO.isdisjoint(words)


def _wide(words: list[str], tags: list[int]) -> frozenset[str]:
    """Return what says that everybody gets something, or as much as they want."""
    readers = frozenset(WORD_CLASSES["readers"].split())
    everybody = any(
        (word in _EVERYBODY and words[at + 1 : at + 2] not in (["who"], ["whose"], ["with"]))
        or (word in _EVERY and not readers.isdisjoint(words[at + 1 : at + 2]))
        for at, word in enumerate(words)
    )
    everybody = everybody or _is_of_all(words, tags)
    much = any(word in _UNBOUNDED for word in words) or ["as", "many"] in [
        words[at : at + 2] for at in range(len(words))
    ]
    return frozenset(name for name, held in (("everybody", everybody), ("much", much)) if held)


def _same(found: str) -> str:
    return _ONE_OF.get(found, found)


@lru_cache(maxsize=1)
def _givable() -> frozenset[str]:
    """Return what stands for words of what is given or paid, of which a new one is a new benefit."""
    words = " ".join(WORD_CLASSES[name] for name in ("term", "perk", "fee", "expense", "money"))
    return frozenset(_same(thing(word)) for word in words.split()) - _nothing()


@lru_cache(maxsize=1)
def _nothing() -> frozenset[str]:
    """Return what stands for words that tell neither what is given nor why."""
    told = (*WORD_CLASSES["fee"].split(), *WORD_CLASSES["money"].split(), *WORD_CLASSES["expense"].split())
    named = frozenset(map(thing, told)) - frozenset(map(thing, _ANY_MONEY.split()))
    # What is given is told by gifts themselves: a voucher is one, and no refund.
    kinds = (word for word, kind in kind_words().items() if kind != "gift")
    empty = frozenset(map(thing, (*kinds, *f"{_EMPTY} {_ANY_MONEY} {_MONTHS}".split(), *CURRENCIES)))
    return (of_giving() - named) | empty | frozenset(map(same, talk_stems() | trouble_stems()))
