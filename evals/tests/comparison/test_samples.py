"""Pass rates, pass@k and pass^k, spread, and broken checks by sample."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.samples import (
    Spread,
    pass_all_k,
    pass_at_k,
    sample_lines,
    summarise_samples,
    total_samples,
)

SIZES = st.integers(1, 12).flatmap(
    lambda samples: st.tuples(st.just(samples), st.integers(0, samples), st.integers(1, samples))
)


@pytest.fixture
def shaky(passed):
    """Give the results of three scenarios with three samples each: steady, flaky and failing."""

    def outcomes(name, letters, **changes):
        return {
            (name, "", at): passed(
                outcome="passed" if letter == "p" else "failed",
                broken=() if letter == "p" else ("cap_holds",),
                **changes,
            )
            for at, letter in enumerate(letters, start=1)
        }

    return outcomes("c/steady", "ppp") | outcomes("b/flaky", "pfp") | outcomes("a/failing", "fff")


@given(SIZES)
def test_estimates_equal_share_of_enumerated_draws(sizes):
    samples, passed, k = sizes
    draws = list(itertools.combinations([at < passed for at in range(samples)], k))
    assert pass_at_k(samples, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_all_k(samples, passed, k) == pytest.approx(sum(map(all, draws)) / len(draws))


@pytest.mark.parametrize("sizes", [(3, 4, 1), (3, -1, 1), (3, 2, 4), (3, 2, 0), (0, 0, 1)])
@pytest.mark.parametrize("estimate", [pass_at_k, pass_all_k])
def test_out_of_range_sizes_are_refused(estimate, sizes):
    with pytest.raises(ValueError, match="k is from 1"):
        estimate(*sizes)


def test_summary_has_rate_spread_and_broken_checks(passed):
    (found,) = summarise_samples(
        {
            ("a", "v", 1): passed(answer="ab", tokens=10),
            ("a", "v", 2): passed(answer="abcd", tokens=30, outcome="failed", broken=("x", "y", "x")),
            ("a", "v", 4): passed(answer="ab", tokens=None, outcome="failed", broken=("y",)),
            ("a", "v", 5): passed(outcome="stale"),
        }
    )
    assert (found.scenario, found.variant) == ("a", "v")
    assert (found.samples, found.passed, found.undecided, found.flaky) == (3, 1, 1, True)
    assert found.pass_rate == pytest.approx(1 / 3)
    assert list(found.broken.items()) == [("y", (2, 4)), ("x", (2,))]
    assert found.answers == 2
    assert found.chars == Spread(low=2, median=2, high=4)
    assert found.tokens == Spread(low=10, median=20, high=30)
    assert found.calls == Spread(low=2, median=2, high=2)


def test_scenario_without_decided_samples_has_no_rate(passed):
    (found,) = summarise_samples({("a", "", 1): passed(outcome="stale")})
    assert (found.samples, found.pass_rate, found.chars, found.flaky) == (0, None, None, False)
    assert total_samples([found]) is None
    assert sample_lines([found]) == []


def test_totals_are_means_over_scenarios(shaky):
    found = total_samples(summarise_samples(shaky))
    assert (found.scenarios, found.steady, found.flaky, found.failing) == (3, 1, 1, 1)
    assert found.pass_rate == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert found.rate_sd == pytest.approx(0.5091750772)
    assert found.k == 3
    assert found.pass_at == pytest.approx(((1 + 2 / 3) / 3, 2 / 3, 2 / 3))
    assert found.pass_all == pytest.approx(((1 + 2 / 3) / 3, (1 + 1 / 3) / 3, 1 / 3))


def test_k_is_limited_by_scenario_with_fewest_samples(shaky):
    del shaky["c/steady", "", 3]
    assert total_samples(summarise_samples(shaky)).k == 2


def test_undecided_samples_are_reported_and_prevent_steady(passed):
    found = summarise_samples(
        {
            ("a", "", 1): passed(),
            ("a", "", 2): passed(outcome="stale"),
            ("a", "", 3): passed(outcome="stale"),
        }
    )
    totals = total_samples(found)
    assert (totals.steady, totals.partial, totals.missing, totals.k) == (0, 1, 2, 1)
    first, second = sample_lines(found)
    assert first.startswith("1 scenarios: 0 pass in every sample")
    assert second.startswith("2 samples were not judged (stale or errored), and 1 scenarios passed all")


def test_lines_show_totals_and_worst_scenario_first(shaky):
    assert sample_lines(summarise_samples(shaky)) == [
        "3 scenarios: 1 pass in every sample, 1 in some, 1 in none; mean pass rate 55.6 % (sd 50.9 %)",
        "k            1       2       3",
        "pass@k  55.6 %  66.7 %  66.7 %",
        "pass^k  55.6 %  44.4 %  33.3 %",
        "",
        "scenario   passed  answers  chars  broken in samples",
        "a/failing     0/3        1     35  cap_holds #1 #2 #3",
        "b/flaky       2/3        1     35  cap_holds #2",
    ]


def test_lines_are_limited_with_count_of_rest(shaky):
    assert sample_lines(summarise_samples(shaky), limit=1)[-1] == "… and 1 more"
