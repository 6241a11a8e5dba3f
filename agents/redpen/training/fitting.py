"""Several networks fitted to labelled edits of which nobody has marked the clause that makes the claim.

An edit that makes a claim does so in one clause as a rule. In the first epoch each of its clauses counts a
share;
from then on the one that the network found likeliest, and the others not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from redpen.training.examples import NEWS, Example, Ints, names_of, rows_of
from redpen.training.network import Network, Rows, Settings, log_odds


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a detector is fitted.

    Attributes:
        networks: how many networks vote.
        least_seen: clauses that a feature has to be seen in.
        claim_counts: how much a clause that makes a claim counts next to one that makes none.
        settings: how each network is trained.
        bounds: log odds from which on a clause is a concern, and a violation: chosen so that, of drafts of
            writers that the networks have not seen, one in a hundred honest ones is blocked.
        scope_bounds: likewise for clauses that are likeliest wrong in scope.
        news_bound: log odds from which on a clause is taken for unrelated news: chosen so that, of drafts of
            unseen writers that state a new fact, one in a thousand at most is taken for it.
    """

    networks: int = 3
    least_seen: int = 12
    claim_counts: float = 2.0
    settings: Settings = field(default_factory=Settings)
    bounds: tuple[float, float] = (0.7, 1.7)
    scope_bounds: tuple[float, float] = (1.7, 2.3)
    news_bound: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Networks with the names of their features."""

    names: list[str]
    networks: tuple[Network, ...]


def fit(examples: Sequence[Example], recipe: Recipe, *, processes: int = 1) -> Fitted:
    """Fit networks to examples; the same examples give the same networks, to the last bit.

    Args:
        examples: some hundred at least, with claims and without.
        recipe: how.
        processes: how many networks are trained at a time.

    Raises:
        ValueError: no example makes a claim, or none passes.
    """
    used = [example for example in examples if example.clauses]
    if len({0 < example.family < NEWS for example in used}) < 2:
        raise ValueError("weights need edits that make a claim, and edits that break no rule")
    names = names_of(used, recipe.least_seen)
    rows, owners = rows_of(used, names)
    families = np.array([example.family for example in used], np.int64)[owners]
    tasks = [(rows, owners, families, len(names), recipe, seed) for seed in range(recipe.networks)]
    if processes == 1:
        networks = tuple(map(_train, tasks))
    else:
        with ProcessPoolExecutor(processes) as pool:
            networks = tuple(pool.map(_train, tasks))
    return Fitted(names=names, networks=networks)


def _train(task: tuple[Rows, Ints, Ints, int, Recipe, int]) -> Network:
    rows, owners, families, count, recipe, seed = task
    network = Network(count, NEWS + 1, recipe.settings, seed)
    claiming = (families > 0) & (families < NEWS)
    clauses = np.bincount(owners)[owners]
    shares = np.where(claiming, recipe.claim_counts / clauses, 1.0).astype(np.float32)
    network.train_epoch(rows, families, shares)
    for _ in range(1, recipe.settings.epochs):
        guilty = _guilty(network, rows, owners, claiming)
        used = np.flatnonzero(guilty | ~claiming)
        counts = np.where(guilty[used], recipe.claim_counts, 1.0).astype(np.float32)
        network.train_epoch(rows.take(used), families[used], counts)
    return network


def _guilty(network: Network, rows: Rows, owners: Ints, claiming: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the likeliest clause of each edit that makes a claim."""
    places = np.flatnonzero(claiming)
    likely = log_odds(network.logits(rows.take(places)))
    ordered = places[np.lexsort((-likely, owners[places]))]
    found = owners[ordered]
    marked = np.zeros(len(owners), dtype=bool)
    marked[ordered[np.concatenate([[True], found[1:] != found[:-1]])]] = True
    return marked
