"""``redpen cassettes``: the recordings, listed, shown, checked and pruned."""

from __future__ import annotations

from pathlib import Path

import click

from redpen_evals.commands.usage import pass_layout, project_of, settings_of, usage_errors
from redpen_evals.scenario_library.layout import Layout


@click.group("cassettes", invoke_without_command=True)
@click.option("--model", metavar="NAME", help="Only those of one model.")
@click.option("--agent", metavar="NAME", help="Only those of one agent, named as in its scenarios.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@usage_errors
def recordings(context: click.Context, model: str | None, agent: str | None, *, as_json: bool) -> None:
    """List the cassettes with model, calls, size, age and the releases that recorded them."""
    if context.invoked_subcommand is not None:
        return
    from redpen_evals.maintenance.command import list_all

    list_all(settings_of(context).layout, model=model, agent=agent, as_json=as_json)


@recordings.command("check")
@click.option("--replay", is_flag=True, help="Replay each too, and name calls that no run makes any more.")
@click.option(
    "--prompts",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of your own versions of the prompts, which variants may name, if not redpen_prompts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@usage_errors
def check_recordings(context: click.Context, *, replay: bool, prompts: Path | None, as_json: bool) -> None:
    """Find cassettes that nobody needs, that are damaged or misplaced, or that hold a key or an error.

    Exit code: 0 sound (notes may be left), 1 faults, 2 usage.
    """
    from redpen_evals.maintenance.command import check_all

    layout, project = settings_of(context).layout, project_of(context)
    code = check_all(layout, project, prompts=prompts or project.prompts, replay=replay, as_json=as_json)
    raise SystemExit(code)


@recordings.command("show")
@click.argument("scenario_id", metavar="ID")
@click.option("--model", metavar="NAME", default="scripted", show_default=True, help="Whose recording.")
@click.option("--variant", metavar="LABEL", default="", help="Variant, such as critique=v2.")
@click.option("--sample", type=click.IntRange(min=1), default=1, show_default=True, help="Which sample.")
@click.option("--full", is_flag=True, help="Show system prompts whole.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_layout
@usage_errors
def show_recording(
    layout: Layout, scenario_id: str, *, model: str, variant: str, sample: int, full: bool, as_json: bool
) -> None:
    """Show the recorded calls of a scenario as a conversation."""
    from redpen_evals.maintenance.command import show_one

    show_one(
        layout.cassettes,
        scenario_id,
        model=model,
        variant=variant,
        sample=sample,
        full=full,
        as_json=as_json,
    )


@recordings.command("prune")
@click.option("--yes", "remove", is_flag=True, help="Remove them; without it they are only named.")
@click.option("--live", is_flag=True, help="Recordings of live models too, which cost money to make again.")
@click.pass_context
@usage_errors
def prune_recordings(context: click.Context, *, remove: bool, live: bool) -> None:
    """Name or remove what no scenario can miss: orphaned, unused, redundant and temporary files.

    Recordings of a live model are spared without --live; what it would cost to make them again is said
    (prices: redpen_prices).

    Exit code: 0 done, 1 something could not be removed, 2 usage.
    """
    from redpen_evals.maintenance.command import prune

    layout, prices = settings_of(context).layout, project_of(context).path("redpen_prices")
    raise SystemExit(prune(layout, prices, remove=remove, live=live))


@recordings.command("rewrite")
@pass_layout
@usage_errors
def rewrite_recordings(layout: Layout) -> None:
    """Write every cassette as this release does: long prompts stand once, in _prompts beside the cassettes.

    No answer changes, and no model is asked. Exit code: 0 done, 1 a cassette could not be used, 2 usage.
    """
    from redpen_evals.maintenance.command import rewrite_all

    raise SystemExit(rewrite_all(layout))
