"""The terminal summary of the scenarios: counts by agent, what did not pass, what is stale, what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from redpen.screen import shown as safe
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.records.model import ScenarioResult, canned_note, policy_note
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen, screen_of_session

if TYPE_CHECKING:
    from redpen_evals.comparison import Comparison
    from redpen_evals.options import Options

_COLOURS: dict[Outcome, str] = {"passed": "green", "failed": "red", "stale": "yellow", "errored": "red"}
_WARNED = 5
_AGENT = "agent"
_LISTED: dict[Outcome, int] = {"failed": 100, "stale": 5, "errored": 100}
_EXPLAINED, _EXPLAINED_VERBOSE = 1, 20


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
        screen = screen_of_session(terminal)
        terminal.write_sep("=", "scenarios")
        _write_lines(terminal, table(results, screen=screen))
        _write_live(terminal, results, not_asked or {}, screen)
        _write_not_passed(terminal, results)
        for message in filter(None, (canned_note(results), policy_note(results))):
            _write_text(terminal, message)
        _write_explained(terminal, results, with_all=terminal.verbosity > 0)
        _write_judging(terminal, results)
        _write_samples(terminal, results, options["--samples"], screen)
        _write_stale(terminal, results, options, problems)
        if comparison is not None:
            _write_comparison(terminal, comparison)
        for line in _recorded_warnings(results):
            _write_text(terminal, line, yellow=True)
    for problem in problems:
        _write_text(terminal, f"redpen: {problem}", red=True)
    for warning in warnings:
        _write_text(terminal, f"redpen: {warning}", yellow=True)
    _write_lines(terminal, [safe(note) for note in notes])


def table(results: Sequence[ScenarioResult], *, screen: Screen = PLAIN) -> list[str]:
    """Return the counts of the outcomes by agent and variant as aligned lines; empty columns are left out."""
    counts = Counter((_group(result), result.outcome) for result in results)
    groups = sorted({_group(result) for result in results})
    shown = [
        outcome for outcome in OUTCOMES if outcome == "passed" or any(counts[one, outcome] for one in groups)
    ]
    rows = [[group, *(str(counts[group, outcome]) for outcome in shown)] for group in groups]
    if len(groups) > 1:
        rows.append(["all", *(str(sum(counts[group, outcome] for group in groups)) for outcome in shown)])
    return table_lines([_AGENT, *shown], rows, right=frozenset(range(1, len(shown) + 1)), screen=screen)


def _group(result: ScenarioResult) -> str:
    return f"{result.agent} [{result.variant}]" if result.variant else result.agent


def _write_explained(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], *, with_all: bool
) -> None:
    for outcome in ("errored", "stale"):
        explained = [result for result in results if result.outcome == outcome]
        most = _EXPLAINED_VERBOSE if with_all else _EXPLAINED
        if not explained:
            continue
        # One change to a prompt makes every scenario that asks with it stale, all for one reason.
        left = len(explained) - most
        terminal.write_sep("=", f"{outcome.upper()} IN DETAIL")
        for result in explained[:most]:
            _write_lines(terminal, [safe(line) for line in result.text.splitlines()])
            terminal.write_line("")
        if left > 0:
            how = "; all stand in the record" if with_all else f"; -v shows {_EXPLAINED_VERBOSE}"
            terminal.write_line(f"… and {left} more {outcome}{how}")


def _write_not_passed(terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult]) -> None:
    shown = Counter[Outcome]()
    for result in results:
        shown[result.outcome] += 1
        # What is stale is gathered by its cause below; a long list would hide the rest.
        if result.outcome == "passed" or shown[result.outcome] > _LISTED[result.outcome]:
            continue
        terminal.write(result.outcome.upper(), **{_COLOURS[result.outcome]: True})
        terminal.write_line(safe(f" {result.shown} - {result.summary}"))
    for outcome, most in _LISTED.items():
        if shown[outcome] > most:
            terminal.write_line(f"… and {shown[outcome] - most} more {outcome}; all stand in the record")


def _write_judging(terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult]) -> None:
    for line in judging_lines(results):
        terminal.write_line(safe(line))


def judging_lines(results: Sequence[ScenarioResult]) -> list[str]:
    """Return what judges took in some runs, and which of them may not block there; nothing without any."""
    from redpen_evals.reports.subject import judging

    asked = judging(results)
    if not asked:
        return []
    calls = sum(len(result.calls) for result in asked)
    prompt = sum(result.prompt_tokens for result in asked)
    completion = sum(result.completion_tokens for result in asked)
    number = len(asked)
    mild = Counter(name for one in asked for name in _not_blocking(one))
    return [
        (
            f"judges: {calls:,} calls in {number:,} scenarios, {prompt:,} prompt and {completion:,} "
            "completion tokens as recorded"
        ),
        *(
            f"judge {name}: its findings are concerns in {times:,} of {number:,} scenarios: no record of "
            "--update-scorecard holds its gate there"
            for name, times in sorted(mild.items())
        ),
    ]


def _not_blocking(result: ScenarioResult) -> set[str]:
    trace = result.detail.get("trace")
    steps = [step for step in trace if isinstance(step, dict)] if isinstance(trace, list) else []
    return {str(step["judge"]) for step in steps if "judge" in step and not step.get("judge_may_block")}


def _recorded_warnings(results: Sequence[ScenarioResult]) -> list[str]:
    lines = [f"redpen: {one.shown}: {warning}" for one in results for warning in one.warnings]
    more = len(lines) - _WARNED
    return [*lines[:_WARNED], *([f"redpen: … and {more} more recordings to look at"] if more > 0 else [])]


def _write_live(
    terminal: pytest.TerminalReporter,
    results: Sequence[ScenarioResult],
    not_asked: Mapping[str, int],
    screen: Screen,
) -> None:
    from redpen_evals.live_figures import HEADER, live_figures

    figures = live_figures(results, not_asked)
    if figures:
        terminal.write_line("")
        rows = [one.cells for one in figures]
        _write_lines(terminal, table_lines(HEADER, rows, right=frozenset(range(1, 6)), screen=screen))


def _write_samples(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], samples: int, screen: Screen
) -> None:
    if samples == 1:
        return
    from redpen_evals.comparison import behaviour
    from redpen_evals.comparison.samples import sample_lines, summarise_samples

    terminal.write_sep("=", f"{samples} samples a scenario")
    summaries = summarise_samples({result.key: behaviour(result) for result in results})
    _write_lines(terminal, sample_lines(summaries, screen=screen))


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
            _write_text(terminal, f"redpen: {error}", red=True)
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


def _write_text(terminal: pytest.TerminalReporter, text: str, **markup: bool) -> None:
    # File names and contents are their author's own; line breaks are ours.
    for line in text.split("\n"):
        terminal.write_line(safe(line), **markup)
