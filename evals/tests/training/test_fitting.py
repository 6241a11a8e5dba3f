"""Weights fitted to labelled edits: what they learn, and what they are written as."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from redpen_evals.training.__main__ import main
from redpen_evals.training.clauses import Example, examples
from redpen_evals.training.edits import LabelledEdit
from redpen_evals.training.fitting import fit
from redpen_evals.training.writing import weight_files

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "scenarios" / "training"
GUARDS = ROOT / "agents" / "redpen" / "guards" / "claims"
NOUNS = [
    f"{noun} {place}"
    for noun in ("queue", "backlog", "pile", "heap", "crowd", "line")
    for place in ("here", "there", "outside", "inside", "below")
]
ORIGINAL = "Parcels are late today. We are sorry for the wait and look into it with our depot."


def _example(sentence: str, family: str = "") -> Example:
    edit = LabelledEdit(
        original=ORIGINAL,
        revised=f"{ORIGINAL} We say so here. {sentence}",
        context={"policy_hints": {"avoid_absolute_guarantees": True}},
        label="block" if family else "pass",
        family=family or "rewrite",  # type: ignore[arg-type]
    )
    (example,) = examples([edit])
    return example


@pytest.fixture(scope="module")
def seen() -> list[Example]:
    """Give edits of two families, and honest ones that use some of their words."""
    return [
        *(_example(f"The {noun} has melted away.", "resolution") for noun in NOUNS),
        *(_example(f"The {noun} was a drunken clerk's doing.", "cause") for noun in NOUNS),
        *(_example(f"The {noun} has not shrunk.") for noun in NOUNS),
        *(_example(f"Please leave the {noun} to us.") for noun in NOUNS),
    ]


def test_what_only_claims_have_speaks_for_them_and_for_their_family(seen: list[Example]) -> None:
    weights = fit(seen)
    assert weights.claim["word:melted"] > 0 > weights.claim["word:not"]
    assert weights.claim["word:melted"] > weights.claim.get("word:has", 0)
    assert weights.families["word:melted"]["resolution"] > 0 > weights.families["word:melted"]["cause"]


def test_what_stands_beside_a_claim_in_its_edit_does_not_speak_for_it(seen: list[Example]) -> None:
    # "We say so here" stands in every edit, with a claim beside it and without.
    assert fit(seen).claim["word:say"] < 0


def test_the_same_edits_give_the_same_weights(seen: list[Example]) -> None:
    assert fit(seen) == fit(seen)


@pytest.mark.parametrize("kept", [slice(0, 60), slice(60, None)])
def test_examples_of_one_kind_teach_nothing(seen: list[Example], kept: slice) -> None:
    with pytest.raises(ValueError, match="need examples that make a claim"):
        fit(seen[kept])


def test_every_weight_is_written_in_a_line(seen: list[Example]) -> None:
    weights = fit(seen)
    files = weight_files(weights)
    assert set(files) == {"clause_weights.txt", "family_weights.txt"}
    rows = [row.partition(" ") for row in files["clause_weights.txt"].splitlines()[1:]]
    assert {name: int(weight) for weight, _, name in rows} == weights.claim


def _some_edits(folder: Path, count: int) -> Path:
    (folder / "bases.jsonl").write_bytes((SHIPPED / "bases.jsonl").read_bytes())
    with (SHIPPED / "edits.jsonl").open(encoding="utf-8") as file:
        (folder / "edits.jsonl").write_text(
            "".join(line for line, _ in zip(file, range(count), strict=False)), "utf-8"
        )
    return folder


def test_the_command_writes_the_files_that_the_guards_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, ["--edits", str(_some_edits(tmp_path, 600)), "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    for name in ("clause_weights.txt", "family_weights.txt"):
        written = (tmp_path / name).read_text("utf-8").splitlines()
        assert written[0] == (GUARDS / name).read_text("utf-8").splitlines()[0]
        assert len(written) > 10


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _some_edits(tmp_path, 3)
    with (folder / "edits.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    arguments = ["--edits", str(folder), "--out", str(tmp_path)]
    broken = CliRunner().invoke(main, arguments)
    assert (broken.exit_code, "edits.jsonl:4: base: " in broken.output) == (2, True)
    missing = CliRunner().invoke(main, ["--edits", str(tmp_path / "none"), "--out", str(tmp_path)])
    assert (missing.exit_code, "bases.jsonl" in missing.output) == (2, True)
    monkeypatch.setitem(sys.modules, "redpen_evals.training.fitting", None)
    bare = CliRunner().invoke(main, arguments)
    assert (bare.exit_code, "pip install 'redpen[training]'" in bare.output) == (2, True)
    assert not list(tmp_path.glob("*_weights.txt"))
