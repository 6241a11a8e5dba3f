"""Every row of the fact guards' tables shows: an example for each, and what is read in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from redpen.guards.context_facts import context_knowledge
from redpen.guards.entailment import find_new_facts
from redpen.guards.facts import read_facts
from redpen.text.views import read

EXAMPLES: dict[str, dict[str, str]] = yaml.load(
    Path(__file__).with_name("fact_words.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
"""By table, the examples of its rows and what is read in each."""

FOLLOWED_BY = " >> "
KEY_MARK = " := "

GUARDS = SimpleNamespace(
    read=read, read_facts=read_facts, context_knowledge=context_knowledge, find_new_facts=find_new_facts
)


def _told(fact: Any) -> str:
    readings = "/".join(f"{r.kind} {_value(r.value)} {r.unit}".strip() for r in fact.readings)
    about = " ".join(sorted(fact.subject))
    return " ".join(part for part in (f"{readings} [{fact.text}]", fact.head, about, fact.role) if part)


def _value(value: Any) -> str:
    return (
        "-".join("" if part is None else str(part) for part in value)
        if isinstance(value, tuple)
        else f"{value}"
    )


def observe(example: str, guards: Any = GUARDS) -> str:
    """Return what the guards read in an example.

    Args:
        example: a text; ``original >> revision`` for what is new in the revision; ``key := value`` for a
            context with one entry.
        guards: the functions to read it with.
    """
    original, follows, revised = example.partition(FOLLOWED_BY)
    if follows:
        found = guards.find_new_facts(
            revised=guards.read(revised), original=guards.read(original), context={}
        )
        return (
            "; ".join(f"{finding.code} {finding.family} [{finding.text}]" for finding in found) or "allowed"
        )
    key, is_key, value = example.partition(KEY_MARK)
    if is_key:
        context: Mapping[str, Any] = {key: float(value) if value.replace(".", "").isdigit() else value}
        return "; ".join(_told(known.fact) for known in guards.context_knowledge(context).facts)
    text = guards.read(example).text
    seen = "" if text == example else f"{text} | "
    return seen + "; ".join(_told(fact) for fact in guards.read_facts(text))


@pytest.mark.parametrize("table", EXAMPLES)
def test_the_examples_of_a_table_read_as_they_should(table: str) -> None:
    look: Callable[[str], str] = observe
    assert {example: look(example) for example in EXAMPLES[table]} == EXAMPLES[table]
