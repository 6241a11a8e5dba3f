"""``redpen report``: write reports of a run from its record."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from redpen_evals.commands.output import warn
from redpen_evals.commands.workspace import Workspace
from redpen_evals.comparison.baseline import baseline_path, read_baseline
from redpen_evals.comparison.changes import Behaviour, Key, behaviours, compare_run
from redpen_evals.comparison.existing import gone_ids
from redpen_evals.records import read_record
from redpen_evals.reports import Subject, check_suffix, write_report

DEFAULT_REPORT: Final = Path(".redpen/report.html")


@click.command()
@click.argument("run_name", metavar="[RUN]", default="last")
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="File to write: .html, .md or .json (repeatable).  [default: .redpen/report.html]",
)
@click.option("--against", metavar="RUN", help="Compare with this run instead of the baseline.")
@click.pass_obj
def report(workspace: Workspace, run_name: str, *, files: tuple[Path, ...], against: str | None) -> None:
    """Write reports of a run: an HTML page, Markdown for a pull request, or JSON.

    RUN is a run record: a file, an id, `last` (the default), `last-1` … Prints the files that were written.

    Exit code: 0 written, 2 usage error or unusable file.
    """
    paths = files or (DEFAULT_REPORT,)
    for path in paths:
        check_suffix(path)
    runs, layout = workspace.records, workspace.layout
    record = read_record(runs.find(run_name))
    previous = None if against is None else read_record(runs.find(against))
    accepted = baseline_path(workspace.baselines, record.start.model)
    before: dict[Key, Behaviour] | None = None
    if previous is not None:
        before = behaviours(previous.results)
    elif accepted.is_file():
        before = read_baseline(accepted)
    comparison = None
    if before is not None:
        lacking = record.end.gone if record.end is not None else ()
        ids = {key[0] for key in before}
        gone = gone_ids(ids, layout=layout, root=workspace.project.root, lacking=lacking)
        comparison = compare_run(before, behaviours(record.results), gone)
    prices = workspace.project.prices()
    subject = Subject(
        record, comparison=comparison, prices=prices, previous=previous, layout=layout, runs=runs
    )
    for warning in record.warnings:
        warn(warning)
    for path in paths:
        write_report(subject, path)
        click.echo(path)
