"""Converts labelled edits to the rows of features that a network is trained on: one per changed clause."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context

import numpy as np

from redpen.guards.claims.clauses import Clause, sentences_of
from redpen.guards.claims.detector import DETECTED, Detected
from redpen.guards.claims.explain import span_of
from redpen.guards.claims.features import BIAS, Feature, feature_of, name_of
from redpen.guards.claims.finding import changed_clauses
from redpen.guards.known import known_claims, known_context
from redpen.guards.revision import avoids_guarantees
from redpen.guards.text import read
from redpen.training.edits import SENTENCE_END, LabelledEdit
from redpen.training.network import Ints, Rows

_STEP = 1_009
"""How far apart the bases are beside which the sentences of one base are shown again."""
_PARTS = 4
"""How many parts of the edits each process gets: the more, the closer to one another they end."""
_LEAST_PART = 200
"""Least number of edits of a part: fewer take no longer than the start of a process."""
FACT = len(DETECTED) + 1
"""Class number of clauses that state a new fact of the incident."""
NEWS = FACT + 1
"""Class number of unrelated news: statements that do not concern the incident."""
_OF_SCOPE = frozenset(("subject", "quantifier"))
"""Topics of edits that apply a known fact to another subject, to more of it, or in a worse degree."""
_OF_FACTS = frozenset("count date duration money multiplier party region share time".split())
"""Topics of edits that state a new fact which words alone can tell."""


_Changed = tuple[Clause, list[Feature]]
Numbers = defaultdict[Feature, int]
"""The number of each feature; which one it is makes no difference."""


def numbering() -> Numbers:
    """Return numbers that continue with each new feature that is looked up."""
    return defaultdict(count().__next__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The changed clauses and the class of one edit.

    Attributes:
        clauses: the numbers of the distinct features of each clause that does not occur verbatim in the
            original.
        family: class number of the claim that one of the clauses makes, from 1; ``FACT`` if one of them
            states a new fact; ``NEWS`` if all of them are unrelated news; otherwise 0.
    """

    clauses: tuple[Ints, ...]
    family: int


def is_usable(edit: LabelledEdit) -> bool:
    """Whether the detector can learn from an edit; it cannot from one that only replaces a value."""
    is_plain = edit.label == "pass" or edit.is_added
    return is_plain or edit.family in _OF_FACTS or _detected(edit) is not None


def _detected(edit: LabelledEdit) -> Detected | None:
    if edit.family in _OF_SCOPE:
        return "scope"
    return next((family for family in DETECTED if family == edit.family), None)


def _examples_of(edit: LabelledEdit, numbers: Numbers) -> Iterator[Example]:
    """Yield an edit as an example; if its claim is marked, also the clauses beside it, which make none."""
    original = read(edit.original)
    known = known_claims(original, known_context(edit.context), inherit=not avoids_guarantees(edit.context))
    view = read(_changed_part(edit.original.strip(), edit.revised), edit.original)
    changed = changed_clauses(sentences_of(view.text), known)
    start = view.given.find(edit.claim) if edit.claim else -1
    if start >= 0:
        end = start + len(edit.claim)
        sides: tuple[list[_Changed], list[_Changed]] = ([], [])
        for it in changed:
            span = span_of(view, it[0])
            sides[span[0] < end and start < span[1]].append(it)
        beside, marked = sides
        if marked:
            yield _example(0, beside, numbers)
            changed = marked
    yield _example(_class_of(edit, changed), changed, numbers)


def _class_of(edit: LabelledEdit, changed: Iterable[_Changed]) -> int | None:
    """Return the class number of an edit by its changed clauses; None if they do not show it."""
    if edit.label == "pass":
        return NEWS if edit.family == "news" and edit.is_added else 0
    if edit.family in _OF_FACTS:
        return FACT if any(map(_has_new_words, changed)) else 0 if edit.is_added else None
    found = _detected(edit)
    return 0 if found is None else DETECTED.index(found) + 1


def _example(family: int | None, changed: Iterable[_Changed], numbers: Numbers) -> Example:
    if family is None:
        return Example(clauses=(), family=0)
    numbered = (set(map(numbers.__getitem__, features)) for _, features in changed)
    clauses = tuple(np.fromiter(found, np.int64, len(found)) for found in numbered)
    return Example(clauses=clauses, family=family)


