"""Deleting a row: what is left of a table, what is loaded anew, and what is as it was afterwards."""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import Any

import pytest

from redpen.guards.facts import read_facts
from redpen_evals.mutation.examples import surviving_examples
from redpen_evals.mutation.facts import load_guards, observe, observed, surviving_facts
from redpen_evals.mutation.loading import loader
from redpen_evals.mutation.tables import Row, example_tables, fact_tables, rows_of, without

PLURALS = "guards.quantities_numbers.PLURALS"


def row_named(home: str, label: str) -> Row:
    return next(row for row in fact_tables()[home] if row.label == label)


@pytest.mark.parametrize(
    ("table", "left"),
    [
        (("a", "b", "c"), ("a", "c")),
        (["a", "b", "c"], ["a", "c"]),
        (frozenset("abc"), frozenset("ac")),
        ({"a": 1, "b": 2}, {"a": 1}),
        (MappingProxyType({"a": 1, "b": 2}), MappingProxyType({"a": 1})),
    ],
)
def test_one_row_is_taken_out_of_any_table(table: Any, left: Any) -> None:
    assert without(table, Row("m", "T", rows_of(table).index("b"), "b")) == left


def test_a_mutant_reads_without_its_row_and_the_sound_guards_stay() -> None:
    before = {name: module for name, module in sys.modules.items() if name.startswith("redpen.")}
    with loader() as loading:
        sound = load_guards(loading, None)
        told = observe("It hit dozens.", sound)
        mutant = load_guards(loading, row_named(PLURALS, "dozens"))
        assert observed("It hit dozens.", mutant) != told
    after = {name: module for name, module in sys.modules.items() if name in before}
    assert after == before
    assert [fact.text for fact in read_facts("It hit dozens.")] == ["dozens"]


def test_a_row_that_no_example_shows_survives() -> None:
    rows = [row_named(PLURALS, label) for label in ("dozens", "hundreds")]
    with loader() as loading:
        told = observe("It hit dozens.", load_guards(loading, None))
    assert surviving_facts(rows, {"It hit dozens.": told}) == ["hundreds"]


def test_a_row_whose_example_another_row_blocks_survives() -> None:
    home, rows = next(iter(example_tables().items()))
    first = rows[0]
    borrowed = Row(first.module, first.table, first.place, first.label, "Nothing.", "Nothing at all.")
    assert home == first.home
    assert surviving_examples([borrowed]) == [first.label]


def test_a_mutant_that_breaks_is_noticed() -> None:
    assert observed("It hit dozens.", object()) == "raised AttributeError"
