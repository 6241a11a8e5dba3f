"""The results of a guard for a terminal: a table, and the smallest counterexample of each cell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from redpen.screen import counted, shown
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.trials import PROPERTIES, RAISED, STATEMENTS, Result, Row, Trial
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen

_HEADER: Final = ("property", "tried", "broken", "")
_MAX_CHARS: Final = 600
_STYLES: Final = {"0": "green"}


def render_result(result: Result, *, screen: Screen = PLAIN, every_cell: bool = False) -> list[str]:
    """Return the lines for one guard; ``every_cell`` also lists the cells whose property holds."""
    rows = list(_rows(result, every_cell=every_cell))
    lines = [f"{result.guard}: {_extent(result)}", ""]
    lines += table_lines(_HEADER, rows, right=frozenset({1, 2}), screen=screen, styles=_STYLES)
    for row in result.broken:
        if row.found is not None:
            lines += ["", *_counterexample(row, row.found)]
    return [*lines, "", *_notes(result)]


def _extent(result: Result) -> str:
    rounds = counted(result.rounds, "round")
    if result.cut:
        rounds += " and a part of the next"
    return f"{rounds} with seed {result.seed}, {result.tried:,} trials in {result.calls:,} guard calls"


def _rows(result: Result, *, every_cell: bool) -> Iterator[tuple[str, str, str, str]]:
    for name in PROPERTIES:
        rows = [row for row in result.rows if row.cell.of == name]
        if not rows:
            continue
        tried, broken = sum(row.tried for row in rows), sum(row.broken for row in rows)
        yield name, f"{tried:,}", f"{broken:,}", STATEMENTS[name]
        for row in rows:
            if not row.tried:
                yield f"  {row.cell.name}", "-", "-", f"not tried: {row.why_not}"
            elif row.broken or every_cell:
                yield f"  {row.cell.name}", f"{row.tried:,}", f"{row.broken:,}", row.problem


def _counterexample(row: Row, trial: Trial) -> Iterator[str]:
    yield f"{row.cell.of}, {row.cell.name}: {row.problem}"
    if trial.rule == "order" and trial.before is not None:
        yield f"  in this order  {marked(trial.before)}"
        yield f"  in that order  {marked(trial.case)}"
    else:
        yield f"  original  {_cut(shown(trial.case.original))}"
        yield f"  revised   {marked(trial.case)}"
    for case in trial.between:
        yield f"  between   {marked(case)}"
    yield f"  context   {_cut(shown(json.dumps(trial.case.context)))}"


def marked(case: Case) -> str:
    """Return the revised text on one line with the breach or change in double brackets."""
    if case.span is None:
        return _cut(shown(case.revised))
    start, end = case.span
    before, changed, after = case.revised[:start], case.revised[start:end], case.revised[end:]
    return _cut(f"{shown(before)}[[{shown(changed)}]]{shown(after)}")


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}… ({len(text):,} characters)"


def _notes(result: Result) -> Iterator[str]:
    holes = {row.cell.name for row in result.broken if row.cell.of == "breaches"}
    disguises = {row.cell.name for row in result.broken if row.cell.of == "disguises"}
    if _blocks_all(result.rows):
        yield "it blocks every text, even unchanged ones: a returned bool means whether it blocks"
    if not result.tried:
        yield f"{result.guard}: nothing was tried"
    elif not result.broken:
        yield f"{result.guard}: no property is broken"
    else:
        families = f"breaches of {len(holes)} families, {len(disguises)} disguises"
        broken = "1 cell is" if len(result.broken) == 1 else f"{len(result.broken)} cells are"
        yield f"{result.guard}: {broken} broken ({families} get past)"
    if result.unrecorded:
        yield f"{result.unrecorded:,} trials gave no verdict: their model calls are not recorded"
    if result.warning:
        yield result.warning
    if result.cut and result.rounds:
        yield f"to repeat the finished rounds: --seed {result.seed} --rounds {result.rounds}"


def _blocks_all(rows: Sequence[Row]) -> bool:
    same = [row for row in rows if (row.cell.of, row.cell.name) == ("faithful", "identical")]
    if not same or not all(row.tried and row.broken == row.tried for row in same):
        return False
    # A guard that raises or times out returns nothing that could be misread.
    return not any(row.problem.startswith(RAISED) for row in same)
