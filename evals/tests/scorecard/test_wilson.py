"""Wilson intervals against known values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.scorecard.wilson import Rate, wilson_interval


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # The formula by hand, z = 1.959964.
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_interval_matches_published_values(hits, total, low, high):
    assert wilson_interval(hits, total) == pytest.approx((low, high), abs=5e-5)


def test_interval_of_zero_total_is_0_to_1():
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert Rate(hits=0, total=0).percent is None


@given(total=st.integers(1, 10_000), share=st.floats(0, 1))
def test_interval_contains_share_and_is_symmetric(total, share):
    hits = round(total * share)
    low, high = wilson_interval(hits, total)
    assert 0 <= low <= hits / total <= high <= 1
    mirrored = wilson_interval(total - hits, total)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high))


@pytest.mark.parametrize(("hits", "total"), [(2, 1), (-1, 1), (0, -1)])
def test_impossible_counts_are_refused(hits, total):
    with pytest.raises(ValueError, match="is not a share"):
        wilson_interval(hits, total)


def test_rate_percent_is_exact_fraction():
    rate = Rate(hits=1, total=3)
    assert rate.percent == Fraction(100, 3)
    assert rate.interval == pytest.approx([100 * bound for bound in wilson_interval(1, 3)])
