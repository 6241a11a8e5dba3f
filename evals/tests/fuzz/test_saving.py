"""Saving counterexamples as draft files: content, no duplicates, no overwriting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.session import patch_between, save_counterexample
from redpen_evals.scenario_library.drafts import check_drafts, load_drafts
from redpen_evals.scenario_library.loading import merge_patch

CASE = Case(
    name="changed-share",
    original="About 27% of checkouts are affected.",
    revised="About 28% of check\u200bouts\r\nare <b>affected</b>: # 'no' \"yes\".",
    context={"report_date": "2026-03-06", "region": "UK", "incident": {"severity": "P0", "affected_pct": 27}},
    label="block",
    family="share",
    codes=("no_new_facts",),
    disguise="invisible",
)


def test_saved_draft_equals_case(library):
    path, written = save_counterexample(library.layout, CASE)
    assert written
    assert path.parent == library.layout.scenarios / "drafts" / "found"
    assert check_drafts(library.layout) == ()
    (draft,) = load_drafts(library.layout, path)
    assert (draft.original, draft.item.revised, draft.context) == (CASE.original, CASE.revised, CASE.context)
    item = draft.item
    assert (item.label, item.codes, item.family) == ("block", ["no_new_facts"], "share")
    assert (item.disguise, item.split) == ("invisible", "dev")


def test_passing_case_has_no_codes(library):
    path, _ = save_counterexample(library.layout, replace(CASE, label="pass", codes=()))
    (draft,) = load_drafts(library.layout, path)
    assert (draft.item.label, draft.item.codes) == ("pass", [])


def test_same_case_is_written_once(library):
    path, _ = save_counterexample(library.layout, CASE)
    before = path.stat().st_mtime_ns
    assert save_counterexample(library.layout, CASE) == (path, False)
    assert path.stat().st_mtime_ns == before


def test_existing_file_is_not_overwritten(library):
    path, _ = save_counterexample(library.layout, CASE)
    path.write_text("kept", encoding="utf-8")
    assert save_counterexample(library.layout, CASE) == (path, False)
    assert path.read_text(encoding="utf-8") == "kept"


def test_different_case_is_saved_to_another_file(library):
    first, _ = save_counterexample(library.layout, CASE)
    second, _ = save_counterexample(library.layout, replace(CASE, revised="About 29%."))
    assert first != second
    assert sorted(first.parent.iterdir()) == sorted([first, second])


@pytest.mark.parametrize("revised", ["lone \ud800 surrogate", "x" * 5_000])
def test_invalid_case_leaves_no_file(library, revised):
    with pytest.raises(ConfigurationError):
        save_counterexample(library.layout, replace(CASE, revised=revised))
    assert list((library.layout.scenarios / "drafts").rglob("*.yaml")) == []


def test_library_without_contexts_gets_empty_context(library):
    (library.layout.scenarios / "contexts" / "payments.yaml").unlink()
    path, _ = save_counterexample(library.layout, CASE)
    (draft,) = load_drafts(library.layout, path)
    assert draft.context == CASE.context
    assert library.layout.names("contexts") == ("empty",)
    assert check_drafts(library.layout) == ()


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, {"b": None}),
        ({"a": {"x": 1}}, {"a": {"x": 2, "y": [1]}}, {"a": {"x": 2, "y": [1]}}),
        ({"a": 1}, {"a": True}, {"a": True}),
        ({"a": 1}, {"a": 1}, {}),
        ({}, {"a": None, "b": {}}, {"b": {}}),
    ],
)
def test_patch_between_transforms_before_into_after(before, after, patch):
    assert patch_between(before, after) == patch
    expected = {key: value for key, value in after.items() if value is not None}
    assert merge_patch(before, patch) == expected
