"""Converts labelled edits to the rows of features that a network is trained on: one per changed clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from redpen.guards.claims.clauses import sentences_of
from redpen.guards.claims.detector import DETECTED, Detected
from redpen.guards.claims.features import BIAS, name_of
from redpen.guards.claims.finding import changed_clauses
from redpen.guards.known import known_claims, known_context
from redpen.guards.revision import avoids_guarantees
from redpen.guards.text import read
from redpen.training.edits import LabelledEdit
from redpen.training.network import Ints, Rows

_STEP = 1_009
"""How far apart the bases are beside which the sentences of one base are shown again."""
NEWS = len(DETECTED) + 1
"""Class number of unrelated news: statements that do not concern the incident."""
_OF_SCOPE = frozenset(("subject", "quantifier"))
"""Topics of edits that apply a known fact to another subject, to more of it, or in a worse degree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The changed clauses and the class of one edit.

    Attributes:
        clauses: the features of each clause that does not occur verbatim in the original.
        family: class number of the claim that one of the clauses makes, from 1; ``NEWS`` if all of them are
            unrelated news; 0 if no clause makes a claim.
    """

    clauses: tuple[frozenset[str], ...]
    family: int


def is_usable(edit: LabelledEdit) -> bool:
    """Whether the detector can learn from an edit; it cannot from one that only replaces a value."""
    return edit.label == "pass" or edit.is_added or _detected(edit) is not None


def _detected(edit: LabelledEdit) -> Detected | None:
    if edit.family in _OF_SCOPE:
        return "scope"
    return next((family for family in DETECTED if family == edit.family), None)


def example_of(edit: LabelledEdit) -> Example:
    """Return an edit as an example."""
    original = read(edit.original)
    known = known_claims(original, known_context(edit.context), inherit=not avoids_guarantees(edit.context))
    sentences = sentences_of(read(edit.revised, edit.original).text)
    changed = changed_clauses(sentences, known)
    found = _detected(edit) if edit.label == "block" else None
    family = 0 if found is None else DETECTED.index(found) + 1
    if edit.label == "pass" and edit.family == "news" and edit.is_added:
        family = NEWS
    return Example(clauses=tuple(frozenset(map(name_of, features)) for _, features in changed), family=family)


def examples_of(edits: Iterable[LabelledEdit]) -> list[Example]:
    """Return the usable edits as examples, and each unrelated sentence again beside another original.

    What has nothing to do with one incident has nothing to do with another.
    """
    used = [edit for edit in edits if is_usable(edit)]
    bases = list({edit.base: edit for edit in used}.values())
    news = (edit for edit in used if edit.label == "pass" and edit.family == "news" and edit.is_added)
    moved = (_beside(edit, bases[at * _STEP % len(bases)]) for at, edit in enumerate(news))
    every = [*used, *moved]
    found: dict[int, Example] = {}
    # What is known of an original is computed once while its edits follow one another.
    for at in sorted(range(len(every)), key=lambda at: every[at].original):
        found[at] = example_of(every[at])
    return [found[at] for at in range(len(every))]


def _beside(edit: LabelledEdit, other: LabelledEdit) -> LabelledEdit:
    """Return an added sentence as an edit of another original."""
    added = edit.revised.replace(edit.original.strip(), "", 1).strip()
    revised = f"{other.original.strip()} {added}"
    return replace(edit, original=other.original, context=other.context, revised=revised)


def names_of(examples: Iterable[Example], least: int) -> list[str]:
    """Return the features that occur in at least ``least`` clauses: ``BIAS`` first, the others sorted."""
    seen: Counter[str] = Counter()
    for example in examples:
        for clause in example.clauses:
            seen.update(clause)
    return [BIAS, *sorted(name for name, count in seen.items() if count >= least and name != BIAS)]


def rows_of(examples: Sequence[Example], names: Sequence[str]) -> tuple[Rows, Ints]:
    """Return the clauses of examples as rows, and the index of the example of each row."""
    places = {name: at for at, name in enumerate(names)}
    features: list[int] = []
    starts = [0]
    owners: list[int] = []
    for number, example in enumerate(examples):
        for clause in example.clauses:
            features += sorted([place for place in map(places.get, clause) if place is not None])
            starts.append(len(features))
            owners.append(number)
    rows = Rows(features=np.array(features, np.int64), starts=np.array(starts, np.int64))
    return rows, np.array(owners, np.int64)
