"""The terminal summary of the scenarios: counts by agent, failures, stale recordings, changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from redpen.screen import shown as safe
from redpen.text.json_values import objects
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.records.model import ScenarioResult, canned_note, policy_note
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen, screen_of_session

if TYPE_CHECKING:
    from redpen_evals.comparison.changes import Comparison
    from redpen_evals.options import Options

_COLOURS: dict[Outcome, str] = {"passed": "green", "failed": "red", "stale": "yellow", "errored": "red"}
_MAX_WARNINGS = 5
_AGENT = "agent"
_MAX_LISTED: dict[Outcome, int] = {"failed": 100, "stale": 5, "errored": 100}
_MAX_DETAILED, _MAX_DETAILED_VERBOSE = 1, 20


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
    """Write the summary of a session's sorted results, and of their comparison with the baseline, if any.

    Notes are further messages, problems are errors of the harness, and warnings affect no result. `not_asked`
    is the number of scenarios skipped since they require nothing of a live model, by agent.
    """
    if results:
        screen = screen_of_session(terminal)
        terminal.write_sep("=", "scenarios")
        _write_lines(terminal, table(results, screen=screen))
        _write_live(terminal, results, not_asked or {}, screen)
        _write_not_passed(terminal, results)
        for message in filter(None, (canned_note(results), policy_note(results))):
            _write_text(terminal, message)
        _write_details(terminal, results, with_all=terminal.verbosity > 0)
        _write_lines(terminal, [safe(line) for line in judging_lines(results)])
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
    counts = Counter((result.agent_shown, result.outcome) for result in results)
    groups = sorted({result.agent_shown for result in results})
    present = {result.outcome for result in results} | {"passed"}
    shown = [outcome for outcome in OUTCOMES if outcome in present]
    rows = [[group, *(str(counts[group, outcome]) for outcome in shown)] for group in groups]
    if len(groups) > 1:
        rows.append(["all", *(str(sum(counts[group, outcome] for group in groups)) for outcome in shown)])
    return table_lines([_AGENT, *shown], rows, right=frozenset(range(1, len(shown) + 1)), screen=screen)


def _write_details(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], *, with_all: bool
) -> None:
    for outcome in ("errored", "stale"):
        matching = [result for result in results if result.outcome == outcome]
        most = _MAX_DETAILED_VERBOSE if with_all else _MAX_DETAILED
        if not matching:
            continue
        # One change to a prompt makes every scenario that uses it stale, all for one reason.
        rest = len(matching) - most
        terminal.write_sep("=", f"{outcome.upper()} IN DETAIL")
        for result in matching[:most]:
            _write_lines(terminal, [safe(line) for line in result.text.splitlines()])
            terminal.write_line("")
        if rest > 0:
            how = "; the record lists all" if with_all else f"; -v shows {_MAX_DETAILED_VERBOSE}"
            terminal.write_line(f"… and {rest} more {outcome}{how}")


def _write_not_passed(terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult]) -> None:
    shown = Counter[Outcome]()
    for result in results:
        shown[result.outcome] += 1
        # Stale results are grouped by cause below; a long list would hide the rest.
        if result.outcome == "passed" or shown[result.outcome] > _MAX_LISTED[result.outcome]:
            continue
        terminal.write(result.outcome.upper(), **{_COLOURS[result.outcome]: True})
        terminal.write_line(safe(f" {result.shown} - {result.summary}"))
    for outcome, most in _MAX_LISTED.items():
        if shown[outcome] > most:
            terminal.write_line(f"… and {shown[outcome] - most} more {outcome}; the record lists all")


def judging_lines(results: Sequence[ScenarioResult]) -> list[str]:
    """Return the calls and tokens of judges, and which judges may not block; no lines without judges."""
    from redpen_evals.reports.subject import judging

    judged = judging(results)
    if not judged:
        return []
    calls = sum(len(result.calls) for result in judged)
    prompt = sum(result.prompt_tokens for result in judged)
    completion = sum(result.completion_tokens for result in judged)
    number = len(judged)
    advisory = Counter(name for result in judged for name in _not_blocking(result))
    return [
        (
            f"judges: {calls:,} calls in {number:,} scenarios, {prompt:,} prompt and {completion:,} "
            "completion tokens as recorded"
        ),
        *(
            f"judge {name}: its findings are concerns in {times:,} of {number:,} scenarios: no record of "
            "--update-scorecard holds its gate there"
            for name, times in sorted(advisory.items())
        ),
    ]


def _not_blocking(result: ScenarioResult) -> set[str]:
    steps = objects(result.detail.get("trace"))
    return {str(step["judge"]) for step in steps if "judge" in step and not step.get("judge_may_block")}


def _recorded_warnings(results: Sequence[ScenarioResult]) -> list[str]:
    lines = [f"redpen: {result.shown}: {warning}" for result in results for warning in result.warnings]
    if (more := len(lines) - _MAX_WARNINGS) > 0:
        lines[_MAX_WARNINGS:] = [f"redpen: … and {more} more recordings to look at"]
    return lines


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
        rows = [row.cells for row in figures]
        _write_lines(terminal, table_lines(HEADER, rows, right=frozenset(range(1, 6)), screen=screen))


def _write_samples(
    terminal: pytest.TerminalReporter, results: Sequence[ScenarioResult], samples: int, screen: Screen
) -> None:
    if samples == 1:
        return
    from redpen_evals.comparison.changes import behaviours
    from redpen_evals.comparison.samples import sample_lines, summarise_samples

    terminal.write_sep("=", f"{samples} samples a scenario")
    summaries = summarise_samples(behaviours(results))
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
    from redpen_evals.stale.report import stale_lines

    try:
        prices = options.prices()
    except ConfigurationError as error:
        if str(error) not in problems:
            _write_text(terminal, f"redpen: {error}", red=True)
        prices = Prices()
    terminal.write_sep("=", "what is stale")
    _write_lines(terminal, stale_lines(results, model=options["--model"], prices=prices))


def _write_comparison(terminal: pytest.TerminalReporter, comparison: Comparison) -> None:
    from redpen_evals.comparison.rows import summary_lines

    # Stale and errored results are listed above and cannot be compared: here they are only counted.
    undecided = comparison.counts["undecided"]
    decided = tuple(change for change in comparison.changes if change.kind != "undecided")
    terminal.write_sep("=", "compared with the baseline")
    _write_lines(terminal, summary_lines(replace(comparison, changes=decided)))
    if undecided:
        terminal.write_line(f"not compared {undecided} (stale or errored)", yellow=True)


def _write_lines(terminal: pytest.TerminalReporter, lines: Sequence[str]) -> None:
    for line in lines:
        terminal.write_line(line)


def _write_text(terminal: pytest.TerminalReporter, text: str, **markup: bool) -> None:
    # File names and contents may hold control characters; only line breaks are ours.
    for line in text.split("\n"):
        terminal.write_line(safe(line), **markup)
