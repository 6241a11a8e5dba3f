"""Changes as rows of a table; similar changes share a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen.screen import shortened, shown
from redpen_evals.comparison.changes import FIELDS, Behaviour, Change, Comparison, Field, Kind
from redpen_evals.records.model import display_id
from redpen_evals.text_diff import word_diff

COLUMNS: Final[Mapping[Field, str]] = {name: name.replace("_", " ") for name in FIELDS if name != "answer"}
"""The columns of a table of changes; text diffs are shown below the rows."""

LABELS: Final = (
    *("regressed", "changed", "improved", "undecided", "new", "gone"),
    *("wording", "cost", "not run", "same"),
)
"""Labels of rows, the most important first; ``changed`` is a change of behaviour."""

UNLISTED: Final[frozenset[Kind]] = frozenset({"same", "not run"})
"""Kinds of changes that are only counted, unless all are wanted."""

_NOTHING = "-"
_MAX_CHARS = 80


def label_of(change: Change) -> str:
    """Return the label of a change's row, one of ``LABELS``."""
    return change.aspect if change.aspect in {"wording", "cost"} else change.kind


def by_weight(changes: Iterable[Change], *, with_same: bool = False) -> list[Change]:
    """Return changes sorted by importance, otherwise in their order; ``UNLISTED`` kinds only if requested."""
    rank = {label: index for index, label in enumerate(LABELS)}
    listed = (change for change in changes if with_same or change.kind not in UNLISTED)
    return sorted(listed, key=lambda change: rank[label_of(change)])


def cells_of(change: Change) -> dict[Field, str]:
    """Return the non-empty cells of a change: ``2 → 3``, ``+added -removed``."""
    before, after = change.before, change.after
    if before is None or after is None:
        behaviour = before or after
        return {} if behaviour is None else {"outcome": behaviour.outcome}
    cells: dict[Field, str] = {}
    for name in COLUMNS:
        # The label implies the outcome, and the stop reason the status.
        implied = name == "outcome" and change.kind in {"improved", "regressed"}
        implied |= name == "status" and "stop_reason" in change.fields
        if name in change.fields and not implied:
            cells[name] = _pair(name, before, after)
    return cells


def wording_of(change: Change) -> str:
    """Return the word diff of the published texts on one line; empty if they are equal."""
    if change.before is None or change.after is None or "answer" not in change.fields:
        return ""
    return word_diff(change.before.answer or "", change.after.answer or "")


def counts_text(comparison: Comparison, *, gone: str = "gone") -> str:
    """Return the numbers of every kind that occurs, on one line, with a label for the kind ``gone``."""
    aspects = ", ".join(f"{aspect} {number}" for aspect, number in comparison.aspects.items() if number)
    counts = [
        f"{gone if kind == 'gone' else kind} {count}" + (f" ({aspects})" if kind == "changed" else "")
        for kind, count in comparison.counts.items()
        if count
    ]
    return ", ".join(counts) or "nothing to compare"


def _pair(name: Field, before: Behaviour, after: Behaviour) -> str:
    old, new = getattr(before, name), getattr(after, name)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return _listed(old, new)
    return f"{_value(old)} → {_value(new)}"


def _listed(old: Sequence[str], new: Sequence[str]) -> str:
    added = [f"+{_value(code)}" for code in dict.fromkeys(new) if code not in old]
    removed = [f"-{_value(code)}" for code in dict.fromkeys(old) if code not in new]
    # Otherwise the codes differ only in order or number.
    return " ".join((*added, *removed)) or f"{_codes(old)} → {_codes(new)}"


def _codes(codes: Sequence[str]) -> str:
    return " ".join(map(_value, codes)) or _NOTHING


def _value(value: object) -> str:
    return _NOTHING if value is None else shortened(str(value), _MAX_CHARS)


MIN_GROUP: Final = 3
"""Smallest number of similar changes that share a row."""

_NUMBERS: Final[frozenset[Field]] = frozenset({"calls", "tokens"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """The content of one row: a change, or several similar ones.

    Attributes:
        label: one of ``LABELS``.
        title: the display id, or the number of scenarios.
        wording: word diff of the text; empty if it is equal.
        count: number of changes.
    """

    label: str
    title: str
    cells: Mapping[Field, str]
    wording: str
    count: int


def change_rows(changes: Iterable[Change], *, apart: bool = False) -> list[ChangeRow]:
    """Return the rows for changes; similar ones share a row at the position of the first, unless `apart`.

    Only ``changed`` results are grouped: if all their cells are equal, and their numbers go in the same
    direction. Other kinds always have a row each.
    """
    groups: dict[object, list[Change]] = {}
    for change in changes:
        group_key = None if apart or change.kind != "changed" else _group_key(change)
        groups.setdefault(group_key or change.key, []).append(change)
    rows: list[ChangeRow] = []
    for group in groups.values():
        rows += [_row(group)] if len(group) >= MIN_GROUP else [_row([change]) for change in group]
    return rows


def summary_lines(comparison: Comparison, limit: int = 20) -> list[str]:
    """Return the counts, then a line for each of `limit` rows of changes, the most important first.

    The lines are escaped for a terminal.
    """
    rows = change_rows(by_weight(comparison.changes))
    width = max((len(row.label) for row in rows[:limit]), default=0)
    lines = [counts_text(comparison)]
    for row in rows[:limit]:
        differences = row_text(row)
        line = f"  {row.label.ljust(width)}  {row.title}"
        lines.append(shown(f"{line}: {differences}" if differences else line))
    if omitted := sum(row.count for row in rows[limit:]):
        lines.append(f"  … and {omitted} more")
    return lines


def row_text(row: ChangeRow) -> str:
    """Return the differences on one line: ``tokens +2; answer [-a-] {+b+}``."""
    parts = [f"{COLUMNS[name]} {text}" for name, text in row.cells.items()]
    return "; ".join([*parts, f"answer {row.wording}"] if row.wording else parts)


def _group_key(change: Change) -> tuple[object, ...]:
    cells = cells_of(change)
    for name in _NUMBERS & cells.keys():
        cells[name] = "more" if _difference(change, name) > 0 else "fewer"
    return label_of(change), tuple(cells.items()), wording_of(change)


def _row(group: Sequence[Change]) -> ChangeRow:
    """Return the row of a change, or of several that differ only in their numbers."""
    first = group[0]
    title, cells = display_id(first.key), cells_of(first)
    if len(group) > 1:
        scenarios = {change.key[0] for change in group}
        unit = "scenarios" if len(scenarios) == len(group) else f"results of {len(scenarios)} scenarios"
        title = f"{len(group)} {unit}"
        for name in _NUMBERS & cells.keys():
            cells[name] = _range([_difference(change, name) for change in group])
    return ChangeRow(
        label=label_of(first), title=title, cells=cells, wording=wording_of(first), count=len(group)
    )


def _difference(change: Change, name: Field) -> int:
    if change.before is None or change.after is None:
        return 0
    before, after = getattr(change.before, name), getattr(change.after, name)
    return (after or 0) - (before or 0)


def _range(differences: Sequence[int]) -> str:
    low, high = min(differences, key=abs), max(differences, key=abs)
    return f"{low:+}" if low == high else f"{low:+} to {high:+}"
