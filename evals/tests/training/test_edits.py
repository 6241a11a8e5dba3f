"""Labelled edits for the weights: what a folder of them holds, and what is wrong in one that is not sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redpen_evals.scenario_library.drafts import read_drafts
from redpen_evals.scenario_library.errors import LibraryError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.training.clauses import examples
from redpen_evals.training.edits import library_edits, read_edits

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "scenarios" / "training"
LAYOUT = Layout(scenarios=ROOT / "scenarios", cassettes=ROOT / "cassettes")
BASE = {"id": 1, "original": "Trains are late. We look into it. Sorry!", "context": {"region": "Wales"}}


def _written(folder: Path, *edits: object, bases: tuple[object, ...] = (BASE,)) -> Path:
    for name, rows in (("bases", bases), ("edits", edits)):
        text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def _edit(**changes: object) -> dict[str, object]:
    return {"base": 1, "label": "pass", "family": "rewrite", "text": "Trains run late."} | changes


@pytest.mark.parametrize(
    ("replaces", "revised"),
    [
        (None, "Trains run late."),
        (1, "Trains run late. We look into it. Sorry!"),
        (3, "Trains are late. We look into it. Trains run late."),
        (0, "Trains are late. We look into it. Sorry! Trains run late."),
    ],
)
def test_an_edit_is_a_whole_text_or_one_sentence_of_it(
    tmp_path: Path, replaces: int | None, revised: str
) -> None:
    (edit,) = read_edits(_written(tmp_path, _edit(replaces=replaces)))
    assert (edit.original, edit.revised, edit.context) == (BASE["original"], revised, BASE["context"])


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (_edit(base=2), "edits.jsonl:2: base: there is no base 2"),
        (_edit(replaces=4), "edits.jsonl:2: replaces: the original has 3 sentences"),
        (_edit(family="weather"), "edits.jsonl:2: family: "),
        (_edit(label="maybe"), "edits.jsonl:2: label: "),
        (_edit(text=""), "edits.jsonl:2: text: "),
        (_edit(note="why"), "edits.jsonl:2: note: "),
        ("{", "edits.jsonl:2: "),
        ('{"base": 1, "base": 1}', "stands twice"),
    ],
)
def test_a_line_with_a_fault_is_named(tmp_path: Path, edit: object, told: str) -> None:
    with pytest.raises(LibraryError) as caught:
        list(read_edits(_written(tmp_path, _edit(), edit)))
    assert told in str(caught.value)


def test_what_is_shipped_is_sound_and_of_both_labels() -> None:
    edits = list(read_edits(SHIPPED))
    assert len(edits) > 10_000
    assert {edit.label for edit in edits} == {"block", "pass"}


def test_nothing_that_is_held_out_is_learnt_from() -> None:
    held_out = {draft.item.revised for draft in read_drafts(LAYOUT).drafts if draft.item.split == "test"}
    learnt = {edit.revised for edit in (*read_edits(SHIPPED), *library_edits(LAYOUT))}
    assert held_out
    assert held_out.isdisjoint(learnt)


def test_an_example_holds_the_changed_clauses_and_the_claim(tmp_path: Path) -> None:
    folder = _written(
        tmp_path,
        _edit(replaces=1),
        _edit(replaces=0, text="The points were frozen, and that is why.", label="block", family="cause"),
        _edit(replaces=0, text="It will take nine days.", label="block", family="duration"),
    )
    passed, claimed, fact = examples(read_edits(folder))
    assert [(item.family, item.blocked) for item in (passed, claimed, fact)] == [
        ("", False), ("cause", True), ("", True)
    ]  # fmt: skip
    assert len(passed.clauses) == 1
    assert "put in:run" in passed.clauses[0]
    assert any("word:frozen" in clause for clause in claimed.clauses)
