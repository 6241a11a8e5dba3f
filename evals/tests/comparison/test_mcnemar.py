"""McNemar's exact test against published and enumerated values."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.statistics import MIN_DISCORDANT, PairedTable, exact_p_value

COUNTS = st.integers(0, 300)


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        # Airway hyper-responsiveness before and after transplantation in 21 children: 1, 1, 7, 12
        # (Fagerland, Lydersen and Laake 2013, table 1).
        (1, 7, 0.0703125),
        (0, 0, 1.0),
        (1, 1, 1.0),
        (5, 5, 1.0),
        (0, 5, 0.0625),
        (0, 6, 0.03125),
        (0, 10, 0.001953125),
        (6, 16, 0.052478790283203125),
    ],
)
def test_p_value_matches_published_values(one, other, p):
    assert exact_p_value(one, other) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("pairs", range(11))
def test_p_value_matches_enumeration_for_few_pairs(pairs):
    for count in range(pairs + 1):
        further = sum(
            abs(2 * sum(ways) - pairs) >= abs(2 * count - pairs)
            for ways in itertools.product((0, 1), repeat=pairs)
        )
        assert exact_p_value(count, pairs - count) == pytest.approx(further / 2**pairs)


def test_six_discordant_pairs_are_minimum_for_significance():
    assert min(exact_p_value(0, pairs) for pairs in range(MIN_DISCORDANT)) > 0.05
    assert exact_p_value(0, MIN_DISCORDANT) < 0.05


@given(COUNTS, COUNTS)
def test_p_value_is_symmetric_probability(one, other):
    assert 0 < exact_p_value(one, other) <= 1
    assert exact_p_value(one, other) == exact_p_value(other, one)
    assert exact_p_value(0, one + other) <= exact_p_value(one, other)


def test_p_value_of_thousands_of_pairs_does_not_overflow():
    assert exact_p_value(5_000, 5_000) == 1.0
    assert exact_p_value(4_900, 5_100) == pytest.approx(0.0466, abs=0.0005)
    assert exact_p_value(0, 10_000) == 0.0


@pytest.mark.parametrize("numbers", [(-1, 3), (3, -1)])
def test_negative_count_is_refused(numbers):
    with pytest.raises(ValueError, match="must not be negative"):
        exact_p_value(*numbers)


@pytest.mark.parametrize(
    ("table", "conclusion"),
    [
        ((0, 0, 0, 0), "no pairs to compare"),
        ((9, 0, 0, 3), "no pair differs"),
        ((50, 5, 0, 0), "too few to tell: 5 of 55 pairs differ, and fewer than 6 never give p < 0.05"),
        ((50, 6, 0, 0), "B is worse than A"),
        ((50, 0, 6, 0), "B is better than A"),
        ((50, 5, 3, 9), "the difference may be chance"),
    ],
)
def test_paired_table_has_conclusion(table, conclusion):
    both_passed, regressed, improved, both_failed = table
    found = PairedTable(
        both_passed=both_passed, regressed=regressed, improved=improved, both_failed=both_failed
    )
    assert found.conclusion == conclusion
    assert found.pairs == sum(table)
