"""Drawing from what was drawn before: cheaper than strategies that are built anew for each example."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from redpen_evals.fuzz.facts import FactForm
from redpen_evals.fuzz.incidents import Incident, is_taken

T = TypeVar("T")

_MOST_TRIES = 20


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def pick(draw: st.DrawFn, choices: Sequence[T]) -> T:
    """Draw one of several; the first is the simplest."""
    return choices[draw(_below(len(choices)))] if len(choices) > 1 else choices[0]


def in_order(draw: st.DrawFn, items: Sequence[T]) -> tuple[T, ...]:
    """Draw an order; the one that stands is the simplest."""
    left, found = list(items), []
    while left:
        found.append(left.pop(draw(_below(len(left))) if len(left) > 1 else 0))
    return tuple(found)


def some_of(draw: st.DrawFn, items: Sequence[T], *, most: int) -> tuple[T, ...]:
    """Draw some different ones, at most so many; none is the simplest."""
    left = list(items)
    count = draw(_below(min(most, len(left)) + 1))
    return tuple(left.pop(draw(_below(len(left)))) for _ in range(count))


def changed_value(draw: st.DrawFn, matter: Incident, form: FactForm) -> object:
    """Draw a value that a fact has not, by any reading and rounding that is allowed."""
    for _ in range(_MOST_TRIES):
        value: object = draw(form.values)
        if not is_taken(matter, form, value):
            return value
    return reject()
