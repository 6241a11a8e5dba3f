"""Good news that nothing supports: states, feats, and what comes of an order ("press play and it starts")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from redpen.guards.claims.found import Claim
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, alone
from redpen.guards.claims.told_denials import find_denials
from redpen.guards.claims.told_feats import find_feats
from redpen.guards.claims.told_flips import Denied, denied_of, find_flips
from redpen.guards.claims.told_orders import find_outcomes
from redpen.guards.claims.told_past import puts_trouble_into_past
from redpen.guards.claims.told_states import tells_good_state
from redpen.guards.claims.told_turns import find_turns

_STATE = "things are as they should be, which nothing supports"
_FEAT = "someone got the better of the trouble, which nothing supports"
_DENIAL = "nobody and nothing was harmed, which nothing supports"
_OUTCOME = "readers do it and it works, which nothing supports"


class Change(NamedTuple):
    """What a revision does to its original as a whole.

    Attributes:
        over: whether it puts trouble into the past.
        denied: what the original denies.
    """

    over: bool
    denied: tuple[Denied, ...]


def change_between(revised: str, original: str) -> Change:
    """Return what a revision does to its original as a whole; both texts as read."""
    return Change(puts_trouble_into_past(revised, original), denied_of(original))


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
    for clause in alone(sentence, known, over=change.over):
        if tells_good_state(sentence, clause, known, over=change.over, before=before):
            yield Claim("resolution", *sentence.span(clause.start, clause.end - 1), _STATE)
    for start, end in find_flips(sentence, change.denied):
        yield Claim("resolution", *sentence.span(start, end - 1), _STATE)
    for start, end in find_feats(sentence, known):
        yield Claim("resolution", *sentence.span(start, end - 1), _FEAT)
    for start, end in find_denials(sentence, known):
        yield Claim("reassurance", *sentence.span(start, end - 1), _DENIAL)
    for start, end in find_turns(sentence) if change.over else ():
        yield Claim("resolution", *sentence.span(start, end - 1), _STATE)
    for start, end in find_outcomes(sentence, known, over=change.over):
        yield Claim("resolution", *sentence.span(start, end - 1), _OUTCOME)


def may_hold_good_news(sentence: Sentence, known: Known, *, change: Change) -> bool:
    """Whether a sentence is worth a closer look, which takes the context."""
    return (
        any(True for _ in alone(sentence, known, over=change.over))
        or any(True for _ in find_feats(sentence, known))
        or any(True for _ in find_denials(sentence, known))
        or any(True for _ in find_flips(sentence, change.denied))
        or (change.over and any(True for _ in find_turns(sentence)))
        or any(True for _ in find_outcomes(sentence, known, over=change.over))
    )
