"""Loading of cases: merge patches, contexts, plans, and the check of a whole library."""

from __future__ import annotations

import copy

import pytest

from redpen_evals.scenario_library.loading import check_library, load_case, merge_patch

# Source: RFC 7396, appendix A.
MERGES = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("value", "patch", "merged"), MERGES)
def test_merge_patch_follows_rfc_7396(value, patch, merged):
    before = copy.deepcopy((value, patch))
    assert merge_patch(value, patch) == merged
    assert (value, patch) == before


def test_merged_value_is_a_copy():
    value, patch = {"a": {"b": [1]}}, {"c": {"d": [2]}}
    merged = merge_patch(value, patch)
    merged["a"]["b"].append(3)
    merged["c"]["d"].append(4)
    assert (value, patch) == ({"a": {"b": [1]}}, {"c": {"d": [2]}})


def test_case_subject_is_context_with_changes(library):
    changes = {"region": "EU", "incident": {"failed_payment_rate": None, "eta_minutes": 45}}
    case = library.case("self-critique/changed", library.self_critique(context_changes=changes))
    assert case.subject["region"] == "EU"
    assert "failed_payment_rate" not in case.subject["incident"]
    assert case.subject["incident"]["eta_minutes"] == 45
    other = library.case("self-critique/plain", library.self_critique())
    assert other.subject == library.context()


def test_changed_context_file_is_reread(library):
    library.case("self-critique/one", library.self_critique())
    library.write("contexts/payments.yaml", library.context(region="UK"))
    assert load_case(library.layout, "self-critique/one").subject["region"] == "UK"


def test_cases_share_no_context(library):
    first = library.case("self-critique/one", library.self_critique())
    first.subject["incident"].clear()
    assert load_case(library.layout, "self-critique/one").subject == library.context()


def test_guarded_policy_case_has_request_and_plan(library):
    changes = {"request": {"region": "EU"}, "policy_hints": None}
    case = library.case("guarded-policy/filed", library.filed_plan(request_changes=changes))
    assert case.subject["request"]["region"] == "EU"
    assert "policy_hints" not in case.subject
    assert case.plan == {"actions": library.plan()}
    assert not case.asks_model


def test_plan_may_hold_invalid_actions(library):
    actions = [None, "rm -rf", {"id": 5}]
    library.write("plans/hostile.yaml", {"title": "Nonsense.", "actions": actions})
    case = library.case(
        "guarded-policy/hostile", library.guarded_policy(planner="file", plan="hostile", replies=[])
    )
    assert case.plan == {"actions": actions}


def test_scripted_calls_counts_repeated_replies(library):
    draft, critique = library.self_critique()["replies"]
    case = library.case(
        "self-critique/many", library.self_critique(replies=[{**draft, "times": 3}, critique])
    )
    assert case.scripted_calls == 4


def test_check_library_reports_every_broken_file(library):
    library.add("self-critique/fine", library.self_critique())
    library.add("self-critique/broken", library.self_critique(tagz=1))
    library.add("reflection/lost", library.reflection(context="nowhere"))
    library.write("contexts/torn.yaml", "incident: {")
    library.write("plans/empty.yaml", "")
    assert [problem.path.name for problem in check_library(library.layout)] == [
        "torn.yaml",
        "empty.yaml",
        "lost.yaml",
        "broken.yaml",
    ]


def test_error_in_shared_context_is_reported_once(library):
    library.write("contexts/payments.yaml", library.context(region=1))
    for name in ("one", "two"):
        library.add(f"self-critique/{name}", library.self_critique())
    assert [problem.field for problem in check_library(library.layout)] == ["region"]
