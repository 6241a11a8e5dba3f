"""Labelled edits as clauses with features: what the fitting sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from redpen.guards.claims.clause_features import background, changed_clauses
from redpen.guards.claims.phrases import Family
from redpen.guards.revision import avoids_guarantees
from redpen.guards.seen import read
from redpen_evals.training.edits import LabelledEdit

CLAIMS: frozenset[str] = frozenset(get_args(Family))


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One edit.

    Attributes:
        clauses: the features of each clause that the original does not hold word by word.
        family: which claim one of the clauses makes; empty where none does.
        blocked: whether it breaks a rule, that on facts included.
    """

    clauses: tuple[frozenset[str], ...]
    family: str
    blocked: bool


def examples(edits: Iterable[LabelledEdit]) -> list[Example]:
    """Return labelled edits as examples."""
    return [_example(edit) for edit in edits]


def _example(edit: LabelledEdit) -> Example:
    original, revised = read(edit.original).text, read(edit.revised, edit.original).text
    known = background(original, edit.context, inherit=not avoids_guarantees(edit.context))
    blocked = edit.label == "block"
    return Example(
        clauses=tuple(clause.own | clause.beside for clause in changed_clauses(revised, known)),
        family=edit.family if blocked and edit.family in CLAIMS else "",
        blocked=blocked,
    )
