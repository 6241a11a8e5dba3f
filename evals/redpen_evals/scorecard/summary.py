"""The scorecard in the terminal summary, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.judges.recording import record_reached
from redpen_evals.scorecard.gate import Update, from_json
from redpen_evals.scorecard.render import render_brief
from redpen_evals.scorecard.session import record
from redpen_evals.terminal import screen_of_session


def write_scorecard(
    terminal: pytest.TerminalReporter,
    conclusions: Sequence[dict[str, Any]],
    *,
    thresholds: Path,
    judges: Path,
    update: Update | None,
    in_full: bool,
) -> None:
    """Write the tables that the tests' reports carry, and record the figures if that is asked.

    Args:
        terminal: pytest's reporter.
        conclusions: what the reports carry.
        thresholds: the thresholds file.
        judges: folder of what judges reached.
        update: how to update it; None leaves it alone.
        in_full: whether to write all tables; else a line a guard set.
    """
    terminal.write_sep("=", "scorecard")
    if in_full:
        for at, conclusion in enumerate(conclusions):
            for line in ["", *conclusion["lines"]] if at else conclusion["lines"]:
                terminal.write_line(line)
    else:
        reached = [from_json(one) for conclusion in conclusions for one in conclusion["measured"]]
        notes = [note for conclusion in conclusions for note in conclusion.get("notes", ())]
        for line in (*render_brief(reached, screen=screen_of_session(terminal)), *dict.fromkeys(notes)):
            terminal.write_line(line)
    if update is None:
        return
    if left_out := max(conclusion.get("left_out", 0) for conclusion in conclusions):
        terminal.write_line(f"not recorded: {left_out} draft files are left out", red=True)
        return
    try:
        changed = record(thresholds, conclusions, update)
        asked = [one for conclusion in conclusions for one in conclusion.get("judges", ())]
        written = record_reached(judges, asked)
    except (ConfigurationError, OSError) as error:
        terminal.write_line(f"not recorded: {error}", red=True)
        return
    for path in written:
        terminal.write_line(f"recorded in {path}")
    terminal.write_line(f"{'recorded in' if changed else 'nothing to record in'} {thresholds}")
