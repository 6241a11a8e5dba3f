"""Changes that are alike, told as one: ``215 scenarios: tokens +2``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen.screen import shown
from redpen_evals.comparison.changes import Change, Comparison, Field
from redpen_evals.comparison.report import (
    COLUMNS,
    by_weight,
    cells_of,
    counts_text,
    label_of,
    title_of,
    wording_of,
)

FEWEST: Final = 3
"""Fewer changes that are alike are told one by one."""

_NUMBERS: Final[tuple[Field, ...]] = ("calls", "tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told in one row: a change, or several that are alike.

    Attributes:
        label: the class, as ``label_of`` gives it.
        title: the display id, or how many scenarios there are.
        cells: what differs, by field.
        wording: how the text differs; empty where it does not.
        count: number of changes.
    """

    label: str
    title: str
    cells: Mapping[Field, str]
    wording: str
    count: int


def told(changes: Iterable[Change], *, apart: bool = False) -> list[Told]:
    """Return what is told of changes, those alike as one, each where its first stands.

    Only changes of one class that say the same of every field are alike; of numbers it is enough that they go
    the same way. What regressed or improved, is new, gone or undecided is always told by its name.

    Args:
        changes: in order.
        apart: whether every change is told by itself.
    """
    groups: dict[object, list[Change]] = {}
    for change in changes:
        alike = None if apart or change.kind != "changed" else _likeness(change)
        groups.setdefault(alike or change.key, []).append(change)
    found: list[Told] = []
    for group in groups.values():
        if len(group) < FEWEST:
            found += map(_alone, group)
        else:
            found.append(_together(group))
    return found


def summary_lines(comparison: Comparison, limit: int = 20) -> list[str]:
    """Return the counts, then a line for what is not the same, the weightiest first; safe to show.

    Args:
        comparison: to tell of.
        limit: most lines of changes; how many more changes there are is told.
    """
    listed = told(by_weight(comparison.changes))
    width = max((len(one.label) for one in listed[:limit]), default=0)
    lines = [counts_text(comparison)]
    for one in listed[:limit]:
        said = said_of(one)
        line = f"  {one.label.ljust(width)}  {one.title}"
        lines.append(shown(f"{line}: {said}" if said else line))
    if left := sum(one.count for one in listed[limit:]):
        lines.append(f"  … and {left} more")
    return lines


def said_of(one: Told) -> str:
    """Return what differs, on one line: ``tokens +2; answer [-a-] {+b+}``."""
    said = [f"{COLUMNS[name]} {text}" for name, text in one.cells.items()]
    return "; ".join([*said, f"answer {one.wording}"] if one.wording else said)


def _alone(change: Change) -> Told:
    return Told(
        label=label_of(change),
        title=title_of(change),
        cells=cells_of(change),
        wording=wording_of(change),
        count=1,
    )


def _likeness(change: Change) -> tuple[object, ...]:
    cells = tuple((name, text) for name, text in cells_of(change).items() if name not in _NUMBERS)
    ways = tuple((name, _difference(change, name) > 0) for name in _NUMBERS if name in change.fields)
    return label_of(change), cells, ways, wording_of(change)


def _together(group: Sequence[Change]) -> Told:
    first = group[0]
    scenarios = {change.key[0] for change in group}
    cells = {
        name: _range([_difference(change, name) for change in group]) if name in _NUMBERS else text
        for name, text in cells_of(first).items()
    }
    unit = "scenarios" if len(scenarios) == len(group) else f"results of {len(scenarios)} scenarios"
    return Told(
        label=label_of(first),
        title=f"{len(group)} {unit}",
        cells=cells,
        wording=wording_of(first),
        count=len(group),
    )


def _difference(change: Change, name: Field) -> int:
    if change.before is None or change.after is None:
        return 0
    before, after = getattr(change.before, name), getattr(change.after, name)
    return (after or 0) - (before or 0)


def _range(differences: Sequence[int]) -> str:
    low, high = min(differences, key=abs), max(differences, key=abs)
    return f"{low:+}" if low == high else f"{low:+} to {high:+}"
