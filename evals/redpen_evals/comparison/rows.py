"""What is told of one change: its class, the fields that differ, the words that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from redpen_evals.cassettes.worddiff import word_diff
from redpen_evals.comparison.behaviours import Behaviour, Field, display_id
from redpen_evals.comparison.changes import Change, Comparison

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
    said: dict[Field, str] = {}
    for name in COLUMNS:
        # The class tells the outcome, and the stop reason the status.
        told = name == "outcome" and change.kind in {"improved", "regressed"}
        told |= name == "status" and "stop_reason" in change.fields
        if name in change.fields and not told:
            said[name] = _pair(name, before, after)
    return said


def wording_of(change: Change) -> str:
    """Return how the published text differs, as a word diff on one line; empty where it does not."""
    if change.before is None or change.after is None or "answer" not in change.fields:
        return ""
    return word_diff(change.before.answer or "", change.after.answer or "")


def counts_text(comparison: Comparison) -> str:
    """Return the numbers of every kind that occurs, on one line."""
    said = []
    for kind, count in comparison.counts.items():
        if not count:
            continue
        parts = [f"{aspect} {number}" for aspect, number in comparison.aspects.items() if number]
        said.append(f"{kind} {count}" + (f" ({', '.join(parts)})" if kind == "changed" else ""))
    return ", ".join(said) or "nothing to compare"


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
