"""The same facts in the words of many people pass, and new ones in any words do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

SITUATIONS: dict[str, dict[str, Any]] = yaml.load(
    Path(__file__).with_name("fact_phrasings.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
CODES = {"region": "new_region", "severity": "new_severity_label"}
ROWS = [
    (name, kind, verdict, text)
    for name, situation in SITUATIONS.items()
    for kind, verdicts in situation["phrasings"].items()
    for verdict, texts in verdicts.items()
    for text in texts
]
PASS = [(name, text) for name, _, verdict, text in ROWS if verdict == "pass"]
BLOCK = [(name, kind, text) for name, kind, verdict, text in ROWS if verdict == "block"]


def codes(name: str, text: str) -> list[str]:
    situation = SITUATIONS[name]
    original = read(situation["original"])
    found = find_new_facts(revised=read(text), original=original, context=known_context(situation["context"]))
    return [finding.code for finding in found]


@pytest.mark.parametrize(("name", "text"), PASS)
def test_an_allowed_fact_passes_in_other_words(name: str, text: str) -> None:
    assert codes(name, text) == []


@pytest.mark.parametrize(("name", "kind", "text"), BLOCK)
def test_a_new_fact_is_found_in_any_words(name: str, kind: str, text: str) -> None:
    found = codes(name, text)
    assert found
    assert found[0] == CODES.get(kind, found[0])
