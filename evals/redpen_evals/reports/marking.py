"""A text, or what changed between two, with the places of findings marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from redpen_evals.text_diff import Hunk, hunks

Sort: TypeAlias = Literal["violation", "ungrounded", "concern"]

State: TypeAlias = Literal["same", "removed", "added", "left out"]
"""``left out``: lines that did not change; the text is their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The place of a finding: start and end (exclusive) in characters of its text.

    Attributes:
        number: of the finding, from 1.
        sort: ``violation`` blocks, the others do not.
        start: first character.
        end: the one after the last.
    """

    number: int
    sort: Sort
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch that is the same all along.

    Attributes:
        text: the stretch.
        state: whether it stayed, went or came.
        sorts: of the findings in it; empty where there is none.
        ending: numbers of the findings that end with it.
    """

    text: str
    state: State
    sorts: tuple[Sort, ...] = ()
    ending: tuple[int, ...] = ()


def marked(text: str, marks: Sequence[Mark]) -> tuple[Piece, ...]:
    """Return a text cut where a finding begins or ends; joined, the pieces are the text."""
    return tuple(_cut(text, "same", marks))


def compared(
    before: str, after: str, old_marks: Sequence[Mark] = (), new_marks: Sequence[Mark] = ()
) -> tuple[Piece, ...]:
    """Return what changed between two texts, with the findings of both.

    Args:
        before: the text as it was.
        after: the text as it is.
        old_marks: places in the text before.
        new_marks: places in the text after.
    """
    return tuple(
        piece for hunk in hunks(before, after) for piece in _pieces(hunk, before, after, old_marks, new_marks)
    )


def _pieces(
    hunk: Hunk, before: str, after: str, old_marks: Sequence[Mark], new_marks: Sequence[Mark]
) -> Iterator[Piece]:
    old, new = list(_within(old_marks, hunk.old)), list(_within(new_marks, hunk.new))
    if hunk.same:
        yield from _cut(before[slice(*hunk.old)], "same", [*old, *new])
    else:
        yield from _cut(before[slice(*hunk.old)], "removed", old)
        yield from _cut(after[slice(*hunk.new)], "added", new)


def _within(marks: Iterable[Mark], span: tuple[int, int]) -> Iterator[Mark]:
    """Yield the marks that reach into a span, counted from its start; their ends may lie outside."""
    for mark in marks:
        if mark.start < span[1] and span[0] < mark.end:
            yield Mark(number=mark.number, sort=mark.sort, start=mark.start - span[0], end=mark.end - span[0])


def _cut(text: str, state: State, marks: Sequence[Mark]) -> Iterator[Piece]:
    inside = {at for mark in marks for at in (mark.start, mark.end) if 0 < at < len(text)}
    edges = [0, *sorted(inside), len(text)]
    for start, end in pairwise(edges):
        if start == end:
            continue
        here = [mark for mark in marks if mark.start < end and start < mark.end]
        yield Piece(
            text=text[start:end],
            state=state,
            sorts=tuple(dict.fromkeys(mark.sort for mark in here)),
            ending=tuple(mark.number for mark in here if mark.end == end),
        )
