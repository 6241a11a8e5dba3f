"""``redpen compare`` and ``redpen baseline``: runs against one another, and what is accepted of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from redpen_evals.commands.usage import pass_settings, settings_of, usage_errors
from redpen_evals.settings import Settings

if TYPE_CHECKING:
    from redpen_evals.comparison.accepting import AcceptedClass


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--all", "with_all", is_flag=True, help="List the same ones too, and all of the others.")
@pass_settings
@usage_errors
def compare(settings: Settings, a: str, b: str, *, as_json: bool, markdown: bool, with_all: bool) -> None:
    """Compare two runs, variants or models scenario by scenario: what changed from A to B.

    A and B are each a run record (a file, an id, `last`, `last-1` …), `baseline`, or a baseline file. With
    @LABEL behind it, as in last@critique=v2, one variant of that; with @ alone its base.

    Exit code: 0 nothing regressed, 1 something did, 2 usage or a file that cannot be used.
    """
    from redpen_evals.comparison.command import compare_sides

    if as_json and markdown:
        raise click.UsageError("--json or --markdown, not both")
    raise SystemExit(compare_sides(settings, a, b, as_json=as_json, markdown=markdown, with_all=with_all))


@click.group("baseline", invoke_without_command=True)
@click.pass_context
@usage_errors
def accepted_outcomes(context: click.Context) -> None:
    """Count the accepted outcomes that runs are compared with."""
    if context.invoked_subcommand is not None:
        return
    from redpen_evals.comparison.command import count_accepted

    count_accepted(settings_of(context))


@accepted_outcomes.command("accept")
@click.argument("names", metavar="[RUN] [ID]...", nargs=-1)
@click.option(
    "--only",
    type=click.Choice(["changed", "behaviour", "wording", "cost", "improved", "regressed", "new"]),
    multiple=True,
    help="Accept this class alone (repeatable); behaviour, wording and cost are the parts of changed.",
)
@click.option("--failing", is_flag=True, help="Accept failed results too.")
@click.option("--prune", is_flag=True, help="Drop outcomes of scenarios that are gone from the library.")
@click.option("--all", "with_all", is_flag=True, help="List all ids.")
@pass_settings
@usage_errors
def accept_outcomes(
    settings: Settings,
    names: tuple[str, ...],
    *,
    only: tuple[AcceptedClass, ...],
    failing: bool,
    prune: bool,
    with_all: bool,
) -> None:
    """Accept the outcomes of a run, by default of the last, all of them or those of the IDs.

    An ID is a scenario or one of its results, such as 'reflection/escalate [critique=v2]'. What the run did
    not run stays as it was accepted.
    """
    from redpen_evals.comparison.command import accept_run

    accept_run(settings, names, only=only, failing=failing, prune=prune, with_all=with_all)


@accepted_outcomes.command("show")
@click.argument("name", metavar="ID")
@pass_settings
@usage_errors
def show_outcome(settings: Settings, name: str) -> None:
    """Show what is accepted of a scenario."""
    from redpen_evals.comparison.command import show_accepted

    show_accepted(settings, name)
