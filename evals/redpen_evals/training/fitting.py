"""Logistic regression over the clauses of labelled edits, of which nobody has marked those that make a claim.

An edit that makes a claim does so in one clause as a rule. The fit starts from the clause with the most news
in each such edit, and then takes the one that the weights found so far speak most for; the others of the edit
do not count. What breaks a rule on facts alone says nothing of claims and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from redpen_evals.training.clauses import CLAIMS, Example

ROUNDS = 5
LEAST_SEEN = 4
"""Clauses that a feature has to be seen in."""
STRENGTH = 0.5
"""Inverse of the strength of the L2 penalty."""
CLAIM_COUNTS = 1.5
"""How much a clause counts that makes a claim, next to one of an edit that breaks no rule."""
LEAST_WEIGHT = 10
"""Weights nearer to nought are left out, in hundredths."""
LEAST_FAMILY_WEIGHT = 40
FAMILY_GROUPS = ("word:", "about:", "class:")
"""What tells one family from another: no more than what a clause is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What features weigh, in hundredths.

    Attributes:
        claim: for a claim, by feature.
        families: for a family, by feature and family.
    """

    claim: dict[str, int]
    families: dict[str, dict[str, int]]


def fit(examples: Sequence[Example]) -> Weights:
    """Fit weights to labelled edits.

    Args:
        examples: some hundred at least, with claims and without.

    Raises:
        ValueError: no example makes a claim, or none passes.
    """
    used = [example for example in examples if example.clauses and (example.family or not example.blocked)]
    if len({bool(example.family) for example in used}) < 2:
        raise ValueError("weights need examples that make a claim, and examples that break no rule")
    owners = [number for number, example in enumerate(used) for _ in example.clauses]
    vectorizer = CountVectorizer(analyzer=sorted, binary=True, min_df=LEAST_SEEN)
    matrix: csr_matrix = vectorizer.fit_transform(clause for example in used for clause in example.clauses)
    of_claim = np.array([bool(used[owner].family) for owner in owners])
    groups = [
        (number, np.array([row for row, _ in rows]))
        for number, rows in groupby(enumerate(owners), key=lambda row: row[1])
    ]
    claiming = [rows for number, rows in groups if used[number].family]
    news = np.array(
        [
            sum(feature.startswith("new:") for feature in clause)
            for example in used
            for clause in example.clauses
        ]
    )
    makes = _strongest(claiming, news)
    for _ in range(ROUNDS):
        counts = np.where(makes, CLAIM_COUNTS, np.where(of_claim, 0.0, 1.0))
        model = LogisticRegression(
            C=STRENGTH, fit_intercept=False, max_iter=300, solver="liblinear", random_state=0
        )
        model.fit(matrix, makes, sample_weight=counts)
        makes = _strongest(claiming, model.decision_function(matrix))
    names = list(vectorizer.get_feature_names_out())
    families = [used[owner].family for owner, made in zip(owners, makes, strict=True) if made]
    return Weights(
        claim=_hundredths(names, model.coef_[0], LEAST_WEIGHT),
        families=_fit_families(matrix[makes], families, names),
    )


def _strongest(groups: Sequence[NDArray[np.int64]], speak: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the row of each group that is spoken for most."""
    marked = np.zeros(len(speak), dtype=bool)
    marked[[rows[int(np.argmax(speak[rows]))] for rows in groups]] = True
    return marked


def _fit_families(
    matrix: csr_matrix, families: Sequence[str], names: Sequence[str]
) -> dict[str, dict[str, int]]:
    columns = [at for at, name in enumerate(names) if name.startswith(FAMILY_GROUPS)]
    found: dict[str, dict[str, int]] = {}
    for family in sorted(CLAIMS.intersection(families)):
        model = LogisticRegression(C=STRENGTH, max_iter=300, solver="liblinear", random_state=0)
        of_family = np.array([item == family for item in families])
        if of_family.all():
            continue
        model.fit(matrix[:, columns], of_family)
        for name, weight in _hundredths(
            [names[at] for at in columns], model.coef_[0], LEAST_FAMILY_WEIGHT
        ).items():
            found.setdefault(name, {})[family] = weight
    return found


def _hundredths(names: Sequence[str], weights: NDArray[np.float64], least: int) -> dict[str, int]:
    rounded = {name: round(float(weight) * 100) for name, weight in zip(names, weights, strict=True)}
    return {name: weight for name, weight in sorted(rounded.items()) if abs(weight) >= least}
