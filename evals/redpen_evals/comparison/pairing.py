"""The statistics of a comparison: which results make a pair, and what the pairs show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from redpen_evals.comparison.behaviours import Behaviour
from redpen_evals.comparison.bootstrap import MeanDifference, mean_difference
from redpen_evals.comparison.changes import Comparison
from redpen_evals.comparison.mcnemar import PairedTable

NUMBERS: Mapping[str, Callable[[Behaviour], int | None]] = {
    "tokens": lambda one: one.tokens,
    "calls": lambda one: one.calls,
    "answer chars": lambda one: None if one.answer is None else len(one.answer),
}
"""The numbers that are compared; None where a result has none, which takes its pair out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedStatistics:
    """What the pairs of a comparison show.

    The unit is the scenario, never the single result: answers to one scenario hang together, and counted
    one by one they would make any test too sure. A scenario passes on a side if every paired result of it
    passes there; its number is the mean over them. Only results that were judged on both sides are paired,
    so that each side has as many tries.

    Attributes:
        table: passed and failed scenarios.
        numbers: by name, as in ``NUMBERS``.
        results: number of paired results; more than scenarios where there are samples or variants.
    """

    table: PairedTable
    numbers: Mapping[str, MeanDifference]
    results: int


def paired_statistics(comparison: Comparison) -> PairedStatistics:
    """Return the statistics of a comparison."""
    scenarios: dict[str, list[tuple[Behaviour, Behaviour]]] = defaultdict(list)
    for change in comparison.changes:
        before, after = change.before, change.after
        if before is not None and after is not None and before.decided and after.decided:
            scenarios[change.key[0]].append((before, after))
    pairs = list(scenarios.values())
    return PairedStatistics(
        table=_table(pairs),
        numbers={name: _difference(pairs, number) for name, number in NUMBERS.items()},
        results=sum(map(len, pairs)),
    )


def _table(scenarios: Sequence[Sequence[tuple[Behaviour, Behaviour]]]) -> PairedTable:
    counts: dict[tuple[bool, bool], int] = defaultdict(int)
    for pairs in scenarios:
        before, after = (all(pair[side].outcome == "passed" for pair in pairs) for side in (0, 1))
        counts[before, after] += 1
    return PairedTable(
        both_passed=counts[True, True],
        regressed=counts[True, False],
        improved=counts[False, True],
        both_failed=counts[False, False],
    )


def _difference(
    scenarios: Sequence[Sequence[tuple[Behaviour, Behaviour]]], number: Callable[[Behaviour], int | None]
) -> MeanDifference:
    before: list[Fraction] = []
    after: list[Fraction] = []
    for pairs in scenarios:
        known = [
            (one, other)
            for one, other in ((number(before), number(after)) for before, after in pairs)
            if one is not None and other is not None
        ]
        if known:
            before.append(Fraction(sum(one for one, _ in known), len(known)))
            after.append(Fraction(sum(other for _, other in known), len(known)))
    return mean_difference(before, after)
