"""Accepting the results of a run into a baseline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.accepting import accept, class_of, drop, select_keys
from redpen_evals.comparison.baseline import Baseline, UnknownSideError
from redpen_evals.comparison.changes import Behaviour, compare
from redpen_evals.exit_codes import OUTCOMES

RESULTS = st.dictionaries(
    st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from(["", "v"]), st.integers(1, 2)),
    st.builds(Behaviour, outcome=st.sampled_from(OUTCOMES), answer=st.sampled_from([None, "x"])),
    max_size=8,
)


@pytest.fixture
def classes(passed):
    """Give a baseline, and a run with one result of each class."""
    failed = passed(outcome="failed", broken=("x",))
    before = {
        "same": passed(),
        "wording": passed(),
        "cost": passed(),
        "behaviour": passed(),
        "improved": failed,
        "regressed": passed(),
        "undecided": passed(),
        "not-run": passed(),
    }
    after = {
        "same": passed(),
        "wording": passed(answer="Other."),
        "cost": passed(tokens=9),
        "behaviour": passed(decision="revise"),
        "improved": passed(),
        "regressed": failed,
        "undecided": Behaviour(outcome="stale"),
        "new": passed(),
        "new-failed": failed,
        "new-errored": Behaviour(outcome="errored"),
    }
    keyed = ({(name, "", 1): one for name, one in side.items()} for side in (before, after))
    accepted, results = keyed
    return Baseline(model="scripted", accepted=accepted), results


def _accepted(acceptance):
    return {change.key[0]: class_of(change) for change in acceptance.accepted}


def test_accept_takes_passed_results_by_default(classes):
    baseline, results = classes
    found = accept(baseline, results)
    assert _accepted(found) == {name: name for name in ("behaviour", "cost", "improved", "new", "wording")}
    assert found.left_out == {"failed": 2, "stale": 1, "errored": 1}
    merged = found.baseline.accepted
    for key in baseline.accepted.keys() | results.keys():
        taken = key[0] in {"behaviour", "cost", "improved", "new", "wording"}
        assert merged.get(key) == (results[key] if taken else baseline.accepted.get(key))


def test_accept_failing_takes_failed_but_never_stale_results(classes):
    found = accept(*classes, failing=True)
    assert {"regressed": "regressed", "new-failed": "new"}.items() <= _accepted(found).items()
    assert found.left_out == {"stale": 1, "errored": 1}


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ({"changed"}, {"behaviour", "wording", "cost"}),
        ({"wording"}, {"wording"}),
        ({"cost", "new"}, {"cost", "new"}),
        ({"regressed"}, set()),
        ({"improved"}, {"improved"}),
    ],
)
def test_accept_only_takes_named_classes(classes, only, names):
    found = accept(*classes, only=only)
    assert set(_accepted(found)) == names
    assert found.left_out["stale"] == 1


def test_ids_select_scenarios_or_single_results(passed):
    results = {
        ("a", "", 1): passed(),
        ("a", "v", 2): passed(),
        ("b", "", 1): passed(),
        ("b", "v", 1): passed(),
    }
    empty = Baseline(model="scripted", accepted={})
    found = accept(empty, results, ids=["a", "b [v]"])
    assert set(found.baseline.accepted) == {("a", "", 1), ("a", "v", 2), ("b", "v", 1)}


def test_unknown_id_is_refused_with_nearest_match(passed):
    with pytest.raises(
        UnknownSideError, match=r"no result of 'self-critique/x' \(did you mean `self-critique/y`"
    ):
        accept(
            Baseline(model="scripted", accepted={}),
            {("self-critique/y", "", 1): passed()},
            ids=["self-critique/x"],
        )


def test_newly_counted_tokens_are_accepted_as_cost(passed):
    key = ("a", "", 1)
    found = accept(Baseline(model="m", accepted={key: passed(tokens=None)}), {key: passed()})
    assert _accepted(found) == {"a": "cost"}
    assert found.baseline.accepted[key].tokens == 240


def test_drop_removes_results(classes):
    baseline, results = classes
    gone = (("not-run", "", 1),)
    found = drop(accept(baseline, results), gone)
    assert found.dropped == gone
    assert ("not-run", "", 1) not in found.baseline.accepted
    assert ("same", "", 1) in found.baseline.accepted


def test_selected_keys_are_sorted():
    keys = {("b", "", 1), ("a", "v", 1), ("a", "", 2)}
    assert select_keys(keys, ["a", "b"]) == (("a", "", 2), ("a", "v", 1), ("b", "", 1))


@given(RESULTS, RESULTS, st.booleans())
def test_accepted_results_compare_as_same_and_others_are_unchanged(before, after, failing):
    decided = {key: one for key, one in before.items() if one.decided}
    found = accept(Baseline(model="m", accepted=decided), after, failing=failing)
    taken = {key for key, one in after.items() if one.outcome == "passed" or (failing and one.decided)}
    kinds = {change.key: change.kind for change in compare(found.baseline.accepted, after).changes}
    assert all(kinds[key] == "same" for key in taken)
    merged = found.baseline.accepted
    assert all(merged.get(key) == decided.get(key) for key in (decided.keys() | after.keys()) - taken)
    assert all(item.decided for item in merged.values())
    assert accept(found.baseline, after, failing=failing).accepted == ()
