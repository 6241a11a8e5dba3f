"""Resolution of the two sides that `redpen compare` names."""

from __future__ import annotations

import pytest

from redpen_evals.comparison.baseline import Baseline, UnknownSideError, baseline_path, save_baseline
from redpen_evals.comparison.sides import read_run, read_sides
from redpen_evals.errors import BaselineError
from redpen_evals.records import RecordError
from redpen_evals.records.places import RunFolder

A = "self-critique/a"


@pytest.fixture
def read(project):
    """Give a function that reads two sides."""

    def read_them(one, other):
        return read_sides(str(one), str(other), runs=RunFolder(path=project.runs), baselines=project.baseline)

    return read_them


@pytest.fixture
def two_runs(project):
    """Give two records: the older has the base only, the later the base and two variants."""
    older = project.write_run("20260101-000000-aaaa", [project.result(answer="old")])
    later = project.write_run(
        "20260102-000000-bbbb",
        [
            project.result(answer="base"),
            project.result(answer="v2", variant="critique=v2"),
            project.result(answer="v2 again", variant="critique=v2", sample=2),
            project.result(answer="at", variant="model=me@home"),
        ],
    )
    return older, later


def _accept(project, passed, model="scripted", **changes):
    path = baseline_path(project.baseline, model)
    save_baseline(path, Baseline(model=model, accepted={(A, "", 1): passed(**changes)}))
    return path


def _answers(side):
    return {key: one.answer for key, one in side.behaviours.items()}


def test_run_is_named_by_file_id_or_age(two_runs, read):
    older, later = two_runs
    for name in (older, older.stem, "last-1"):
        side, other = read(name, later.stem)
        assert (side.record.start.id, other.record.start.id) == (older.stem, later.stem)
        assert _answers(side) == {(A, "", 1): "old"}
        assert (side.model, side.variant) == ("scripted", None)
        assert len(other.behaviours) == 4


def test_variant_results_have_base_keys(two_runs, read):
    assert two_runs
    side, other = read("last@", "last@critique=v2")
    assert (side.variant, other.variant) == ("", "critique=v2")
    assert _answers(side) == {(A, "", 1): "base"}
    assert _answers(other) == {(A, "", 1): "v2", (A, "", 2): "v2 again"}


def test_plain_name_next_to_variant_means_base(two_runs, read):
    assert two_runs
    side, other = read("last", "last@critique=v2")
    assert (side.variant, _answers(side)) == ("", {(A, "", 1): "base"})
    assert other.variant == "critique=v2"


def test_plain_name_next_to_variant_means_only_variant_held(project, two_runs, read):
    assert two_runs
    project.write_run("20260103-000000-cccc", [project.result(variant="critique=v3", answer="v3")])
    side, other = read("last-1@critique=v2", "last")
    assert (side.variant, other.variant) == ("critique=v2", "critique=v3")
    assert _answers(other) == {(A, "", 1): "v3"}


def test_plain_name_is_refused_when_run_has_several_variants(project, read):
    project.write_run(
        "20260103-000000-cccc", [project.result(variant=label) for label in ("critique=v2", "critique=v3")]
    )
    with pytest.raises(
        UnknownSideError, match=r"holds critique=v2, critique=v3; select one, as in last@critique=v2"
    ):
        read("last@critique=v3", "last")


def test_at_sign_is_allowed_in_labels_and_paths(project, two_runs, read, tmp_path):
    assert two_runs
    side, _ = read("last@model=me@home", "last@")
    assert side.variant == "model=me@home"
    path = tmp_path / "kept@home.jsonl"
    path.write_bytes(two_runs[0].read_bytes())
    assert _answers(read(path, "last@")[0]) == {(A, "", 1): "old"}
    assert _answers(read(f"{path}@", "last@")[0]) == {(A, "", 1): "old"}
    assert project.runs.is_dir()


def test_baseline_is_chosen_by_model_of_other_side(project, passed, read):
    _accept(project, passed, answer="scripted")
    _accept(project, passed, model="open/ai", answer="live")
    project.write_run("20260103-000000-cccc", [project.result()], model="open/ai")
    for one, other, at in (("baseline", "last", 0), ("last", "baseline", 1), ("baseline@", "last", 0)):
        side = read(one, other)[at]
        assert (side.model, side.record, _answers(side)) == ("open/ai", None, {(A, "", 1): "live"})
    assert _answers(read("baseline", "baseline")[0]) == {(A, "", 1): "scripted"}


def test_baseline_can_be_named_by_file(project, passed, read, tmp_path):
    old = tmp_path / "old.json"
    old.write_bytes(_accept(project, passed, answer="old").read_bytes())
    _accept(project, passed, answer="now")
    one, other = read(old, "baseline")
    assert (_answers(one), _answers(other)) == ({(A, "", 1): "old"}, {(A, "", 1): "now"})


@pytest.mark.parametrize(
    ("one", "error", "message"),
    [
        ("last-7", RecordError, "holds 2 run records, none for 'last-7'"),
        ("20260101-000000-aaab", RecordError, "did you mean `20260101-000000-aaaa`"),
        ("nothing@critique=v2", RecordError, "no run record 'nothing'"),
        (
            "last@critique=v3",
            UnknownSideError,
            r"no results of variant 'critique=v3' \(did you mean `critique=v2`",
        ),
        ("last-1@critique=v2", UnknownSideError, "it has the base"),
        ("baseline", UnknownSideError, "scripted.json: there is no baseline yet; run the suite, then"),
        ("x" * 5_000, RecordError, "no run record 'xxx"),
        ("x" * 5_000 + "@", RecordError, "no run record 'xxx"),
    ],
)
def test_unknown_side_is_refused(two_runs, read, one, error, message):
    assert two_runs
    with pytest.raises(error, match=message):
        read(one, "last@")


def test_broken_baseline_is_refused(project, passed, read):
    _accept(project, passed).write_text("{", encoding="utf-8")
    project.write_run("20260103-000000-cccc", [project.result()])
    with pytest.raises(BaselineError, match="invalid JSON"):
        read("baseline", "last")


def test_killed_run_is_read_with_warnings(project):
    path = project.write_run("20260103-000000-cccc", [project.result()], ended=False)
    with path.open("ab") as file:
        file.write(b'{"type": "resu')
    side = read_run(path)
    assert len(side.behaviours) == 1
    assert side.record.warnings == (
        f"{path}:3: the last line is cut off and left out",
        f"{path}: the run did not end; it holds 1 result",
    )


def test_last_of_duplicate_results_counts(project):
    path = project.write_run("20260103-000000-cccc", [project.result(answer=text) for text in ("1", "2")])
    assert _answers(read_run(path)) == {(A, "", 1): "2"}
