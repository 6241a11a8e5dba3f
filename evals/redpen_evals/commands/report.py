"""``redpen report``: reports of a run, from its record."""

from __future__ import annotations

from pathlib import Path

import click

from redpen_evals.commands.usage import project_of, settings_of, usage_errors


@click.command()
@click.argument("run_name", metavar="[RUN]", default="last")
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="What to write: .html, .md or .json (repeatable).  [default: .redpen/report.html]",
)
@click.option("--against", metavar="RUN", help="Compare with this run, in place of the baseline.")
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Price table, for the cost of recordings.  [default: redpen_prices of the settings, or prices.toml]",
)
@click.pass_context
@usage_errors
def report(
    context: click.Context,
    run_name: str,
    *,
    files: tuple[Path, ...],
    against: str | None,
    prices: Path | None,
) -> None:
    """Write reports of a run: a page, a comment for a pull request, a document for programs.

    RUN is a run record: a file, an id, `last` (the default), `last-1` … Prints the files that were written.

    Exit code: 0 written, 2 usage or a file that cannot be used.
    """
    from redpen_evals.reports.command import report_run

    table = prices or project_of(context).path("redpen_prices")
    report_run(settings_of(context), run_name, files, against=against, prices=table)
