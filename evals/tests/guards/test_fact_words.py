"""Every row of the fact guards' tables shows: an example for each, and what is read in it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from redpen.guards.context_facts import context_knowledge
from redpen.guards.entailment import find_new_facts
from redpen.guards.facts import read_facts
from redpen.guards.seen import read
from redpen_evals.mutation.facts import observe

EXAMPLES: dict[str, dict[str, str]] = yaml.load(
    Path(__file__).with_name("fact_words.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
"""By table, the examples of its rows and what is read in each."""

GUARDS = SimpleNamespace(
    read=read, read_facts=read_facts, context_knowledge=context_knowledge, find_new_facts=find_new_facts
)


@pytest.mark.parametrize("table", EXAMPLES)
def test_the_examples_of_a_table_read_as_they_should(table: str) -> None:
    assert {example: observe(example, GUARDS) for example in EXAMPLES[table]} == EXAMPLES[table]
