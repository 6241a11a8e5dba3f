"""``redpen resume``: resume a run that waited for a review."""

from __future__ import annotations

import click

from redpen.review import ReviewQueue
from redpen_evals.commands.output import warn
from redpen_evals.commands.review import with_queue
from redpen_evals.commands.run import CANNED_TOOLS, project_events
from redpen_evals.commands.workspace import Workspace


@click.command()
@click.argument("review_id", metavar="ID")
@click.option("--tools", "factory", metavar="MODULE:FACTORY", help="Creates the tools of the run.")
@click.option("--policy", "pack_name", metavar="NAME", help="Policy pack that the run was started with.")
@click.option("--events", "place", metavar="URL", help="Store events: jsonl:PATH or sqlite:///PATH.")
@with_queue
def resume(
    workspace: Workspace,
    queue: ReviewQueue,
    *,
    review_id: str,
    factory: str | None,
    pack_name: str | None,
    place: str | None,
) -> None:
    """Resume the run of a decided review, and print its result as JSON.

    Earlier answers come from its journal; a run that has ended prints its result again. Policy pack
    and prompts must be those that the run was started with.

    Exit code: 0 it published, 1 it stopped, waits for a review or is resumed elsewhere, 2 usage, or there is
    no such review, 11 what the run was started with has changed.
    """
    from redpen.agents.resume import resume_run
    from redpen.cli import as_json, exit_code
    from redpen_evals.reviewing.resources import run_resources

    requested = queue.get(review_id)
    events = project_events(workspace, place)
    with run_resources(
        workspace.project, requested, pack_name=pack_name, factory=factory, has_tools=True
    ) as resources:
        result = resume_run(queue, requested.id, events=events, **resources.resume_arguments).to_dict()
    if requested.agent == "guarded-policy" and "tools" not in requested.start.own:
        warn(CANNED_TOOLS)
    click.echo(as_json(result))
    raise SystemExit(exit_code(result))
