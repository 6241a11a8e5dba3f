"""``redpen init`` and ``redpen new``: a project's first scenario, and further ones from runs."""

from __future__ import annotations

from pathlib import Path

import click

from redpen.screen import shown
from redpen_evals.commands.usage import EXIT_FAULTS, project_of, settings_of, usage_errors
from redpen_evals.settings import GivenFolders


@click.command()
@click.pass_obj
@usage_errors
def init(folders: GivenFolders) -> None:
    """Write a first scenario, with an example agent, a test, pytest settings and a CI workflow.

    Works in an empty folder and in an existing project. Nothing is overwritten: what is there is kept and
    named. Exit code: 0 written, 2 a file cannot be written.
    """
    from redpen_evals.scaffold.initialising import init_project

    if folders != GivenFolders():
        raise click.UsageError("init takes the folders from the pytest settings: name them there first")
    for line in init_project(Path.cwd()):
        click.echo(shown(line))


@click.command()
@click.argument("scenario_id", metavar="SCENARIO")
@click.option("--agent", required=True, metavar="NAME", help="module:callable, or a short name.")
@click.option("--context", "context_name", metavar="NAME", help="A file of the library's contexts/.")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="KEY=TEXT|JSON",
    help="An argument of the agent, or a JSON object of them (repeatable).",
)
@click.option(
    "--replies",
    "replies_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="YAML or JSON list of what the model answers; without it the agent's own model is asked.",
)
@click.pass_context
@usage_errors
def new(
    context: click.Context,
    scenario_id: str,
    *,
    agent: str,
    context_name: str | None,
    inputs: tuple[str, ...],
    replies_file: Path | None,
) -> None:
    """Write a scenario from one run of an agent, which is recorded: SCENARIO is its id, folder/name.

    What the run answered becomes its expectation, to be read and kept. Exit code: 0 written, 1 written but
    a replay of it does not pass, 2 nothing was written.
    """
    from redpen_evals.scaffold.new_scenario import NewScenario, read_input, write_scenario

    asked = NewScenario(
        id=scenario_id,
        agent=agent,
        context=context_name,
        input=read_input(inputs),
        replies=replies_file,
    )
    written = write_scenario(asked, settings_of(context).layout, project_of(context))
    for line in written.lines:
        click.echo("\n".join(map(shown, line.split("\n"))))
    raise SystemExit(0 if written.passes else EXIT_FAULTS)
