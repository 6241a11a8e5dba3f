"""Fits a network to labelled edits, most of which do not say which clause makes the claim.

An edit that makes a claim usually makes it in one clause. In the first epoch its clauses share the weight of
one claim equally, in later epochs by the odds that the network gives each of them to be it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from redpen.training.examples import NEWS, Example, Numbers, rows_of
from redpen.training.network import Network, Settings, odds

_LEAST_SHARE = 0.02
"""Least share of a claim for which a clause is an example of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Parameters for fitting a detector.

    Attributes:
        least_seen: least number of clauses in which a feature occurs.
        claim_counts: weight of a clause that makes a claim, relative to one that makes none.
        settings: training parameters of the network.
        bounds: least log odds of a concern and of a violation, chosen on drafts by writers absent from the
            training data: they block 1.7 % of 600 acceptable ones in realistic styles.
        scope_bounds: the same for clauses whose likeliest class is ``scope``.
        news_bound: least log odds of unrelated news, chosen so that at most 0.1 % of the drafts with a new
            fact, by writers absent from the training data, are classified as unrelated news.
        fact_bound: highest log odds of a new fact, less a share of those of unrelated news, of a clause that
            states none; see ``redpen.guards.revision`` for the kinds of facts.
    """

    least_seen: int = 6
    claim_counts: float = 2.0
    settings: Settings = field(default_factory=Settings)
    bounds: tuple[float, float] = (0.5, 1.25)
    scope_bounds: tuple[float, float] = (1.0, 1.7)
    news_bound: float = 0.5
    fact_bound: float = -2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A fitted network, and the names of its features."""

    names: list[str]
    network: Network


def fit(examples: Sequence[Example], numbers: Numbers, recipe: Recipe) -> Fitted:
    """Fit a network to examples; the result is bitwise reproducible.

    Args:
        examples: a few hundred at least, with and without claims.
        numbers: the numbers of their features.
        recipe: parameters.

    Raises:
        ValueError: the examples do not include both claims and texts without claims.
    """
    used = [example for example in examples if example.clauses]
    if len({0 < example.family < NEWS for example in used}) < 2:
        raise ValueError("training needs edits that make a claim and edits that do not")
    names, rows, owners = rows_of(used, numbers, recipe.least_seen)
    families = np.array([example.family for example in used], np.int64)[owners]
    network = Network(len(names), NEWS + 1, recipe.settings)
    is_claiming = (families > 0) & (families < NEWS)
    counts = np.where(is_claiming, recipe.claim_counts, 1.0)
    # A clause that is the only one of its edit has all of the weight.
    sharing = np.flatnonzero(is_claiming & (np.bincount(owners)[owners] > 1))
    shared, edits = rows.take(sharing), owners[sharing]
    for epoch in range(recipe.settings.epochs):
        likely = odds(network.logits(shared)) if epoch else np.ones(len(sharing))
        counts[sharing] = recipe.claim_counts * likely / np.bincount(edits, likely)[edits]
        taken = np.flatnonzero(~is_claiming | (counts > recipe.claim_counts * _LEAST_SHARE))
        network.train_epoch(rows, taken, families, counts.astype(np.float32))
    return Fitted(names=names, network=network)
