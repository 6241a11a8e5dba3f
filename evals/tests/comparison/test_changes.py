"""The classes of change and their invariants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.changes import Behaviour, compare, compare_run
from redpen_evals.exit_codes import OUTCOMES

KEY = ("self-critique/a", "", 1)
WORDS = st.sampled_from(["", "one", "two"])
BEHAVIOURS = st.builds(
    Behaviour,
    outcome=st.sampled_from(OUTCOMES),
    status=st.sampled_from([None, "ok", "stopped"]),
    stop_reason=st.none() | WORDS,
    phase=st.none() | WORDS,
    result=st.none() | WORDS,
    decision=st.none() | WORDS,
    violations=st.lists(WORDS, max_size=2).map(tuple),
    broken=st.lists(WORDS, max_size=2).map(tuple),
    answer=st.none() | WORDS,
    calls=st.integers(0, 2),
    tokens=st.none() | st.integers(0, 2),
)
KEYS = st.tuples(WORDS, WORDS, st.integers(1, 2))
RESULTS = st.dictionaries(KEYS, BEHAVIOURS, max_size=8)
SWAPPED = {"improved": "regressed", "regressed": "improved", "new": "gone", "gone": "new"}


def _one(before, after):
    (change,) = compare({KEY: before}, {KEY: after}).changes
    return change


@pytest.mark.parametrize(
    ("changes", "fields", "aspect"),
    [
        ({"decision": "revise"}, ("decision",), "behaviour"),
        ({"stop_reason": "x", "phase": "revise"}, ("stop_reason", "phase"), "behaviour"),
        ({"violations": ("new_region",), "answer": "Other."}, ("violations", "answer"), "behaviour"),
        ({"result": "revised_once", "tokens": 9}, ("result", "tokens"), "behaviour"),
        ({"answer": "Other."}, ("answer",), "wording"),
        ({"answer": "Other.", "tokens": 9, "calls": 1}, ("answer", "calls", "tokens"), "wording"),
        ({"answer": None}, ("answer",), "behaviour"),
        ({"tokens": 9}, ("tokens",), "cost"),
        ({"calls": 3}, ("calls",), "cost"),
    ],
)
def test_change_that_still_passes_has_fields_and_aspect(passed, changes, fields, aspect):
    change = _one(passed(), passed(**changes))
    assert (change.kind, change.fields, change.aspect) == ("changed", fields, aspect)


def test_different_failure_is_behaviour_change(passed):
    change = _one(passed(outcome="failed", broken=("a",)), passed(outcome="failed", broken=("b",)))
    assert (change.kind, change.fields, change.aspect) == ("changed", ("broken",), "behaviour")


def test_new_failure_is_regression_and_new_pass_is_improvement(passed):
    failed = passed(outcome="failed", stop_reason="x")
    assert _one(passed(), failed).kind == "regressed"
    assert _one(passed(), failed).fields == ("outcome", "stop_reason")
    assert _one(failed, passed()).kind == "improved"


@pytest.mark.parametrize("outcome", ["stale", "errored"])
def test_stale_and_errored_results_are_undecided(passed, outcome):
    unknown = Behaviour(outcome=outcome)
    for change in (_one(unknown, passed()), _one(passed(), unknown)):
        assert (change.kind, change.fields) == ("undecided", ("outcome",))
    assert _one(unknown, unknown).kind == "undecided"
    assert _one(unknown, Behaviour(outcome=outcome, answer="Other.")).fields == ()


def test_tokens_missing_on_one_side_are_no_change(passed):
    assert _one(passed(tokens=None), passed()).kind == "same"
    assert _one(passed(), passed(tokens=None)).kind == "same"


def test_variants_and_samples_are_compared_separately(passed):
    before = {("a", "", 1): passed(), ("a", "", 2): passed()}
    after = {("a", "", 1): passed(), ("a", "critique=v2", 1): passed()}
    found = {change.key: change.kind for change in compare(before, after).changes}
    assert found == {("a", "", 1): "same", ("a", "", 2): "gone", ("a", "critique=v2", 1): "new"}


def test_counts_include_every_class_and_aspect(passed):
    comparison = compare({("a", "", 1): passed()}, {("a", "", 1): passed(tokens=9), ("b", "", 1): passed()})
    assert comparison.counts == {
        "same": 0,
        "changed": 1,
        "improved": 0,
        "regressed": 0,
        "new": 1,
        "gone": 0,
        "not run": 0,
        "undecided": 0,
    }
    assert comparison.aspects == {"behaviour": 0, "wording": 0, "cost": 1}


def test_order_of_broken_checks_is_no_change(passed):
    one, other = (passed(outcome="failed", broken=broken) for broken in (("a", "b"), ("b", "a")))
    assert compare({("x", "", 1): one}, {("x", "", 1): other}).counts["same"] == 1


@pytest.mark.parametrize("gone", [("removed",), ()])
def test_scenarios_that_the_run_left_out_are_not_gone(passed, gone):
    before = {(name, "", 1): passed() for name in ("run", "left out", "removed")}
    changes = compare_run(before, {("run", "", 1): passed()}, gone).changes
    kinds = {change.key[0]: change.kind for change in changes}
    assert kinds == {"run": "same", **dict.fromkeys(gone, "gone")}


@given(RESULTS)
def test_results_compared_with_themselves_are_same_or_undecided(results):
    comparison = compare(results, results)
    assert {change.key for change in comparison.changes if change.kind != "same"} == {
        key for key, one in results.items() if one.outcome in {"stale", "errored"}
    }
    assert all(change.fields == () for change in comparison.changes)


@given(RESULTS, RESULTS)
def test_swapped_sides_swap_only_directional_classes(before, after):
    for there, back in zip(compare(before, after).changes, compare(after, before).changes, strict=True):
        assert (back.key, back.fields, back.aspect) == (there.key, there.fields, there.aspect)
        assert back.kind == SWAPPED.get(there.kind, there.kind)
        assert (back.before, back.after) == (there.after, there.before)


@given(RESULTS, RESULTS)
def test_every_key_is_listed_once_in_order_and_counted(before, after):
    comparison = compare(before, after)
    keys = [change.key for change in comparison.changes]
    assert keys == sorted({*before, *after})
    assert sum(comparison.counts.values()) == len(keys)
    assert sum(comparison.aspects.values()) == comparison.counts["changed"]
