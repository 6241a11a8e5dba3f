"""``redpen init`` and ``redpen new``: write a project's first scenario, and others from runs."""

from __future__ import annotations

from pathlib import Path

import click

from redpen.screen import shown
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK
from redpen_evals.commands.output import print_lines
from redpen_evals.commands.workspace import Workspace
from redpen_evals.scaffold.initialising import init_project
from redpen_evals.scaffold.new_scenario import read_input, write_scenario


@click.command()
@click.pass_obj
def init(workspace: Workspace) -> None:
    """Write a first scenario, with an example agent, a test, pytest settings and a CI workflow.

    Works in an empty folder and in an existing project. Nothing is overwritten: existing files are
    listed. Exit code: 0 written, 2 a file cannot be written.
    """
    if workspace != Workspace():
        raise click.UsageError("init takes the folders from the pytest settings: set them there first")
    print_lines(map(shown, init_project(Path.cwd())))


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
    help="YAML or JSON list of model replies; without it the agent's own model is called.",
)
@click.pass_obj
def new(
    workspace: Workspace,
    scenario_id: str,
    *,
    agent: str,
    context_name: str | None,
    inputs: tuple[str, ...],
    replies_file: Path | None,
) -> None:
    """Write a scenario from one run of an agent, which is recorded: SCENARIO is its id, folder/name.

    The answer becomes the expectation; review it. Exit code: 0 written, 1 written but
    a replay of it does not pass, 2 nothing was written.
    """
    lines, passes = write_scenario(
        scenario_id,
        agent=agent,
        context=context_name,
        arguments=read_input(inputs),
        replies=replies_file,
        layout=workspace.layout,
        project=workspace.project,
    )
    for line in lines:
        click.echo("\n".join(map(shown, line.split("\n"))))
    raise SystemExit(EXIT_OK if passes else EXIT_FAULTS)
