"""Rates with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final

_Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A number of hits in a number of trials."""

    hits: int
    total: int

    @property
    def percent(self) -> Fraction | None:
        """The exact share in percent; None without trials."""
        return Fraction(100 * self.hits, self.total) if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, in percent."""
        low, high = wilson_interval(self.hits, self.total)
        return 100 * low, 100 * high

    def text(self, decimals: int) -> str:
        """Return the share with its interval: ``95.0 % [91.2, 97.4]``."""
        low, high = self.interval
        return f"{float(self.percent or 0):.{decimals}f} % [{low:.{decimals}f}, {high:.{decimals}f}]"


def wilson_interval(hits: int, total: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share.

    Args:
        total: number of trials; after none the interval is 0 to 1.

    Returns:
        The bounds, 0 to 1.

    Raises:
        ValueError: the numbers are outside their bounds.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212; without continuity correction.
    """
    if not 0 <= hits <= total:
        raise ValueError(f"{hits} of {total} is not a share")
    if total == 0:
        return 0.0, 1.0
    share = hits / total
    spread = 1 + _Z * _Z / total
    centre = (share + _Z * _Z / (2 * total)) / spread
    half = _Z / spread * math.sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total))
    # At the ends the bound is exact, but rounding errors would remain.
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == total else min(1.0, centre + half)
    return low, high
