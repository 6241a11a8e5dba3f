"""The terminal summary of the scenarios: counts by agent, what did not pass, what is stale, what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from redpen_evals.outcome import OUTCOMES, Outcome
from redpen_evals.records.model import ScenarioResult

if TYPE_CHECKING:
    from redpen_evals.comparison import Comparison
    from redpen_evals.options import Options

_COLOURS: dict[Outcome, str] = {"passed": "green", "failed": "red", "stale": "yellow", "errored": "red"}
_AGENT = "agent"
_LISTED: dict[Outcome, int] = {"failed": 100, "stale": 5, "errored": 100}
_EXPLAINED = 3


def write_conclusion(
    terminal: pytest.TerminalReporter,
    options: Options,
    *,
    results: Sequence[ScenarioResult],
    comparison: Comparison | None,
    notes: Sequence[str],
    problems: Sequence[str],
    warnings: Sequence[str] = (),
    not_asked: Mapping[str, int] | None = None,
) -> None:
    """Write the summary.

    Args:
        terminal: pytest's reporter.
        options: of the session.
        results: of all scenarios that ran, sorted.
        comparison: with the baseline; None where there is none.
        notes: what else was done.
        problems: what the harness could not do.
        warnings: what is amiss and touches no result.
        not_asked: scenarios that were left out since a live model owes nothing in them, by agent.
    """
    if results:
        _write_explained(terminal, results)
        terminal.write_sep("=", "scenarios")
        _write_lines(terminal, table(results))
        _write_live(terminal, results, not_asked or {})
        _write_not_passed(terminal, results)
        _write_samples(terminal, results, options["--samples"])
        _write_stale(terminal, results, options, problems)
        if comparison is not None:
            _write_comparison(terminal, comparison)
    for problem in problems:
        terminal.write_line(f"redpen: {problem}", red=True)
    for warning in warnings:
        terminal.write_line(f"redpen: {warning}", yellow=True)
    _write_lines(terminal, notes)


def table(results: Sequence[ScenarioResult]) -> list[str]:
    """Return the counts of the outcomes by agent and variant as aligned lines; empty columns are left out."""
    counts = Counter((_group(result), result.outcome) for result in results)
    groups = sorted({_group(result) for result in results})
    shown = [
        outcome for outcome in OUTCOMES if outcome == "passed" or any(counts[one, outcome] for one in groups)
    ]
    rows: list[list[object]] = [[group, *(counts[group, outcome] for outcome in shown)] for group in groups]
    if len(groups) > 1:
        rows.append(["all", *(sum(counts[group, outcome] for group in groups) for outcome in shown)])
    widths = [max(len(_AGENT), *(len(str(row[0])) for row in rows)), *(len(outcome) for outcome in shown)]
    return [_line([_AGENT, *shown], widths), *(_line(row, widths) for row in rows)]


def _group(result: ScenarioResult) -> str:
    return f"{result.agent} [{result.variant}]" if result.variant else result.agent


def _write_explained(terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult]) -> None:
    explained = [result for result in results if result.outcome in {"stale", "errored"}]
    if not explained:
        return
    terminal.write_sep("=", "STALE AND ERRORED SCENARIOS")
    for result in explained[:_EXPLAINED]:
        terminal.write_line(result.text)
        terminal.write_line("")
    if len(explained) > _EXPLAINED:
        # One change to a prompt makes every scenario that asks with it stale, all for one reason.
        terminal.write_line(f"… and {len(explained) - _EXPLAINED} more, listed below")
        terminal.write_line("")


def _write_not_passed(terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult]) -> None:
    shown = Counter[Outcome]()
    for result in results:
        shown[result.outcome] += 1
        # What is stale is gathered by its cause below; a long list would hide the rest.
        if result.outcome == "passed" or shown[result.outcome] > _LISTED[result.outcome]:
            continue
        terminal.write(result.outcome.upper(), **{_COLOURS[result.outcome]: True})
        terminal.write_line(f" {result.shown} - {result.summary}")
    for outcome, most in _LISTED.items():
        if shown[outcome] > most:
            terminal.write_line(f"… and {shown[outcome] - most} more {outcome}; all stand in the record")


def _write_live(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], not_asked: Mapping[str, int]
) -> None:
    from redpen_evals.comparison.tables import aligned
    from redpen_evals.live_figures import HEADER, live_figures

    figures = live_figures(results, not_asked)
    if figures:
        terminal.write_line("")
        _write_lines(
            terminal, aligned(HEADER, [one.cells for one in figures], right=frozenset({1, 2, 3, 4, 5}))
        )


def _write_samples(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], samples: int
) -> None:
    if samples == 1:
        return
    from redpen_evals.comparison import behaviour
    from redpen_evals.comparison.samples import sample_lines, summarise_samples

    terminal.write_sep("=", f"{samples} samples a scenario")
    summaries = summarise_samples({result.key: behaviour(result) for result in results})
    _write_lines(terminal, sample_lines(summaries))


def _write_stale(
    terminal: pytest.TerminalReporter,
    results: Sequence[ScenarioResult],
    options: Options,
    problems: Sequence[str],
) -> None:
    if not any(result.outcome == "stale" for result in results):
        return
    from redpen.errors import ConfigurationError
    from redpen_evals.prices import Prices
    from redpen_evals.stale import stale_lines, stale_map

    try:
        prices = options.prices()
    except ConfigurationError as error:
        if str(error) not in problems:
            terminal.write_line(f"redpen: {error}", red=True)
        prices = Prices()
    terminal.write_sep("=", "what is stale")
    _write_lines(terminal, stale_lines(stale_map(results, model=options["--model"], prices=prices)))


def _write_comparison(terminal: pytest.TerminalReporter, comparison: Comparison) -> None:
    from redpen_evals.comparison import summary_lines

    # What is stale or broken cannot be compared, and is told above: here it counts alone.
    undecided = comparison.counts["undecided"]
    decided = replace(
        comparison,
        changes=tuple(change for change in comparison.changes if change.kind != "undecided"),
        counts={kind: count for kind, count in comparison.counts.items() if kind != "undecided"},
    )
    terminal.write_sep("=", "compared with the baseline")
    _write_lines(terminal, summary_lines(decided))
    if undecided:
        terminal.write_line(f"not compared {undecided} (stale or errored)", yellow=True)


def _write_lines(terminal: pytest.TerminalReporter, lines: Sequence[str]) -> None:
    for line in lines:
        terminal.write_line(line)


def _line(cells: Sequence[object], widths: Sequence[int]) -> str:
    name, *numbers = (str(cell) for cell in cells)
    return "  ".join(
        (
            name.ljust(widths[0]),
            *(number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)),
        )
    )
