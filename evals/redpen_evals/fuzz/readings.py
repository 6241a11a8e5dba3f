"""Whether what the guards read is the fact that was written."""

from __future__ import annotations

from typing import Any

from redpen.guards.facts.fact import Fact, Reading
from redpen_evals.fuzz.facts import FactForm


def reads_as(fact: Fact, form: FactForm, value: Any) -> bool:
    """Whether one reading of a fact is a value of a form, of its kind.

    A spelling may leave the year of a date open; the rest has to be exact.
    """
    return any(_is(reading, form, form.read(value)) for reading in fact.readings)


def _is(reading: Reading, form: FactForm, value: object) -> bool:
    if reading.kind != form.kind:
        return False
    if isinstance(reading.value, tuple) and isinstance(value, tuple):
        return reading.value[1:] == value[1:] and reading.value[0] in (None, value[0])
    return reading.value == value
