"""Which rows that carry their own examples change nothing when they are deleted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from redpen_evals.mutation.loading import Loader, loader
from redpen_evals.mutation.tables import Row

_CLAIMS, _PATTERNS = "redpen.guards.claims", "redpen.guards.claims.patterns"
_PERSONAL_DATA = "redpen.guards.personal_data"


def surviving_examples(rows: Sequence[Row]) -> list[str]:
    """Return the labels of the rows without which their own examples are judged as before.

    Args:
        rows: rows of one table.
    """
    name = _CLAIMS if rows[0].module.startswith(_CLAIMS) else _PERSONAL_DATA
    with loader() as loading:
        (sound,) = loading.load(None, (name,))
        before = [_judged(sound, row) for row in rows]
        # Most rows are patterns: to ignore what they find is to delete them, and needs no new modules.
        doubtful = [
            (row, seen)
            for row, seen in zip(rows, before, strict=True)
            if _judged_ignoring(sound, row) == seen
        ]
        return [row.label for row, seen in doubtful if _judged_without(loading, row, name) == seen]


def _judged_without(loading: Loader, row: Row, name: str) -> list[list[str]] | None:
    """Judge the examples of a row without it; None where the guards do not even load."""
    try:
        (mutant,) = loading.load(row, (name,))
        return _judged(mutant, row)
    except Exception:  # noqa: BLE001 - whatever a mutant raises shows that the row counts
        return None


def _judged(module: ModuleType, row: Row) -> list[list[str]]:
    judge = _judge(module)
    return [judge(row.blocks), judge(row.passes)]


def _judge(module: ModuleType) -> Callable[[str], list[str]]:
    if module.__name__ == _CLAIMS:
        return lambda text: [claim.family for claim in module.find_claims(text)]
    return lambda text: [str(module.find_personal_data(text))]


def _judged_ignoring(module: ModuleType, row: Row) -> list[list[str]]:
    """Judge the examples of a row while no table of patterns finds the row."""
    if module.__name__ != _CLAIMS:
        return _judged(module, row)
    deleted = getattr(sys.modules[row.module], row.table)[row.place]
    with _ignoring(sys.modules[_PATTERNS].Table, deleted):
        module.find_claims.cache_clear()
        judged = _judged(module, row)
    module.find_claims.cache_clear()
    return judged


@contextmanager
def _ignoring(table: Any, deleted: object) -> Iterator[None]:
    find = table.find

    def others(self: Any, *sentence: Any) -> Iterator[Any]:
        return (match for match in find(self, *sentence) if match.row is not deleted)

    table.find = others
    try:
        yield
    finally:
        table.find = find
