"""The terminal summary of the scenarios: counts by agent, then one line for each that did not pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from redpen_evals.outcome import OUTCOMES, Outcome, Verdict

_COLOURS: dict[Outcome, str] = {"passed": "green", "failed": "red", "stale": "yellow", "errored": "red"}
_AGENT = "agent"
_EXPLAINED = 10


def write_summary(terminal: pytest.TerminalReporter, verdicts: Sequence[Verdict]) -> None:
    """Write the summary.

    Args:
        terminal: pytest's reporter.
        verdicts: of all scenarios that ran, sorted by id.
    """
    explained = [verdict for verdict in verdicts if verdict.outcome in {"stale", "errored"}]
    if explained:
        terminal.write_sep("=", "STALE AND ERRORED SCENARIOS")
        for verdict in explained[:_EXPLAINED]:
            terminal.write_line(verdict.text)
            terminal.write_line("")
        if len(explained) > _EXPLAINED:
            # One change to a prompt makes every scenario that asks with it stale, all for one reason.
            terminal.write_line(f"… and {len(explained) - _EXPLAINED} more, listed below")
            terminal.write_line("  to record all that is stale: pytest --record=stale")
            terminal.write_line("")
    terminal.write_sep("=", "scenarios")
    for line in table(verdicts):
        terminal.write_line(line)
    for verdict in verdicts:
        if verdict.outcome != "passed":
            terminal.write(verdict.outcome.upper(), **{_COLOURS[verdict.outcome]: True})
            terminal.write_line(f" {verdict.scenario} - {verdict.summary}")


def table(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the counts of the four outcomes by agent as aligned lines."""
    counts = Counter((verdict.agent, verdict.outcome) for verdict in verdicts)
    agents = sorted({verdict.agent for verdict in verdicts})
    rows: list[list[object]] = [
        [agent, *(counts[agent, outcome] for outcome in OUTCOMES)] for agent in agents
    ]
    if len(agents) > 1:
        rows.append(["all", *(sum(counts[agent, outcome] for agent in agents) for outcome in OUTCOMES)])
    widths = [max(len(_AGENT), *(len(str(row[0])) for row in rows)), *(len(outcome) for outcome in OUTCOMES)]
    return [_line([_AGENT, *OUTCOMES], widths), *(_line(row, widths) for row in rows)]


def _line(cells: Sequence[object], widths: Sequence[int]) -> str:
    name, *numbers = (str(cell) for cell in cells)
    return "  ".join(
        (
            name.ljust(widths[0]),
            *(number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)),
        )
    )
