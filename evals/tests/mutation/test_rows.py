"""Every row of every rule table counts: without it some example of its table reads otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from redpen_evals.mutation.examples import surviving_examples
from redpen_evals.mutation.facts import surviving_facts
from redpen_evals.mutation.tables import Row, example_tables, fact_tables

RECORDED: dict[str, dict[str, str]] = yaml.load(
    (Path(__file__).parent.parent / "guards" / "fact_words.yaml").read_text(encoding="utf-8"),
    Loader=yaml.CSafeLoader,
)
MOST_ROWS = 60
"""Rows of one test: tables have up to a thousand, and tests are what is spread over processes."""


def _parts(tables: dict[str, tuple[Row, ...]]) -> list[object]:
    return [
        pytest.param(rows[at : at + MOST_ROWS], id=f"{home}-{at // MOST_ROWS}")
        for home, rows in tables.items()
        for at in range(0, len(rows), MOST_ROWS)
    ]


@pytest.mark.parametrize("rows", _parts(dict(example_tables())))
def test_a_row_with_its_own_examples_counts(rows: tuple[Row, ...]) -> None:
    assert surviving_examples(rows) == []


@pytest.mark.parametrize("rows", _parts(dict(fact_tables())))
def test_a_row_of_facts_counts(rows: tuple[Row, ...]) -> None:
    assert surviving_facts(rows, RECORDED.get(rows[0].home, {})) == []


def test_examples_stand_by_the_name_of_their_table() -> None:
    assert set(RECORDED) <= set(fact_tables())
