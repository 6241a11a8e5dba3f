"""What was found of a guard: a row for each cell, with the smallest counterexample."""

from __future__ import annotations

from dataclasses import dataclass, field

from redpen_evals.fuzz.properties import Cell
from redpen_evals.fuzz.trials import Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The smallest text found that breaks a property.

    Attributes:
        trial: what was asked.
        problem: what is wrong with the verdicts, in words.
    """

    trial: Trial
    problem: str


@dataclass(slots=True, kw_only=True)
class Row:
    """What came of one cell.

    Attributes:
        cell: what was tried.
        tried: how many different trials were judged.
        broken: how many of them broke the property.
        found: the smallest of those.
        why_not: why nothing was tried; empty where something was.
        unrecorded: how many trials were no verdict, for a model call was not recorded.
        seen: marks of what was tried, so that it is counted once.
    """

    cell: Cell
    tried: int = 0
    broken: int = 0
    found: Counterexample | None = None
    why_not: str = ""
    seen: set[bytes] = field(default_factory=set)
    unrecorded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found of one guard.

    Attributes:
        guard: its name.
        rows: a cell each, in the order of the properties.
        seed: the chance that it was tried with.
        rounds: how many were finished.
        cut: whether time ended the last one.
        asked: how often the guard was asked.
        unrecorded: how many trials were no verdict, for a model call was not recorded.
    """

    guard: str
    rows: tuple[Row, ...]
    seed: int
    rounds: int
    cut: bool
    asked: int
    unrecorded: int

    @property
    def tried(self) -> int:
        """How many trials were judged."""
        return sum(row.tried for row in self.rows)

    @property
    def broken(self) -> tuple[Row, ...]:
        """The cells whose property is broken."""
        return tuple(row for row in self.rows if row.broken)
