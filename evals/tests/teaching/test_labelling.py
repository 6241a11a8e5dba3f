"""``redpen label``: the most doubtful first, one key each, kept at once; and what ``redpen teach`` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redpen.errors import InvalidInputError
from redpen_evals.teaching.labelling import label_verdicts
from redpen_evals.teaching.verdicts import labelled_edits, read_verdicts

ORIGINAL = "Payments fail. We are on it."
LINES = [
    {"id": "a", "original": ORIGINAL, "revised": f"{ORIGINAL} All is well again.", "context": {}},
    {"id": "b", "original": ORIGINAL, "revised": f"{ORIGINAL} Thank you.", "context": {}, "label": "pass"},
    {"id": "c", "original": ORIGINAL, "revised": f"{ORIGINAL} Tea is served.", "context": {}},
]


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


def _labels(path: Path) -> dict[str, object]:
    return {line.fields["id"]: line.fields.get("label") for line in read_verdicts(path)}


def test_each_answer_is_kept_and_what_has_a_label_is_not_asked_for(verdicts: Path) -> None:
    keys = iter("xbs")
    assert label_verdicts(verdicts, ask=lambda: next(keys)) == 1
    assert sorted(map(str, _labels(verdicts).values())) == ["None", "block", "pass"]


def test_quitting_keeps_what_was_said(verdicts: Path) -> None:
    assert label_verdicts(verdicts, ask=lambda: "q") == 0
    assert _labels(verdicts) == {"a": None, "b": "pass", "c": None}


def test_labelled_lines_are_edits(verdicts: Path) -> None:
    (edit,) = labelled_edits(read_verdicts(verdicts))
    assert (edit.label, edit.revised) == ("pass", LINES[1]["revised"])


@pytest.mark.parametrize("line", ["{", "[]", '{"original": "a", "context": {}}', '{"original": 1}'])
def test_a_line_that_is_no_verdict_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"verdicts\.jsonl:1: "):
        read_verdicts(path)
