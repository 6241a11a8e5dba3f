"""Changes as rows of a table, the ones that are alike as one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen.screen import shown
from redpen_evals.comparison.changes import Behaviour, Change, Comparison, Field, display_id
from redpen_evals.text_diff import word_diff

COLUMNS: Final[Mapping[Field, str]] = {
    "outcome": "outcome",
    "status": "status",
    "stop_reason": "stop reason",
    "phase": "phase",
    "result": "result",
    "decision": "decision",
    "violations": "violations",
    "broken": "broken",
    "calls": "calls",
    "tokens": "tokens",
}
"""The columns of a table of changes; the words of an answer stand apart."""

LABELS: Final = ("regressed", "changed", "improved", "undecided", "new", "gone", "wording", "cost", "same")
"""What a row may be labelled, the weightiest first; ``changed`` is a change of behaviour."""

_NOTHING = "-"
_MOST_CHARS = 80


def label_of(change: Change) -> str:
    """Return the label of a change's row, one of ``LABELS``."""
    return change.aspect if change.aspect in {"wording", "cost"} else change.kind


def title_of(change: Change) -> str:
    """Return the display id of what changed."""
    return display_id(change.key)


def by_weight(changes: Iterable[Change], *, with_same: bool = False) -> list[Change]:
    """Return changes with the weightiest first, else in their order; the same ones only if asked for."""
    rank = {label: at for at, label in enumerate(LABELS)}
    listed = (change for change in changes if with_same or change.kind != "same")
    return sorted(listed, key=lambda change: rank[label_of(change)])


def cells_of(change: Change) -> dict[Field, str]:
    """Return the columns of a change that hold something: ``2 → 3``, ``+added -removed``."""
    before, after = change.before, change.after
    if before is None or after is None:
        held = before or after
        return {} if held is None else {"outcome": held.outcome}
    message: dict[Field, str] = {}
    for name in COLUMNS:
        # The class tells the outcome, and the stop reason the status.
        implied = name == "outcome" and change.kind in {"improved", "regressed"}
        implied |= name == "status" and "stop_reason" in change.fields
        if name in change.fields and not implied:
            message[name] = _pair(name, before, after)
    return message


def wording_of(change: Change) -> str:
    """Return how the published text differs, as a word diff on one line; empty where it does not."""
    if change.before is None or change.after is None or "answer" not in change.fields:
        return ""
    return word_diff(change.before.answer or "", change.after.answer or "")


def counts_text(comparison: Comparison) -> str:
    """Return the numbers of every kind that occurs, on one line."""
    message = []
    for kind, count in comparison.counts.items():
        if not count:
            continue
        parts = [f"{aspect} {number}" for aspect, number in comparison.aspects.items() if number]
        message.append(f"{kind} {count}" + (f" ({', '.join(parts)})" if kind == "changed" else ""))
    return ", ".join(message) or "nothing to compare"


def _pair(name: Field, before: Behaviour, after: Behaviour) -> str:
    old, new = getattr(before, name), getattr(after, name)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return _listed(old, new)
    return f"{_value(old)} → {_value(new)}"


def _listed(old: Sequence[str], new: Sequence[str]) -> str:
    added = [f"+{_value(code)}" for code in new if code not in old]
    removed = [f"-{_value(code)}" for code in old if code not in new]
    # The same codes in another order or number.
    return " ".join((*added, *removed)) or f"{_codes(old)} → {_codes(new)}"


def _codes(codes: Sequence[str]) -> str:
    return " ".join(map(_value, codes)) or _NOTHING


def _value(value: object) -> str:
    text = _NOTHING if value is None else str(value)
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"


FEWEST: Final = 3
"""Smallest number of equal changes that are grouped in one row."""

_NUMBERS: Final[tuple[Field, ...]] = ("calls", "tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """The content of one row: a change, or several equal ones.

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


def change_rows(changes: Iterable[Change], *, apart: bool = False) -> list[ChangeRow]:
    """Return what is told of changes, those alike as one, each where its first stands.

    Only changes of one class that say the same of every field are alike; of numbers it is enough that they go
    the same way. What regressed or improved, is new, gone or undecided always stands by its name.

    Args:
        changes: in order.
        apart: whether every change has a row of its own.
    """
    groups: dict[object, list[Change]] = {}
    for change in changes:
        alike = None if apart or change.kind != "changed" else _likeness(change)
        groups.setdefault(alike or change.key, []).append(change)
    found: list[ChangeRow] = []
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
        limit: most lines of changes; the number of the others follows.
    """
    listed = change_rows(by_weight(comparison.changes))
    width = max((len(one.label) for one in listed[:limit]), default=0)
    lines = [counts_text(comparison)]
    for one in listed[:limit]:
        message = row_text(one)
        line = f"  {one.label.ljust(width)}  {one.title}"
        lines.append(shown(f"{line}: {message}" if message else line))
    if left := sum(one.count for one in listed[limit:]):
        lines.append(f"  … and {left} more")
    return lines


def row_text(one: ChangeRow) -> str:
    """Return what differs, on one line: ``tokens +2; answer [-a-] {+b+}``."""
    message = [f"{COLUMNS[name]} {text}" for name, text in one.cells.items()]
    return "; ".join([*message, f"answer {one.wording}"] if one.wording else message)


def _alone(change: Change) -> ChangeRow:
    return ChangeRow(
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


def _together(group: Sequence[Change]) -> ChangeRow:
    first = group[0]
    scenarios = {change.key[0] for change in group}
    cells = {
        name: _range([_difference(change, name) for change in group]) if name in _NUMBERS else text
        for name, text in cells_of(first).items()
    }
    unit = "scenarios" if len(scenarios) == len(group) else f"results of {len(scenarios)} scenarios"
    return ChangeRow(
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
