"""Pairing of results and the statistics of the pairs."""

from __future__ import annotations

from redpen_evals.comparison.changes import compare
from redpen_evals.comparison.sides import paired_statistics
from redpen_evals.comparison.statistics import PairedTable


def _statistics(before, after):
    return paired_statistics(compare(before, after))


def test_paired_table_counts_outcomes_of_both_sides(passed):
    outcomes = {"a": "pp", "b": "pf", "c": "pf", "d": "fp", "e": "ff", "f": "ff", "g": "ff"}
    full = {"p": "passed", "f": "failed"}
    before = {(name, "", 1): passed(outcome=full[pair[0]]) for name, pair in outcomes.items()}
    after = {(name, "", 1): passed(outcome=full[pair[1]]) for name, pair in outcomes.items()}
    found = _statistics(before, after)
    assert found.table == PairedTable(both_passed=1, regressed=2, improved=1, both_failed=3)
    assert found.results == 7


def test_missing_or_undecided_results_are_not_paired(passed):
    before = {("a", "", 1): passed(), ("b", "", 1): passed(), ("c", "", 1): passed(outcome="stale")}
    after = {("b", "", 1): passed(outcome="errored"), ("c", "", 1): passed(), ("d", "", 1): passed()}
    assert _statistics(before, after).table.pairs == 0


def test_scenario_passes_only_if_all_its_samples_pass(passed):
    before = {(name, "", sample): passed() for name in "ab" for sample in (1, 2, 3)}
    after = before | {("a", "", 2): passed(outcome="failed"), ("a", "", 3): passed(outcome="failed")}
    found = _statistics(before, after)
    assert found.table == PairedTable(both_passed=1, regressed=1, improved=0, both_failed=0)
    assert found.results == 6


def test_only_samples_present_on_both_sides_count(passed):
    before = {("a", "", 1): passed()}
    after = {("a", "", 1): passed(), ("a", "", 2): passed(outcome="failed", tokens=9_000)}
    found = _statistics(before, after)
    assert found.table == PairedTable(both_passed=1, regressed=0, improved=0, both_failed=0)
    assert found.numbers["tokens"].after == 240


def test_scenario_number_is_mean_of_samples(passed):
    before = {
        ("a", "", 1): passed(tokens=100),
        ("a", "", 2): passed(tokens=200),
        ("b", "", 1): passed(tokens=10),
    }
    after = {
        ("a", "", 1): passed(tokens=110),
        ("a", "", 2): passed(tokens=230),
        ("b", "", 1): passed(tokens=10),
    }
    tokens = _statistics(before, after).numbers["tokens"]
    assert (tokens.pairs, tokens.differing) == (2, 1)
    assert (tokens.before, tokens.after) == (80, 90)


def test_pair_without_number_on_one_side_is_left_out(passed):
    before = {("a", "", 1): passed(), ("b", "", 1): passed(answer=None), ("c", "", 1): passed(tokens=None)}
    after = {("a", "", 1): passed(tokens=None), ("b", "", 1): passed(), ("c", "", 1): passed()}
    numbers = _statistics(before, after).numbers
    assert {name: one.pairs for name, one in numbers.items()} == {"tokens": 1, "calls": 3, "answer chars": 2}


def test_answers_are_measured_in_characters(passed):
    found = _statistics({("a", "", 1): passed(answer="Ж" * 5)}, {("a", "", 1): passed(answer="ab")})
    assert (found.numbers["answer chars"].before, found.numbers["answer chars"].after) == (5, 2)
