"""Converts labelled edits to the rows of features that a network is trained on: one per changed clause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count

import numpy as np

from redpen.guards.claims.clauses import Clause, sentences_of
from redpen.guards.claims.detector import DETECTED, Detected
from redpen.guards.claims.features import BIAS, Feature, name_of
from redpen.guards.claims.finding import changed_clauses
from redpen.guards.known import known_claims, known_context
from redpen.guards.revision import avoids_guarantees
from redpen.guards.text import read
from redpen.training.edits import LabelledEdit
from redpen.training.network import Ints, Rows

_STEP = 1_009
"""How far apart the bases are beside which the sentences of one base are shown again."""
FACT = len(DETECTED) + 1
"""Class number of clauses that state a new fact of the incident."""
NEWS = FACT + 1
"""Class number of unrelated news: statements that do not concern the incident."""
_OF_SCOPE = frozenset(("subject", "quantifier"))
"""Topics of edits that apply a known fact to another subject, to more of it, or in a worse degree."""
_OF_FACTS = frozenset("count date duration money multiplier party region share time".split())
"""Topics of edits that state a new fact which words alone can tell."""


_name_of = lru_cache(maxsize=None)(name_of)
"""The name of a feature: one string for all of the clauses that have it, which are many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The changed clauses and the class of one edit.

    Attributes:
        clauses: the distinct features of each clause that does not occur verbatim in the original.
        family: class number of the claim that one of the clauses makes, from 1; ``FACT`` if one of them
            states a new fact; ``NEWS`` if all of them are unrelated news; otherwise 0.
    """

    clauses: tuple[tuple[str, ...], ...]
    family: int


def is_usable(edit: LabelledEdit) -> bool:
    """Whether the detector can learn from an edit; it cannot from one that only replaces a value."""
    is_plain = edit.label == "pass" or edit.is_added
    return is_plain or edit.family in _OF_FACTS or _detected(edit) is not None


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
    if edit.label == "block" and edit.family in _OF_FACTS:
        if any(map(_has_new_words, changed)):
            family = FACT
        elif not edit.is_added:
            changed = []
    if edit.label == "pass" and edit.family == "news" and edit.is_added:
        family = NEWS
    clauses = tuple(tuple(set(map(_name_of, features))) for _, features in changed)
    return Example(clauses=clauses, family=family)


def _has_new_words(changed: tuple[Clause, list[Feature]]) -> bool:
    """Whether a clause has words that no known statement has; numbers and signs are none."""
    return any(feature[0] == "nw" and feature[1].isalpha() for feature in changed[1])


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


def rows_of(examples: Iterable[Example], least: int) -> tuple[list[str], Rows, Ints]:
    """Return the names of features, the clauses as rows of these, and the index of the example of each row.

    Args:
        examples: the examples, in the order of the rows.
        least: least number of clauses in which a feature occurs; the rarer are left out.

    Returns:
        The names are ``BIAS`` first, the others sorted.
    """
    clauses: list[tuple[str, ...]] = []
    owners: list[int] = []
    for number, example in enumerate(examples):
        clauses += example.clauses
        owners += [number] * len(example.clauses)
    # Numbers in the order of appearance, given and counted by loops in C: there are millions.
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    found = np.fromiter(map(numbers.__getitem__, chain.from_iterable(clauses)), np.int64)
    seen = np.bincount(found)
    kept = (name for name, times in zip(numbers, seen, strict=True) if times >= least and name != BIAS)
    names = [BIAS, *sorted(kept)]
    places = np.full(len(numbers), -1)
    places[[numbers[name] for name in names]] = np.arange(len(names))
    features = places[found]
    rows = np.repeat(np.arange(len(clauses)), list(map(len, clauses)))[features >= 0]
    features = np.sort(rows * len(names) + features[features >= 0]) % len(names)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(clauses)))])
    return names, Rows(features=features, starts=starts), np.array(owners, np.int64)
