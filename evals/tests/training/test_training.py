"""Training: labelled edits are read with their places, and the same edits give the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from redpen.guards.claims.detector import Detector
from redpen.training.edits import TrainingDataError, read_edits
from redpen.training.examples import NEWS, examples_of, numbering
from redpen.training.fitting import Recipe, fit
from redpen.training.network import Settings, exp
from redpen.training.weights import weights_of

ORIGINAL = "Payments fail. We are on it.\nThe cause is not known."
SMALL = Recipe(least_seen=1, settings=Settings(hidden=4, epochs=3))


def _write(folder: Path, *edits: dict[str, object]) -> Path:
    base = {"id": 1, "original": ORIGINAL, "context": {}, "writer": "w9", "style": "banner", "round": 2}
    (folder / "bases.jsonl").write_text(json.dumps(base) + "\n", encoding="utf-8")
    lines = (
        json.dumps({"base": 1, "label": "pass", "family": "news", "text": "Hello."} | edit) for edit in edits
    )
    (folder / "edits.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("replaces", "revised"),
    [
        (None, "Hello."),
        (0, f"{ORIGINAL} Hello."),
        ("top", f"Hello.\n{ORIGINAL}"),
        (2, "Payments fail. Hello.\nThe cause is not known."),
    ],
)
def test_edit_is_placed_by_replaces(tmp_path: Path, replaces: object, revised: str) -> None:
    (edit,) = read_edits(_write(tmp_path, {"replaces": replaces}))
    assert edit.revised == revised
    assert (edit.writer, edit.style, edit.round) == ("w9", "banner", 2)


def test_sentence_added_after_a_signature_begins_a_line(tmp_path: Path) -> None:
    folder = _write(tmp_path, {"replaces": 0})
    base = {"id": 1, "original": "Payments fail.\nAnna", "context": {}}
    (folder / "bases.jsonl").write_text(json.dumps(base) + "\n", encoding="utf-8")
    (edit,) = read_edits(folder)
    assert edit.revised == "Payments fail.\nAnna\nHello."


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"base": 7}, "no base 7"),
        ({"replaces": 9}, "no sentence 9"),
        ({"family": "weather"}, "family"),
        ({"label": "maybe"}, "label"),
        ({"claim": "is resolved"}, "claim"),
    ],
)
def test_fault_is_reported_with_its_line(tmp_path: Path, edit: dict[str, object], message: str) -> None:
    with pytest.raises(TrainingDataError, match=f"edits.jsonl:1: .*{message}|edits.jsonl:1: {message}"):
        list(read_edits(_write(tmp_path, edit)))


def test_training_is_reproducible_and_separates_the_labels(tmp_path: Path) -> None:
    edits = [
        {"label": "block", "family": "resolution", "replaces": 0, "text": f"The {word} is resolved now."}
        for word in ("fault", "incident", "problem", "outage", "trouble", "matter")
    ]
    edits += [
        {"replaces": 0, "text": f"We thank {word} for waiting."}
        for word in ("you", "everyone", "all", "readers", "clients", "guests")
    ]
    numbers = numbering()
    examples = examples_of(read_edits(_write(tmp_path, *edits)), numbers)
    one, other = (weights_of(fit(examples, numbers, SMALL), SMALL) for _ in range(2))
    assert one == other
    features = list(numbers)
    clauses = [[features[number] for number in clause] for example in examples for clause in example.clauses]
    weighed = Detector(one).weigh(clauses)
    claims = [
        item.log_odds for item, example in zip(weighed, examples, strict=True) if example.family != NEWS
    ]
    others = [
        item.log_odds for item, example in zip(weighed, examples, strict=True) if example.family == NEWS
    ]
    assert min(claims) > max(others)


def test_clauses_beside_a_marked_claim_make_none(tmp_path: Path) -> None:
    text = "The payments fail. The fault is resolved now. We will write again."
    edit = {"label": "block", "family": "resolution", "replaces": None, "text": text}
    numbers = numbering()
    marked = read_edits(_write(tmp_path, edit | {"claim": "is resolved"}))
    others, claim = examples_of(marked, numbers)
    features = list(numbers)
    assert [{features[at] for at in clause} >= {("w", "resolved")} for clause in claim.clauses] == [True]
    assert (len(others.clauses), others.family, claim.family) == (2, 0, 1)
    (whole,) = examples_of(read_edits(_write(tmp_path, edit)), numbers)
    assert (len(whole.clauses), whole.family) == (3, 1)


def test_processes_share_the_work_without_a_difference(tmp_path: Path) -> None:
    texts = (f"The {word} is {state} now." for word in ("fault", "matter") for state in range(210))
    edits = list(read_edits(_write(tmp_path, *({"replaces": 0, "text": text} for text in texts))))
    found = []
    for processes in (1, 2):
        numbers = numbering()
        examples = examples_of(edits, numbers, processes=processes)
        features = list(numbers)
        found.append(
            [(it.family, [{features[at] for at in clause} for clause in it.clauses]) for it in examples]
        )
    assert len(found[0]) == 840
    assert found[0] == found[1]


def test_edits_without_a_claim_are_refused(tmp_path: Path) -> None:
    numbers = numbering()
    examples = examples_of(read_edits(_write(tmp_path, {"replaces": 0})), numbers)
    with pytest.raises(ValueError, match="make a claim"):
        fit(examples, numbers, SMALL)


def test_exponential_matches_the_library() -> None:
    points = np.linspace(-50, 5, 1000)
    assert np.allclose(exp(points), np.exp(points), rtol=1e-13)
