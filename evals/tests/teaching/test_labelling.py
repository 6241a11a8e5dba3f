"""``redpen label``: labelling by keys, saved at once; and the input of ``redpen teach``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from redpen.errors import InvalidInputError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.teaching.fitting import teach
from redpen_evals.teaching.labelling import keyboard, keys_of, label_verdicts
from redpen_evals.teaching.verdicts import VerdictLine, labelled_edits, read_verdicts

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


def test_answers_are_saved_and_labelled_lines_skipped(verdicts: Path) -> None:
    assert label_verdicts(verdicts, "xbs") == (1, 1)
    assert sorted(map(str, _labels(verdicts).values())) == ["None", "block", "pass"]


def test_quitting_keeps_earlier_labels(verdicts: Path) -> None:
    assert label_verdicts(verdicts, "q") == (0, 2)
    assert _labels(verdicts) == {"a": None, "b": "pass", "c": None}


def test_end_of_input_keeps_earlier_labels(verdicts: Path) -> None:
    assert label_verdicts(verdicts, "b") == (1, 1)
    assert sorted(map(str, _labels(verdicts).values())) == ["None", "block", "pass"]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [(b"bPs", "bps"), (b"b\x1b[B\x1bOBp", "bp"), (b"b\x04p", "b"), ("\u0431b\n".encode(), "b\n"), (b"", "")],
)
def test_keys_are_read_from_a_pipe(typed: bytes, keys: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    assert "".join(keys_of(reading)) == keys
    os.close(reading)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("last", ["\x04", ""])
def test_terminal_keys_typed_ahead_are_read_until_end_of_input(
    verdicts: Path, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    there, here = pty.openpty()
    os.write(there, f"b{last}".encode())
    with os.fdopen(here) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with keyboard() as keys:
            if not last:
                os.close(there)
            assert label_verdicts(verdicts, keys) == (1 if last else 0, 1 if last else 2)


def test_labelled_lines_become_training_edits(verdicts: Path) -> None:
    (edit,) = labelled_edits(read_verdicts(verdicts))
    assert (edit.label, edit.revised) == ("pass", LINES[1]["revised"])


@pytest.mark.parametrize(
    ("fields", "family"),
    [
        ({}, "resolution"),
        ({"family": "cause"}, "cause"),
        ({"violations": [{"code": "no_new_facts", "family": "share"}]}, "share"),
        (
            {
                "violations": [
                    {"code": "no_new_facts", "family": "share"},
                    {"code": "restricted_claims", "family": "guarantee"},
                ]
            },
            "guarantee",
        ),
        ({"concerns": [{"code": "new_statement", "family": "liability"}]}, "liability"),
    ],
)
def test_edit_family_follows_from_findings(fields: dict[str, object], family: str) -> None:
    line = VerdictLine(number=1, fields=LINES[0] | {"label": "block"} | fields)
    (edit,) = labelled_edits([line])
    assert edit.family == family


@pytest.mark.parametrize(
    ("fields", "out", "message"),
    [
        ({}, None, "no line has a label"),
        ({"label": "block", "family": "identifier"}, None, "only on new figures"),
        ({"label": "block"}, "none/acme.weights", "there is no folder"),
    ],
)
def test_teach_refuses_unusable_labels_or_output_folder(
    tmp_path: Path, fields: dict[str, object], out: str | None, message: str
) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(json.dumps(LINES[0] | fields) + "\n", encoding="utf-8")
    layout = Layout(scenarios=tmp_path, cassettes=tmp_path)
    with pytest.raises(InvalidInputError, match=message):
        teach(path, out=tmp_path / out if out else None, edits=tmp_path, layout=layout, most_lost=0.5)


@pytest.mark.parametrize("line", ["{", "[]", '{"original": "a", "context": {}}', '{"original": 1}'])
def test_invalid_verdict_line_is_refused_with_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"verdicts\.jsonl:1: "):
        read_verdicts(path)
