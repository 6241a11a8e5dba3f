"""The baseline file: format, round trip, atomic writes and rejected content."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.baseline import (
    Baseline,
    as_lines,
    baseline_path,
    dump_baseline,
    load_baseline,
    read_baseline,
    save_baseline,
)
from redpen_evals.comparison.changes import Behaviour
from redpen_evals.errors import BaselineError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
BEHAVIOURS = st.builds(
    Behaviour,
    outcome=st.sampled_from(["passed", "failed"]),
    status=st.sampled_from([None, "ok", "stopped"]),
    stop_reason=st.none() | TEXTS,
    phase=st.none() | TEXTS,
    result=st.none() | TEXTS,
    decision=st.none() | TEXTS,
    violations=st.lists(TEXTS, max_size=2).map(tuple),
    broken=st.lists(TEXTS, max_size=2).map(tuple),
    answer=st.none() | st.text(alphabet="ab.!? \n\t\u2028\u202e\x85é", max_size=30),
    calls=st.integers(0, 9),
    tokens=st.none() | st.integers(0, 9),
)
ACCEPTED = st.dictionaries(st.tuples(TEXTS.filter(bool), TEXTS, st.integers(1, 3)), BEHAVIOURS, max_size=6)


@pytest.fixture
def file(tmp_path, passed):
    """Give a baseline file of two outcomes."""
    path = baseline_path(tmp_path, "scripted")
    accepted = {
        ("self-critique/a", "", 1): passed(),
        ("self-critique/a", "critique=v2", 2): passed(
            outcome="failed", broken=("x",), answer=None, tokens=None
        ),
    }
    save_baseline(path, Baseline(model="scripted", accepted=accepted))
    return path


def _edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_file_has_one_sorted_field_per_line_without_empty_ones(file):
    assert (
        file.read_text(encoding="utf-8")
        == """\
{
  "redpen_baseline": 1,
  "model": "scripted",
  "accepted": [
    {
      "scenario": "self-critique/a",
      "outcome": "passed",
      "status": "ok",
      "stop_reason": "success",
      "result": "approved_direct",
      "decision": "approve",
      "answer": [
        "Checkout is degraded. ",
        "We are on it."
      ],
      "calls": 2,
      "tokens": 240
    },
    {
      "scenario": "self-critique/a",
      "variant": "critique=v2",
      "sample": 2,
      "outcome": "failed",
      "status": "ok",
      "stop_reason": "success",
      "result": "approved_direct",
      "decision": "approve",
      "broken": [
        "x"
      ],
      "calls": 2
    }
  ]
}
"""
    )


@given(ACCEPTED)
def test_saved_baseline_round_trips_independent_of_order(tmp_path_factory, accepted):
    path = baseline_path(tmp_path_factory.mktemp("baseline"), "scripted")
    save_baseline(path, Baseline(model="scripted", accepted=accepted))
    assert read_baseline(path) == accepted
    turned = dict(reversed(accepted.items()))
    assert dump_baseline(Baseline(model="scripted", accepted=turned)).encode() == path.read_bytes()
    assert save_baseline(path, Baseline(model="scripted", accepted=turned)) is False


@given(st.text(alphabet="ab.!? \n\r\t", max_size=40))
def test_as_lines_joins_to_original_answer(answer):
    assert "".join(as_lines(answer)) == answer


def test_as_lines_splits_after_sentences_and_line_breaks():
    assert as_lines("One.  Two? 3.5 % of it\n\nLast") == ["One.  ", "Two? ", "3.5 % of it\n", "\nLast"]


def test_invisible_character_is_written_as_escape(tmp_path, passed):
    path = tmp_path / "scripted.json"
    save_baseline(path, Baseline(model="scripted", accepted={("a", "", 1): passed(answer="a\u202eb é")}))
    text = path.read_text(encoding="utf-8")
    assert "a\\u202eb é" in text


@pytest.mark.parametrize(
    ("model", "name"),
    [("scripted", "scripted.json"), ("open/ai:8b", "open%2Fai%3A8b.json"), ("..", "%2E..json")],
)
def test_model_name_is_escaped_in_file_name(tmp_path, passed, model, name):
    path = baseline_path(tmp_path, model)
    assert path == tmp_path / name
    save_baseline(path, Baseline(model=model, accepted={("a", "", 1): passed()}))
    assert read_baseline(path) == {("a", "", 1): passed()}


def test_missing_file_is_empty_baseline(tmp_path):
    assert read_baseline(tmp_path / "none" / "scripted.json") == {}
    assert load_baseline(tmp_path / "scripted.json") is None


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"calls": 2', '"calls": "2"', 16, "accepted[0].calls: Input should be a valid integer"),
        ('"calls": 2', '"calls": true', 16, "accepted[0].calls: Input should be a valid integer"),
        ('"calls": 2', '"calls": -1', 16, "accepted[0].calls: Input should be greater than or equal to 0"),
        ('"calls": 2', '"call": 2', 16, "accepted[0].call: Extra inputs are not permitted"),
        ('"outcome": "failed"', '"outcome": "stale"', 23, "accepted[1].outcome: Input should be 'passed'"),
        ('"sample": 2', '"sample": 0', 22, "accepted[1].sample: Input should be greater"),
        ('"outcome": "passed",', "", 5, "accepted[0].outcome: Field required"),
        ('"model": "scripted"', '"model": "gpt"', 3, "model: is 'gpt' in the file of 'scripted'; rename it"),
        (
            '"redpen_baseline": 1',
            '"redpen_baseline": 2',
            2,
            "redpen_baseline: is 2, this Redpen reads version 1",
        ),
        (
            '"redpen_baseline": 1',
            '"redpen_baseline": true',
            2,
            "redpen_baseline: Input should be a valid integer",
        ),
        ('"redpen_baseline": 1', '"baseline": 1', 1, "is not a baseline: it has no `redpen_baseline`"),
        ('"status": "ok"', '"outcome": "failed"', 8, "the key 'outcome' appears twice in one object"),
        (
            '"variant": "critique=v2",\n      "sample": 2,',
            "",
            20,
            "accepted[1].scenario: self-critique/a appears twice",
        ),
    ],
)
def test_invalid_file_is_refused_with_line_and_field(file, old, new, line, message):
    _edit(file, old, new)
    with pytest.raises(BaselineError) as caught:
        read_baseline(file)
    assert str(caught.value).startswith(f"{file}:{line}: {message}")


@pytest.mark.parametrize(
    "mark", ["<<<<<<< HEAD", "=======", ">>>>>>> topic", "||||||| base", "<<<<<<< HEAD\r"]
)
def test_merge_conflict_marker_is_reported_with_remedy(file, mark):
    _edit(file, '      "calls": 2', f'{mark}\n      "calls": 2')
    with pytest.raises(BaselineError) as caught:
        read_baseline(file)
    message = str(caught.value)
    assert message.startswith(f"{file}:16: the file holds merge conflict markers; take one side")
    assert "git checkout --ours" in message
    assert "redpen baseline accept" in message


@pytest.mark.parametrize("left", [0, 1, 40, 200, -3])
def test_truncated_file_is_refused(file, left):
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(BaselineError, match="invalid JSON"):
        read_baseline(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "is not a baseline"),
        (b"\xff\xfe", "is not valid UTF-8 at byte 0"),
        (b"[" * 100_000, "invalid JSON"),
        (b'{"redpen_baseline": ' + b"9" * 10_000 + b"}", "invalid JSON"),
    ],
)
def test_file_that_is_no_baseline_is_refused(file, content, message):
    file.write_bytes(content)
    with pytest.raises(BaselineError, match=message):
        read_baseline(file)


def test_folder_at_baseline_path_is_refused(tmp_path):
    (tmp_path / "scripted.json").mkdir()
    with pytest.raises(BaselineError, match="cannot be read: "):
        read_baseline(tmp_path / "scripted.json")


def test_load_baseline_accepts_any_file_name(file, tmp_path):
    copy = tmp_path / "old.json"
    copy.write_bytes(file.read_bytes())
    assert load_baseline(copy).model == "scripted"


def test_failed_save_keeps_old_file_and_no_temporary(file, monkeypatch):
    before = file.read_bytes()

    def fail(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(BaselineError, match="cannot be written: No space left"):
        save_baseline(file, Baseline(model="scripted", accepted={}))
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_save_of_unchanged_baseline_does_not_rewrite_file(file):
    before = file.stat().st_ino
    assert save_baseline(file, Baseline(model="scripted", accepted=read_baseline(file))) is False
    assert file.stat().st_ino == before
    assert json.loads(file.read_text(encoding="utf-8"))["model"] == "scripted"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": ' + "[" * 20 + "]" * 20 + "}", "nested too deep"),
        (
            "{" + ", ".join(f'"key{number}": 1' for number in range(101)) + "}",
            "an object has more than 100 keys",
        ),
    ],
)
def test_excessive_json_is_refused(file, content, message):
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BaselineError, match=f"invalid JSON: .*{message}"):
        read_baseline(file)


def test_first_of_many_errors_is_reported(file):
    accepted = ", ".join(["1"] * 200_000)
    file.write_text(f'{{"redpen_baseline": 1, "model": "scripted", "accepted": [{accepted}]}}')
    with pytest.raises(BaselineError, match=r"scripted\.json:1: accepted\[0\]: "):
        read_baseline(file)


def test_symlink_out_of_baseline_folder_is_refused(file, tmp_path_factory):
    outside = file.rename(tmp_path_factory.mktemp("outside") / file.name)
    file.symlink_to(outside)
    with pytest.raises(BaselineError, match="leads out of "):
        read_baseline(file)
