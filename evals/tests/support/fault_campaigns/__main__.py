"""Run the campaigns of faults: ``PYTHONPATH=evals/tests/support python -m fault_campaigns --size full``."""

from __future__ import annotations

from typing import get_args

import click

from fault_campaigns.campaigns import CAMPAIGNS, Size, run_campaigns, table_row

_HEAD = ("| fault | claim | tried | survived |", "|---|---|---:|---:|")


@click.command()
@click.argument("names", metavar="[CAMPAIGN]...", nargs=-1)
@click.option("--size", type=click.Choice(get_args(Size)), default="quick", show_default=True)
def main(names: tuple[str, ...], size: Size) -> None:
    """Inject real faults (killed processes, full disks, hostile files …) and count what survives.

    Prints a Markdown table, and the violations below it. CAMPAIGN is one or more of the names that
    `list` prints; without one all are run. Size quick takes minutes, full most of an hour.

    Exit code: 0 all claims held, 1 one did not, 2 usage.
    """
    known = [campaign.name for campaign in CAMPAIGNS]
    if names == ("list",):
        click.echo("\n".join(known))
        return
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"no campaign {unknown[0]!r}; there is {', '.join(known)}")
    broken: list[str] = []
    click.echo("\n".join(_HEAD))
    for campaign, tally, seconds in run_campaigns(names, size):
        click.echo(table_row(tally))
        click.echo(f"{campaign.name}: {seconds:.1f} s", err=True)
        broken += [f"{campaign.name}: {line}" for line in tally.broken]
    for line in broken:
        click.echo(line)
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
