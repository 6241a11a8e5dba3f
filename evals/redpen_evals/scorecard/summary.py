"""The scorecard in the terminal summary, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.scorecard.gate import Update
from redpen_evals.scorecard.session import record


def write_scorecard(
    terminal: pytest.TerminalReporter,
    conclusions: Sequence[dict[str, Any]],
    *,
    thresholds: Path,
    update: Update | None,
) -> None:
    """Write the tables that the tests' reports carry, and record the figures if that is asked.

    Args:
        terminal: pytest's reporter.
        conclusions: what the reports carry.
        thresholds: the thresholds file.
        update: how to update it; None leaves it alone.
    """
    terminal.write_sep("=", "scorecard")
    for at, conclusion in enumerate(conclusions):
        for line in ["", *conclusion["lines"]] if at else conclusion["lines"]:
            terminal.write_line(line)
    if update is None:
        return
    if left_out := max(conclusion.get("left_out", 0) for conclusion in conclusions):
        terminal.write_line(f"not recorded: {left_out} draft files are left out", red=True)
        return
    try:
        changed = record(thresholds, conclusions, update)
    except (ConfigurationError, OSError) as error:
        terminal.write_line(f"not recorded: {error}", red=True)
        return
    terminal.write_line(f"{'recorded in' if changed else 'nothing to record in'} {thresholds}")
