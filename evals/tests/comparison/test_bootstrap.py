"""Mean differences and their bootstrap intervals."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.statistics import (
    MIN_DIFFERING,
    MIN_PAIRS,
    MeanDifference,
    mean_difference,
    percentile_interval,
)

NUMBERS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), max_size=30)


def _difference(*pairs):
    return mean_difference([one for one, _ in pairs], [other for _, other in pairs])


def test_mean_difference_has_means_effect_and_relative():
    found = _difference((100, 110), (200, 220))
    assert (found.pairs, found.differing) == (2, 2)
    assert (found.before, found.after, found.effect) == (150, 165, 15)
    assert found.relative == pytest.approx(0.1)


def test_empty_input_has_no_figures_and_is_too_few():
    found = mean_difference([], [])
    assert (found.before, found.after, found.effect, found.relative, found.interval) == (None,) * 5
    assert found.conclusion == "too_few"


def test_relative_is_none_when_before_is_zero():
    assert _difference((0, 3)).relative is None


def test_interval_of_normal_sample_matches_normal_approximation():
    rng = random.Random(5)  # noqa: S311 - the same numbers each time
    values = [rng.gauss(3, 10) for _ in range(1_500)]
    mean = sum(values) / len(values)
    half = 1.96 * math.sqrt(sum((value - mean) ** 2 for value in values)) / len(values)
    low, high = percentile_interval(values)
    assert low == pytest.approx(mean - half, abs=0.08 * half)
    assert high == pytest.approx(mean + half, abs=0.08 * half)


def test_higher_confidence_gives_wider_interval():
    values = list(range(40))
    low, high = percentile_interval(values, confidence=0.99)
    inner_low, inner_high = percentile_interval(values, confidence=0.8)
    assert low < inner_low < inner_high < high


def test_interval_is_deterministic():
    pairs = [(number, number * 2) for number in range(40)]
    assert _difference(*pairs) == _difference(*pairs)


def test_thousands_of_pairs_have_interval():
    found = mean_difference([100] * 5_000, [100 + number % 3 for number in range(5_000)])
    low, high = found.interval
    assert 0.97 < low < found.effect < high < 1.03
    assert found.conclusion == "higher"


@pytest.mark.parametrize(
    ("pairs", "conclusion"),
    [
        ([(1, 2)] * (MIN_PAIRS - 1), "too_few"),
        ([(1, 2)] * MIN_PAIRS, "higher"),
        ([(2, 1)] * MIN_PAIRS, "lower"),
        ([(1, 1)] * 500 + [(1, 2)] * (MIN_DIFFERING - 1), "too_few"),
        ([(1, 1)] * 500 + [(1, 2)] * 12, "higher"),
        ([(1, 2), (2, 1)] * 50, "unclear"),
        ([(1, 1)] * 50, "none"),
        ([(1, 1)], "none"),
    ],
)
def test_conclusion_depends_on_pairs_and_direction(pairs, conclusion):
    found = _difference(*pairs)
    assert found.conclusion == conclusion
    assert (found.interval is None) == (conclusion in {"too_few", "none"})


@pytest.mark.parametrize("interval", [(0.0, 2.0), (-2.0, 0.0)])
def test_interval_touching_zero_is_unclear(interval):
    found = MeanDifference(pairs=20, differing=9, before=1.0, after=1.5, interval=interval)
    assert found.conclusion == "unclear"


def test_equal_fractions_do_not_differ():
    third = Fraction(1, 3)
    assert mean_difference([third] * 20, [third] * 20).conclusion == "none"


@given(NUMBERS)
def test_swapped_sides_negate_interval(pairs):
    there, back = _difference(*pairs), _difference(*((two, one) for one, two in pairs))
    assert (there.before, there.after) == (back.after, back.before)
    assert (there.interval is None) == (back.interval is None)
    if there.interval and back.interval:
        assert back.interval == pytest.approx([-bound for bound in reversed(there.interval)], abs=1e-9)


@given(NUMBERS)
def test_interval_lies_within_range_of_differences(pairs):
    found = _difference(*pairs)
    if found.interval:
        low, high = found.interval
        differences = [two - one for one, two in pairs]
        assert min(differences) - 1e-9 <= low <= high <= max(differences) + 1e-9


def test_sides_of_different_length_are_refused():
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        mean_difference([1, 2], [1])
