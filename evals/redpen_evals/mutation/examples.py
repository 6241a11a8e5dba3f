"""Which rows that carry their own examples change nothing when they are deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

from redpen_evals.mutation.loading import loader
from redpen_evals.mutation.tables import Row

_CLAIMS, _PERSONAL_DATA = "redpen.guards.claims", "redpen.guards.personal_data"


def surviving_examples(rows: Sequence[Row]) -> list[str]:
    """Return the labels of the rows without which their own examples are judged as before.

    Args:
        rows: rows of one table.
    """
    name, judge = _judge(rows[0])
    with loader() as loading:
        (sound,) = loading.load(None, (name,))
        before = [[judge(sound, text) for text in (row.blocks, row.passes)] for row in rows]
        alive: list[str] = []
        for row, seen in zip(rows, before, strict=True):
            (mutant,) = loading.load(row, (name,))
            if [judge(mutant, text) for text in (row.blocks, row.passes)] == seen:
                alive.append(row.label)
    return alive


def _judge(row: Row) -> tuple[str, Callable[[ModuleType, str], list[str]]]:
    """Return the module that judges the examples of a row, and how."""
    if row.module.startswith(_CLAIMS):
        return _CLAIMS, lambda module, text: [claim.family for claim in module.find_claims(text)]
    return _PERSONAL_DATA, lambda module, text: [str(module.find_personal_data(text))]
