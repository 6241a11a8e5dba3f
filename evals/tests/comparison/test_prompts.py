"""Differences between the prompts of two runs."""

from __future__ import annotations

import pytest

from redpen_evals.comparison.sides import PromptChange, changed_prompts, read_sides
from redpen_evals.records.places import RunFolder

OLD = ("", "critique", "v1", "Judge the draft strictly.")
NEW = ("critique=v2", "critique", "v2", "Judge the draft kindly.")


@pytest.fixture
def changed(project):
    """Give a function that writes two runs with prompts and returns what differs between two sides."""

    def find(before, after, names=("last-1", "last")):
        for run_id, prompts in (("20260101-000000-aaaa", before), ("20260102-000000-bbbb", after)):
            labels = {prompt[0] for prompt in prompts} or {""}
            project.write_run(
                run_id, [project.result(variant=label) for label in sorted(labels)], prompts=prompts
            )
        sides = read_sides(*names, runs=RunFolder(path=project.runs), baselines=project.baseline)
        return changed_prompts(*sides)

    return find


def test_changed_prompt_has_versions_and_word_diff(changed):
    again = ("", "draft", "v1", "Write.")
    after = ("", "critique", "v2", "Judge the draft kindly.")
    assert changed([OLD, again], [after, again]) == (
        PromptChange(
            name="critique",
            variant="",
            before="v1",
            after="v2",
            diff="Judge the draft [-strictly-] {+kindly+}.",
        ),
    )


def test_variants_of_one_run_are_compared(changed):
    (found,) = changed([OLD], [OLD, NEW], names=("last@", "last@critique=v2"))
    assert (found.before, found.after, found.variant) == ("v1", "v2", "")


def test_equal_prompts_are_not_listed(changed):
    assert changed([OLD, NEW], [OLD, NEW]) == ()


def test_change_shared_by_variants_is_listed_once(changed):
    def draft(label, version, text):
        return (label, "draft", version, text)

    before = [draft(label, "v1", "Write.") for label in ("", "temperature=0.7")]
    after = [draft(label, "v2", "Write it all.") for label in ("", "temperature=0.7")]
    assert [(item.name, item.variant) for item in changed(before, after)] == [("draft", "")]


def test_prompt_on_one_side_only_has_no_diff(changed):
    more = ("", "shorten", "v1", "Shorten.")
    (found,) = changed([OLD], [OLD, more])
    assert (found.name, found.before, found.after, found.diff) == ("shorten", None, "v1", "")


def test_run_without_recorded_prompts_has_no_changes(changed):
    assert changed([], [OLD]) == ()
