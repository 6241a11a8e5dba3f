"""McNemar's exact test: did two runs over the same scenarios differ by more than chance."""

from __future__ import annotations

from dataclasses import dataclass

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
