"""``redpen reliability``: campaigns of real faults against Redpen itself, counted."""

from __future__ import annotations

from typing import get_args

import click

from redpen_evals.commands.usage import usage_errors
from redpen_evals.reliability.campaigns import CAMPAIGNS, Size


@click.command()
@click.argument("names", metavar="[CAMPAIGN]...", nargs=-1)
@click.option(
    "--size",
    type=click.Choice(get_args(Size)),
    default="quick",
    show_default=True,
    help="How thoroughly: minutes, or most of an hour.",
)
@usage_errors
def reliability(names: tuple[str, ...], size: Size) -> None:
    """Inject real faults (killed processes, full disks, hostile files …) and count what survives.

    Prints a Markdown table, and what did not hold below it. CAMPAIGN is one or more of the names that
    `redpen reliability list` prints; without one all are run.

    Exit code: 0 everything held, 1 something did not, 2 usage.
    """
    known = [campaign.name for campaign in CAMPAIGNS]
    if names == ("list",):
        click.echo("\n".join(known))
        return
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"no campaign {unknown[0]!r}; there is {', '.join(known)}")
    from redpen_evals.reliability.command import run

    raise SystemExit(run(names, size))
