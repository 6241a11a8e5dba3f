"""Good news that nothing supports: states, feats, and what comes of an order ("press play and it starts")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from redpen.guards.claims.came_right import find_came_right
from redpen.guards.claims.found import Claim
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, alone
from redpen.guards.claims.told_added import Balance, balance_between
from redpen.guards.claims.told_added_denials import find_spared
from redpen.guards.claims.told_added_news import find_added
from redpen.guards.claims.told_again import find_restored
from redpen.guards.claims.told_bright import bright_clauses, is_news
from redpen.guards.claims.told_denials import find_denials
from redpen.guards.claims.told_feats import find_feats
from redpen.guards.claims.told_flips import Denied, denied_of, find_flips
from redpen.guards.claims.told_headings import find_headings
from redpen.guards.claims.told_heads import find_heads
from redpen.guards.claims.told_lifted import find_lifted
from redpen.guards.claims.told_orders import find_outcomes
from redpen.guards.claims.told_past import puts_trouble_into_past
from redpen.guards.claims.told_permitted import is_permitted
from redpen.guards.claims.told_states import tells_bright_state, tells_good_state
from redpen.guards.claims.told_turns import find_turns

_STATE = "things are as they should be, which nothing supports"
GOES_WELL = "things go well, which nothing supports"
_FEAT = "someone got the better of the trouble, which nothing supports"
_DENIAL = "nobody and nothing was harmed, which nothing supports"
_ADDED = "this is good news put in, which nothing supports"
_SPARED = "no harm is done, which nothing supports"
LIFTED = "it is no longer needed, which nothing supports"
_RIGHT = "what was in trouble has come right, which nothing supports"
_RESTORED = "it works as it should, which nothing supports"
_OUTCOME = "readers do it and it works, which nothing supports"


class Change:
    """What a revision does to its original as a whole, found out when a rule asks for it.

    Args:
        revised: the revision as read.
        original: the original as read.
    """

    def __init__(self, revised: str, original: str) -> None:
        self._revised = revised
        self._original = original

    @cached_property
    def over(self) -> bool:
        """Whether it puts trouble into the past."""
        return puts_trouble_into_past(self._revised, self._original)

    @cached_property
    def denied(self) -> tuple[Denied, ...]:
        """What the original denies."""
        return denied_of(self._original)

    @property
    def balance(self) -> Balance:
        """How much of the original it takes up, see ``told_added``."""
        return balance_between(self._revised, self._original)


def find_good_news(
    sentence: Sentence, known: Known, *, change: Change, before: Sentence | None
) -> Iterator[Claim]:
    """Find the good news of a sentence that nothing supports.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
        change: what the revision does to its original.
        before: the sentence before it, if any.

    Yields:
        Claims of the families ``resolution`` and ``reassurance``.
    """
    found: list[Claim] = []
    for claim in _every(sentence, known, change, before):
        if claim.family == "resolution" and claim.says != _FEAT and is_permitted(sentence, claim, known):
            continue
        if not any(claim.start < item.end and item.start < claim.end for item in found):
            found.append(claim)
            yield claim


def _every(sentence: Sentence, known: Known, change: Change, before: Sentence | None) -> Iterator[Claim]:
    """Yield what every rule finds, however much of it is the same."""
    for clause in alone(sentence, known, over=True) if change.over else ():
        if tells_good_state(sentence, clause, known, before):
            yield Claim("resolution", *sentence.span(clause.start, clause.end - 1), _STATE)
    for clause, at in bright_clauses(sentence):
        if is_news(sentence, clause, at, known) and tells_bright_state(sentence, clause, known, before):
            yield Claim("resolution", *sentence.span(clause.start, clause.end - 1), GOES_WELL)
    for family, says, places in _by_rule(sentence, known, change):
        for start, end in places:
            yield Claim(family, *sentence.span(start, end - 1), says)


def _by_rule(
    sentence: Sentence, known: Known, change: Change
) -> Iterator[tuple[Family, str, Iterable[tuple[int, int]]]]:
    """Yield what each rule finds: the family, what is said, and where."""
    yield "resolution", _STATE, find_flips(sentence, change.denied)
    yield "resolution", _FEAT, find_feats(sentence, known)
    yield "reassurance", _DENIAL, find_denials(sentence, known)
    yield "resolution", _ADDED, find_added(sentence, known, change.balance)
    yield "resolution", GOES_WELL, find_heads(sentence, known)
    yield "reassurance", _SPARED, find_spared(sentence, known, change.balance)
    yield "resolution", LIFTED, find_lifted(sentence, known)
    yield "resolution", GOES_WELL, find_headings(sentence, known)
    yield "resolution", _RIGHT, find_came_right(sentence, known)
    yield "resolution", _RESTORED, find_restored(sentence, known)
    if change.over:
        yield "resolution", _STATE, find_turns(sentence)
    yield "resolution", _OUTCOME, find_outcomes(sentence, known, over=change.over)


def may_hold_good_news(sentence: Sentence, known: Known, *, change: Change) -> bool:
    """Whether a sentence is worth a closer look, which takes the context."""
    return (
        (change.over and any(True for _ in alone(sentence, known, over=True)))
        or bool(bright_clauses(sentence))
        or any(True for _, _, places in _by_rule(sentence, known, change) for _ in places)
    )
