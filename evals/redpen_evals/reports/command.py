"""What ``redpen report`` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from redpen.screen import shown
from redpen_evals.comparison import (
    Behaviour,
    Comparison,
    Key,
    baseline_path,
    behaviour,
    compare,
    read_baseline,
)
from redpen_evals.prices import read_prices
from redpen_evals.records import Record, read_record
from redpen_evals.records.places import RunFolder
from redpen_evals.reports.writing import check_suffix, write_report
from redpen_evals.settings import Settings

DEFAULT_REPORT: Final = Path(".redpen/report.html")


def report_run(
    settings: Settings,
    name: str,
    files: Sequence[Path] = (),
    *,
    against: str | None = None,
    prices: Path | None = None,
) -> None:
    """Write reports of a run from its record and print where they are.

    Args:
        settings: where records and baselines lie.
        name: of the run, as ``RunFolder.find`` takes it.
        files: what to write; the suffix says the format. By default ``DEFAULT_REPORT``.
        against: name of a run to compare with; by default the baseline of the run's model, if there is one.
        prices: the price table; None for none.

    Raises:
        RedpenError: there is no such run, or a file cannot be read or written.
    """
    paths = files or (DEFAULT_REPORT,)
    for path in paths:
        check_suffix(path)
    runs = RunFolder(path=settings.runs)
    record = read_record(runs.find(name))
    previous = None if against is None else read_record(runs.find(against))
    before = _accepted(record, settings) if previous is None else _behaviours(previous)
    comparison = None if before is None else _compared(before, _behaviours(record), settings)
    table = None if prices is None else read_prices(prices)
    for warning in record.warnings:
        click.echo(f"redpen: {shown(warning)}", err=True)
    for path in paths:
        write_report(
            record,
            path,
            comparison=comparison,
            prices=table,
            previous=previous,
            layout=settings.layout,
            runs=runs,
        )
        click.echo(path)


def _behaviours(record: Record) -> dict[Key, Behaviour]:
    return {one.key: behaviour(one) for one in record.results}


def _accepted(record: Record, settings: Settings) -> dict[Key, Behaviour] | None:
    path = baseline_path(settings.baseline, record.start.model)
    return read_baseline(path) if path.is_file() else None


def _compared(
    before: Mapping[Key, Behaviour], after: Mapping[Key, Behaviour], settings: Settings
) -> Comparison:
    layout = settings.layout
    # What the run was not asked for is not gone; without a library nothing can be known to be.
    known = (
        set(layout.scenario_ids()) if layout.scenarios.is_dir() else {scenario for scenario, _, _ in before}
    )
    return compare({key: one for key, one in before.items() if key in after or key[0] not in known}, after)
