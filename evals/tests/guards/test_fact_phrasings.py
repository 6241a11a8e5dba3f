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
KINDS = sorted({kind for _, kind, _, _ in ROWS})


def codes(name: str, text: str) -> list[str]:
    situation = SITUATIONS[name]
    original = read(situation["original"])
    found = find_new_facts(revised=read(text), original=original, context=known_context(situation["context"]))
    return [finding.code for finding in found]


@pytest.mark.parametrize("kind", KINDS)
def test_facts_in_the_words_of_many_people(kind: str) -> None:
    wrong = []
    for name, of_kind, verdict, text in ROWS:
        if of_kind == kind:
            found = codes(name, text)
            right = found[:1] == [CODES.get(kind, found[0])] if found else verdict == "pass"
            if not right or (found and verdict == "pass"):
                wrong.append((name, verdict, text, found))
    assert wrong == []
