"""Running the campaigns from the command line, and showing what they come to."""

from __future__ import annotations

import sys

import click

from redpen_evals.reliability.campaigns import Size, run_campaigns, table_row

_HEAD = ("| fault | what has to hold | tried | survived |", "|---|---|---:|---:|")


def run(names: tuple[str, ...], size: Size) -> int:
    """Run campaigns, print the table as Markdown, and what did not hold below it.

    Args:
        names: which; empty for all.
        size: how thoroughly.

    Returns:
        0 if everything held, else 1.
    """
    broken: list[str] = []
    for line in _HEAD:
        click.echo(line)
    for campaign, tally, seconds in run_campaigns(names, size):
        click.echo(table_row(tally))
        click.echo(f"{campaign.name}: {seconds:.1f} s", err=True)
        sys.stdout.flush()
        broken += [f"{campaign.name}: {line}" for line in tally.broken]
    for line in broken:
        click.echo(line)
    return 1 if broken else 0
