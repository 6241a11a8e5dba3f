"""The data that people edit: its stored schemas are those of the code, and a fault is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from redpen.guards.data import data_path
from redpen.training.edits import TrainingDataError
from redpen.training.schemas import SCHEMAS, check_phrases, schema_of, schema_path

EDITS = Path(__file__).resolve().parents[3] / "scenarios" / "training"
PHRASES = data_path("phrases.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_stored_schema_matches_the_code(name: str) -> None:
    assert schema_path(name, EDITS).read_text(encoding="utf-8") == schema_of(name)


def test_shipped_phrases_match_their_schema() -> None:
    check_phrases(data_path("phrases.yaml"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("      block: We guarantee delivery.\n", "", "families.guarantee.0.block: Field required"),
        ("- say: guarantees\n", "- say: guarantees\n      colour: red\n", "guarantee.1.colour: Extra inputs"),
        ("- say: <is> <adv>* <done>\n", "- say: <is> <adv>* <gone>\n", "0.say: there is no class <gone>"),
        ("      own: true\n", "      own: perhaps\n", "own: Input should be a valid boolean"),
        ("classes:\n", "classes: [\n", "not valid YAML"),
    ],
)
def test_fault_is_reported_with_its_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in PHRASES
    path = tmp_path / "phrases.yaml"
    path.write_text(PHRASES.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TrainingDataError) as caught:
        check_phrases(path)
    message = str(caught.value)
    assert expected in message
    line = int(message.removeprefix(f"{path}:").partition(":")[0])
    assert 0 <= line - PHRASES[: PHRASES.index(old)].count("\n") <= 4 or "not valid YAML" in message