def _changed_part(original: str, revised: str) -> str:
    """Return the part of a revision that differs from the original, with the sentence before it.

    Other sentences that both have in the same place need not be read again.
    """
    ends = [match.end() for match in SENTENCE_END.finditer(original)]
    same = [end for end in ends if original[:end] == revised[:end]]
    start = same[-2] if len(same) > 1 else 0
    after = next((len(original) - end for end in ends if revised.endswith(original[end:])), 0)
    return revised[start : max(start, len(revised) - after)]


def _has_new_words(changed: _Changed) -> bool:
    """Whether a clause has words that no known statement has; numbers and signs are none."""
    return any(feature[0] == "nw" and feature[1].isalpha() for feature in changed[1])


def examples_of(edits: Iterable[LabelledEdit], numbers: Numbers, processes: int = 1) -> list[Example]:
    """Return the usable edits as examples, and each unrelated sentence again beside another original.

    What has nothing to do with one incident has nothing to do with another.

    Args:
        edits: any edits.
        numbers: the numbers of features so far; new ones are added.
        processes: how many processes share the work; only the numbers depend on it.
    """
    used = [edit for edit in edits if is_usable(edit)]
    bases = list({edit.base: edit for edit in used}.values())
    news = (edit for edit in used if edit.label == "pass" and edit.family == "news" and edit.is_added)
    moved = (_beside(edit, bases[at * _STEP % len(bases)]) for at, edit in enumerate(news))
    every = [*used, *moved]
    # What is known of an original is computed once while its edits follow one another.
    order = sorted(range(len(every)), key=lambda at: every[at].original)
    found: list[list[Example]] = [[] for _ in every]
    for at, examples in zip(order, _in_order([every[at] for at in order], numbers, processes), strict=True):
        found[at] = examples
    return [example for examples in found for example in examples]


def _in_order(edits: list[LabelledEdit], numbers: Numbers, processes: int) -> Iterator[list[Example]]:
    """Yield the examples of each edit."""
    size = max(_LEAST_PART, -(-len(edits) // (processes * _PARTS)))
    parts = [edits[start : start + size] for start in range(0, len(edits), size)]
    if processes == 1 or len(parts) == 1:
        yield from (list(_examples_of(edit, numbers)) for edit in edits)
        return
    # Freshly started processes, as forking is neither possible everywhere nor safe beside threads.
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=gc.disable) as pool:
        for examples, features in pool.map(_part_of, parts):
            own = np.fromiter(map(numbers.__getitem__, features), np.int64, len(features))
            for found in examples:
                yield [replace(it, clauses=tuple(own[clause] for clause in it.clauses)) for it in found]


def _part_of(edits: list[LabelledEdit]) -> tuple[list[list[Example]], list[Feature]]:
    """Return the examples of each edit, and the features in the order of their numbers."""
    numbers = numbering()
    return [list(_examples_of(edit, numbers)) for edit in edits], list(numbers)


def _beside(edit: LabelledEdit, other: LabelledEdit) -> LabelledEdit:
    """Return an added sentence as an edit of another original."""
    added = edit.revised.replace(edit.original.strip(), "", 1).strip()
    revised = f"{other.original.strip()} {added}"
    return replace(edit, original=other.original, context=other.context, revised=revised)


def rows_of(examples: Iterable[Example], numbers: Numbers, least: int) -> tuple[list[str], Rows, Ints]:
    """Return the names of features, the clauses as rows of these, and the index of the example of each row.

    Args:
        examples: the examples, in the order of the rows.
        numbers: the numbers of their features.
        least: least number of clauses in which a feature occurs; the rarer are left out.

    Returns:
        The names are ``BIAS`` first, the others sorted.
    """
    clauses: list[Ints] = []
    owners: list[int] = []
    for number, example in enumerate(examples):
        clauses += example.clauses
        owners += [number] * len(example.clauses)
    found = np.concatenate(clauses)
    seen = np.bincount(found, minlength=len(numbers))
    kept = {name_of(feature): number for feature, number in numbers.items() if seen[number] >= least}
    kept[BIAS] = numbers[feature_of(BIAS)]
    names = [BIAS, *sorted(kept.keys() - {BIAS})]
    places = np.full(len(numbers), -1)
    places[list(map(kept.__getitem__, names))] = np.arange(len(names))
    features = places[found]
    rows = np.repeat(np.arange(len(clauses)), list(map(len, clauses)))[features >= 0]
    features = np.sort(rows * len(names) + features[features >= 0]) % len(names)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(clauses)))])
    return names, Rows(features=features, starts=starts), np.array(owners, np.int64)
