"""A generated draft with its expected verdict, and the error for another verdict."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.types import JsonObject
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A labelled draft that a property made.

    Attributes:
        name: the property that it comes from, in lower case with hyphens.
        codes: the codes that it may be blocked with; empty for ``pass``.
        span: start and end (exclusive) of the breach, or of what was changed, in the revised text.
    """

    name: str
    original: str
    revised: str
    context: JsonObject
    label: Label = "pass"
    family: Family = "rewrite"
    codes: tuple[DraftCode, ...] = ()
    disguise: Disguise = "none"
    span: tuple[int, int] | None = None


def span_of(part: str, text: str) -> tuple[int, int] | None:
    """Return start and end (exclusive) of the first occurrence of a part of a text; None if there is none."""
    start = text.find(part)
    return (start, start + len(part)) if start >= 0 else None


class CounterexampleError(AssertionError):
    """The guards gave a generated draft another verdict than expected."""

    def __init__(self, case: Case, problem: str) -> None:
        super().__init__(f"{case.name}: {problem}\n{case}")
        self.case = case


SEEDS = 40
"""Number of seeds that each attack is tried with."""
