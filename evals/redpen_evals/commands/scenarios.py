"""``redpen scenarios``: list and check the scenario library."""

from __future__ import annotations

import sys

import click

from redpen.errors import ConfigurationError
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK
from redpen_evals.commands.output import print_lines
from redpen_evals.commands.workspace import Workspace
from redpen_evals.scenario_library.drafts import check_drafts, draft_files
from redpen_evals.scenario_library.listing import list_scenarios, orphaned_cassettes, unread_places
from redpen_evals.scenario_library.loading import check_library
from redpen_evals.scenario_library.personal_data import personal_data_warnings
from redpen_evals.scenario_library.schema import write_schemas
from redpen_evals.terminal import screen_of


@click.group(invoke_without_command=True)
@click.option("--agent", metavar="NAME", help="Only this agent, named as in its scenarios.")
@click.option("--tag", metavar="TAG", help="Only this tag.")
@click.pass_context
def scenarios(context: click.Context, agent: str | None, tag: str | None) -> None:
    """List the scenarios with agent, tags and expectation."""
    if context.invoked_subcommand is not None:
        return
    screen = screen_of(sys.stdout)
    print_lines(list_scenarios(context.obj.layout, agent=agent, tag=tag, screen=screen))


@scenarios.command()
@click.pass_obj
def check(workspace: Workspace) -> None:
    """Validate every file of the library, list unused files, and warn of personal data.

    Exit code: 0 no faults, 1 faults.
    """
    layout, packs = workspace.layout, workspace.project.packs
    faults = [str(problem) for problem in (*check_library(layout, packs), *check_drafts(layout))]
    faults += [
        f"{path}:1: no scenario uses it; redpen cassettes prune" for path in orphaned_cassettes(layout)
    ]
    unread = unread_places(layout)
    faults += [str(place) for place in unread if place.is_fault]
    warnings = [str(warning) for warning in personal_data_warnings(layout)]
    warnings += [str(place) for place in unread if not place.is_fault]
    print_lines((*faults, *warnings))
    scenarios, drafts = len(layout.scenario_ids()), len(draft_files(layout))
    warned = f", {len(warnings)} warnings" if warnings else ""
    click.echo(f"{scenarios} scenarios, {drafts} files of drafts, {len(faults)} faults{warned}", err=True)
    raise SystemExit(EXIT_FAULTS if faults else EXIT_OK)


@scenarios.command()
@click.pass_obj
def schema(workspace: Workspace) -> None:
    """Write the JSON Schemas with which editors validate the library's files."""
    layout = workspace.layout
    if not layout.scenarios.is_dir():
        raise ConfigurationError(f"{layout.scenarios}: there is no such folder; `redpen init` creates one")
    print_lines(map(str, write_schemas(layout.scenarios)))
