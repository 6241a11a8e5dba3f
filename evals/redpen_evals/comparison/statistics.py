"""Significance of differences: McNemar's exact test, and bootstrap intervals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

SIGNIFICANT = 0.05

MIN_DISCORDANT = 6
"""Discordant pairs below which no split is significant.

The smallest p of n pairs, all on one side, is 2 · 0.5ⁿ: 0.0625 for five, 0.03125 for six.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """Numbers of pairs by their outcomes on both sides; `regressed` passed before and failed after."""

    both_passed: int
    regressed: int
    improved: int
    both_failed: int

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.both_passed + self.regressed + self.improved + self.both_failed

    @property
    def discordant(self) -> int:
        """Number of pairs with different outcomes."""
        return self.regressed + self.improved

    @property
    def testable(self) -> bool:
        """Whether enough pairs differ for a significant result to be possible."""
        return self.discordant >= MIN_DISCORDANT

    @property
    def p_value(self) -> float:
        """The p-value of the two-sided exact test that both directions are equally likely."""
        return exact_p_value(self.regressed, self.improved)

    @property
    def conclusion(self) -> str:
        """The conclusion in words."""
        if not self.pairs:
            return "no pairs to compare"
        if not self.discordant:
            return "no pair differs"
        if not self.testable:
            return (
                f"too few to tell: {self.discordant} of {self.pairs} pairs differ, and fewer than "
                f"{MIN_DISCORDANT} never give p < {SIGNIFICANT}"
            )
        if self.p_value >= SIGNIFICANT:
            return "the difference may be chance"
        return "B is worse than A" if self.regressed > self.improved else "B is better than A"


def exact_p_value(regressed: int, improved: int) -> float:
    """Return the two-sided p-value of McNemar's exact test, which is conservative.

    It is twice the probability that at most the smaller number of the pairs goes that way if both directions
    are equally likely, at most 1.

    Raises:
        ValueError: a number is negative.

    Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12 (1947), 153-157; the exact conditional form as in M. W. Fagerland,
    S. Lydersen and P. Laake, BMC Medical Research Methodology 13 (2013), 91.
    """
    if min(regressed, improved) < 0:
        raise ValueError(f"numbers of pairs must not be negative: {regressed}, {improved}")
    total = regressed + improved
    # Integer arithmetic is exact; each binomial coefficient follows from the previous one.
    ways = tail = 1
    for taken in range(min(regressed, improved)):
        ways = ways * (total - taken) // (taken + 1)
        tail += ways
    # The quotient of two integers is rounded only once.
    return min(1.0, 2 * tail / (1 << total))


MIN_PAIRS = 10
"""Pairs below which no interval is given.

The interval of n values is too narrow by about √((n-1)/n), and by more where they are skewed: 5 % at ten.
"""

MIN_DIFFERING = MIN_DISCORDANT
"""Pairs that have to differ: with fewer even a sign test cannot be significant, while resampling
could still give an interval without zero."""

MAX_RESAMPLES = 2_000
_MAX_DRAWS = 4_000_000
_MIN_RESAMPLES = 200
_SEED = 20_260_306

Conclusion: TypeAlias = Literal["none", "too_few", "unclear", "lower", "higher"]
Number: TypeAlias = "int | Fraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """How a number differs between two sides.

    Attributes:
        differing: how many of the pairs differ.
        before: mean on side A; None without pairs.
        after: likewise on side B.
        interval: 95 % interval of the mean difference; None if there are too few pairs.
    """

    pairs: int
    differing: int
    before: float | None
    after: float | None
    interval: tuple[float, float] | None

    @property
    def effect(self) -> float | None:
        """Mean after minus mean before; None without pairs."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def relative(self) -> float | None:
        """The effect as a share of the mean before; None if that is zero."""
        return self.effect / self.before if self.effect is not None and self.before else None

    @property
    def conclusion(self) -> Conclusion:
        """Whether side B is lower or higher; ``unclear`` if the interval contains zero."""
        if self.pairs and not self.differing:
            return "none"
        if self.interval is None:
            return "too_few"
        low, high = self.interval
        if low > 0:
            return "higher"
        return "lower" if high < 0 else "unclear"


def mean_difference(before: Sequence[Number], after: Sequence[Number]) -> MeanDifference:
    """Return the mean difference of pairs, which have to be independent of each other.

    Raises:
        ValueError: the two differ in length.

    Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.3; about
    small samples T. C. Hesterberg, "What teachers should know about the bootstrap", The American
    Statistician 69 (2015), 371-386.
    """
    differences = [float(new - old) for old, new in zip(before, after, strict=True)]
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
    """Return the percentile bootstrap interval of the mean of one or more values; deterministic.

    Over 2,000 values are resampled fewer times, down to 200.
    """
    count = len(values)
    resamples = max(_MIN_RESAMPLES, min(MAX_RESAMPLES, _MAX_DRAWS // count))
    rng = random.Random(_SEED)  # noqa: S311 - not a secret, and reports must be reproducible
    means = sorted(sum(rng.choices(values, k=count)) / count for _ in range(resamples))
    left_out = round(resamples * (1 - confidence) / 2)
    return means[left_out], means[-1 - left_out]


def _mean(values: Sequence[Number]) -> float | None:
    return float(sum(values) / len(values)) if values else None
