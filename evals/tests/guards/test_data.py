"""The tables of words keep their schema, each is read, and a fault is told with its line and field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import redpen.guards
from redpen.guards.data import data_path, read_words

WORDS = data_path("words.json")
SCHEMA = json.loads(data_path("words.schema.json").read_text(encoding="utf-8"))
READ = re.compile(r"\b(?:word_set|word_map|count_map|number_map|texts|lines)\(\s*\"(\w+)\", \"(\w+)\"")
READ_AS_FACTS = re.compile(r"\b(?:vocab\.|phrases_of\(\")([a-z]\w*)")


def faults(text: str) -> list[str]:
    """Return what is wrong with a file of tables as ``file:line: field: problem``."""
    found = []
    for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(text)):
        field = ".".join(map(str, error.absolute_path))
        line, place = 1, 0
        for key in error.absolute_path:
            if isinstance(key, str):
                place = text.find(f'"{key}":', place)
                line = text.count("\n", 0, place) + 1
        found.append(f"{WORDS.name}:{line}: {field}: {error.message}")
    return found


def test_tables_match_their_schema() -> None:
    assert faults(WORDS.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"wrods": ["a"]}, "wrods"),
        ({"words": []}, "[]"),
        ({"rows": [["only what it stands for"]]}, "too short"),
        ({"words": ["a"], "rows": [["a", "b"]]}, "valid under each"),
    ],
)
def test_fault_has_line_and_field(table: dict[str, Any], problem: str) -> None:
    text = json.dumps({"places": {"english": {"words": ["tea"]}, "areas": table}}, indent=1)
    (first, *_) = faults(text)
    assert re.match(r"words\.json:\d+: places\.areas", first)
    assert any(problem in fault for fault in faults(text))


def test_tables_and_their_readers_match() -> None:
    sources = Path(redpen.guards.__path__[0]).parent.rglob("*.py")
    read = {("facts", name) for name in ("function_words", "table", "expand")}
    tables = json.loads(WORDS.read_text(encoding="utf-8"))
    there = read | {(room, name) for room, names in tables.items() for name in names}
    for source in sources:
        text = source.read_text(encoding="utf-8")
        read.update(READ.findall(text))
        if source.parent.name in ("facts", "quantities", "quantifiers"):
            read.update(("facts", name) for name in READ_AS_FACTS.findall(text))
    facts = tables["facts"].values()
    lines = [line for table in facts for line in table.get("words", ())]
    lines += [line for table in facts for texts in table.get("texts", {}).items() for line in texts]
    read.update(("facts", name) for line in lines for name in re.findall(r"@(\w+)", line))
    assert read == there


def test_classes_of_words_are_named_once_and_hold_no_word_twice() -> None:
    rows = read_words("word_classes")
    assert all(re.fullmatch(r"[a-z]+:(?: [a-z]+)+", row) for row in rows)
    names = [row.partition(":")[0] for row in rows]
    assert len(set(names)) == len(names)
    for row in rows:
        lemmas = row.partition(": ")[2].split()
        assert len(set(lemmas)) == len(lemmas), row
