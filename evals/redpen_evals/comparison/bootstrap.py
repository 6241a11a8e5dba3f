"""How far a number differs between two runs over the same scenarios, with an interval."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from redpen_evals.comparison.mcnemar import MIN_DISCORDANT

MIN_PAIRS = 10
"""Pairs below which no interval is given.

The interval of n values is too narrow by about √((n-1)/n), and by more where they are skewed: 5 % at ten.
"""

MIN_DIFFERING = MIN_DISCORDANT
"""Pairs that have to differ: with fewer even a sign test, which asks least, finds nothing; resampling
them would still draw an interval without zero."""

MOST_RESAMPLES = 2_000
_MOST_DRAWS = 4_000_000
_LEAST_RESAMPLES = 200
_SEED = 20_260_306

Conclusion: TypeAlias = Literal["none", "too_few", "unclear", "lower", "higher"]
Number: TypeAlias = "int | Fraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """How a number differs between two sides.

    Attributes:
        pairs: number of pairs.
        differing: how many of them differ.
        before: mean on the side before; None without pairs.
        after: likewise.
        interval: that the true mean difference lies in, 95 %; None where there are too few pairs to say.
    """

    pairs: int
    differing: int
    before: float | None
    after: float | None
    interval: tuple[float, float] | None

    @property
    def effect(self) -> float | None:
        """Mean after less mean before; None without pairs."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def relative(self) -> float | None:
        """The effect as a share of the mean before; None where that is nothing."""
        return self.effect / self.before if self.effect is not None and self.before else None

    @property
    def conclusion(self) -> Conclusion:
        """Where the side after lies; ``unclear`` if the interval holds zero."""
        if self.pairs and not self.differing:
            return "none"
        if self.interval is None:
            return "too_few"
        low, high = self.interval
        if low > 0:
            return "higher"
        return "lower" if high < 0 else "unclear"


def mean_difference(before: Sequence[Number], after: Sequence[Number]) -> MeanDifference:
    """Return the mean difference of pairs with its percentile bootstrap interval.

    Args:
        before: a number for each pair, exact.
        after: likewise, in the same order. Pairs have to be independent of each other.

    Returns:
        The difference; always the same for the same numbers.

    Raises:
        ValueError: the two are not of one length.

    Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.3; about
    small samples T. C. Hesterberg, "What teachers should know about the bootstrap", The American
    Statistician 69 (2015), 371-386.
    """
    differences = [float(two - one) for one, two in zip(before, after, strict=True)]
    pairs, differing = len(differences), sum(map(bool, differences))
    enough = pairs >= MIN_PAIRS and differing >= MIN_DIFFERING
    return MeanDifference(
        pairs=pairs,
        differing=differing,
        before=_mean(before),
        after=_mean(after),
        interval=percentile_interval(differences) if enough else None,
    )


def percentile_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a mean.

    Args:
        values: one at least; over 2,000 of them are resampled fewer times, down to 200.
        confidence: between 0 and 1, both excluded.
    """
    count = len(values)
    resamples = max(_LEAST_RESAMPLES, min(MOST_RESAMPLES, _MOST_DRAWS // count))
    rng = random.Random(_SEED)  # noqa: S311 - no secret hangs on it, and a report has to come out the same
    means = sorted(sum(rng.choices(values, k=count)) / count for _ in range(resamples))
    left_out = round(resamples * (1 - confidence) / 2)
    return means[left_out], means[-1 - left_out]


def _mean(values: Sequence[Number]) -> float | None:
    return float(sum(values) / len(values)) if values else None
