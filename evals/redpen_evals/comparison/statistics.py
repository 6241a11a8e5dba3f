"""Whether a difference may be chance: McNemar's test, and intervals by resampling."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

SIGNIFICANT = 0.05

MIN_DISCORDANT = 6
"""Discordant pairs below which no split is significant.

The smallest p of n pairs is that of all on one side, 2 · 0.5ⁿ: 0.0625 for five, 0.03125 for six.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """How many pairs came to what on either side.

    Attributes:
        both_passed: on either side.
        regressed: passed before, failed after.
        improved: failed before, passed after.
        both_failed: on either side.
    """

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
        """Number of pairs whose sides differ; they alone tell the sides apart."""
        return self.regressed + self.improved

    @property
    def testable(self) -> bool:
        """Whether enough pairs differ for any split of them to be significant."""
        return self.discordant >= MIN_DISCORDANT

    @property
    def p_value(self) -> float:
        """Of the two-sided exact test that either direction is as likely."""
        return exact_p_value(self.regressed, self.improved)

    @property
    def conclusion(self) -> str:
        """What may be said of the sides, in words."""
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


def exact_p_value(one: int, other: int) -> float:
    """Return the two-sided p of McNemar's exact test.

    Args:
        one: pairs that differ in one direction, 0 or more.
        other: in the other direction.

    Returns:
        Twice the chance that at most the smaller number of ``one + other`` pairs goes that way if both
        ways are as likely, at most 1. The test is conservative: chance is below 5 % less often than p says.

    Raises:
        ValueError: a number is negative.

    Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12 (1947), 153-157; the exact conditional form as in M. W. Fagerland,
    S. Lydersen and P. Laake, BMC Medical Research Methodology 13 (2013), 91.
    """
    if min(one, other) < 0:
        raise ValueError(f"{one} and {other} are no numbers of pairs")
    total = one + other
    # Whole numbers all the way: exact, and each binomial coefficient follows from the one before.
    ways = tail = 1
    for taken in range(min(one, other)):
        ways = ways * (total - taken) // (taken + 1)
        tail += ways
    # The quotient of two whole numbers is rounded once, however long they are.
    return min(1.0, 2 * tail / (1 << total))


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
