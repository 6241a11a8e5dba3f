"""``redpen cassettes``: list, show, check, prune and rewrite recordings."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from redpen.errors import ConfigurationError
from redpen.screen import counted, shown, shows_colour
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import list_locations, load, rewrite, settle
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK
from redpen_evals.commands.options import AS_JSON
from redpen_evals.commands.output import print_json, print_line, print_lines
from redpen_evals.commands.workspace import Workspace
from redpen_evals.errors import CassetteError
from redpen_evals.folders import walk
from redpen_evals.maintenance import inventory as recorded
from redpen_evals.maintenance.checking import check_cassettes
from redpen_evals.maintenance.listing import cassette_values, conversation, list_lines, list_values, size_text
from redpen_evals.maintenance.pruning import carry_out, plan_removal, recording_cost
from redpen_evals.prices import Prices
from redpen_evals.scenario_library.listing import agents_by_scenario, check_agent
from redpen_evals.terminal import screen_of
from redpen_evals.versions import installed_versions


@click.group("cassettes", invoke_without_command=True)
@click.option("--model", metavar="NAME", help="Only this model.")
@click.option("--agent", metavar="NAME", help="Only this agent, named as in its scenarios.")
@AS_JSON
@click.pass_context
def recordings(context: click.Context, model: str | None, agent: str | None, *, as_json: bool) -> None:
    """List the cassettes with model, calls, size, age and the releases that recorded them."""
    if context.invoked_subcommand is not None:
        return
    layout = context.obj.layout
    locations = list_locations(layout.cassettes)
    models = {location.model for location in locations}
    if model is not None and model not in models:
        hint = suggestion(model, models)
        raise ConfigurationError(f"{layout.cassettes}: no cassettes of model {model!r}{hint}")
    agents = agents_by_scenario(layout) if agent is not None else {}
    if agent is not None:
        check_agent(agent, layout, (recorded.agent_of(location, agents) for location in locations))
    entries = recorded.read_entries(layout.cassettes, model=model, agent=agent, agents=agents)
    now = datetime.now(UTC)
    if as_json:
        print_json(list_values(entries, now=now))
    else:
        print_lines(list_lines(entries, now=now, screen=screen_of(sys.stdout)))


@recordings.command("check")
@click.option(
    "--replay", is_flag=True, help="Also replay each, and report recorded calls that runs no longer make."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for notes too.")
@AS_JSON
@click.pass_obj
def check_recordings(workspace: Workspace, *, replay: bool, strict: bool, as_json: bool) -> None:
    """Find cassettes that are unused, damaged, edited or misplaced, or that hold a key or an error.

    Exit code: 0 no faults (there may be notes), 1 faults (with --strict notes too), 2 usage.
    """
    layout, project = workspace.layout, workspace.project
    if not layout.cassettes.is_dir():
        hint = "set it with `redpen --cassettes DIR`, or record with `pytest --record=missing`"
        raise ConfigurationError(f"{layout.cassettes}: no such folder; {hint}")
    inventory = recorded.read_inventory(layout.cassettes)
    findings = check_cassettes(
        inventory,
        layout,
        project,
        installed=installed_versions(),
        live_key=os.environ.get("OPENAI_API_KEY", "").strip() or None,
        replay=replay,
    )
    faults = sum(not fault.is_note for fault in findings)
    if as_json:
        print_json({"cassettes": len(inventory.entries), "findings": [fault.to_dict() for fault in findings]})
    else:
        print_lines(fault.line for fault in findings)
        counts = ((len(inventory.entries), "cassette"), (faults, "fault"), (len(findings) - faults, "note"))
        click.echo(", ".join(counted(count, noun) for count, noun in counts), err=True)
    raise SystemExit(EXIT_FAULTS if faults or (strict and findings) else EXIT_OK)


@recordings.command("show")
@click.argument("scenario_id", metavar="ID")
@click.option(
    "--model", metavar="NAME", default="scripted", show_default=True, help="Model of the recording."
)
@click.option("--variant", metavar="LABEL", default="", help="Variant, such as critique=v2.")
@click.option(
    "--sample", type=click.IntRange(min=1), default=1, show_default=True, help="Number of the sample."
)
@click.option("--full", is_flag=True, help="Show system prompts in full.")
@AS_JSON
@click.pass_obj
def show_recording(
    workspace: Workspace,
    scenario_id: str,
    *,
    model: str,
    variant: str,
    sample: int,
    full: bool,
    as_json: bool,
) -> None:
    """Show the recorded calls of a scenario as a conversation."""
    root = workspace.layout.cassettes
    location = recorded.find_cassette(root, scenario_id, model=model, variant=variant, sample=sample)
    cassette = load(location)
    if as_json:
        print_json({"path": str(location.path), **cassette_values(cassette)})
    else:
        name = recorded.name_of(location)
        print_lines(conversation(cassette, name, full=full, colour=shows_colour(sys.stdout)))


@recordings.command("prune")
@click.option("--yes", "remove", is_flag=True, help="Remove the files; without it they are only listed.")
@click.option(
    "--live", is_flag=True, help="Include recordings of live models, which cost money to record again."
)
@click.pass_obj
def prune_recordings(workspace: Workspace, *, remove: bool, live: bool) -> None:
    """List or remove cassettes that no scenario needs: orphaned, unused, redundant and temporary files.

    Recordings of a live model are kept without --live; the cost of recording them again is shown
    (prices: redpen_prices).

    Exit code: 0 done, 1 something could not be removed, 2 usage.
    """
    removal = plan_removal(workspace.layout, live=live)
    if removal.spared:
        _print_spared(removal.spared, workspace.project.prices())
    if not removal.faults and not removal.folders:
        click.echo("nothing to remove", err=True)
        return
    count = len(removal.live)
    among = f", {counted(count, 'live recording')} among them" if count else ""
    files, folders = counted(len(removal.faults), "file"), counted(len(removal.folders), "folder")
    what = f"{files} of {size_text(removal.size_bytes)}{among}, {folders}"
    if count:
        what += f" (to record them again: {recording_cost(removal.live, workspace.project.prices())})"
    if not remove:
        for fault in removal.faults:
            print_line(f"would remove {shown(str(fault.path))}: {fault.problem}")
        for folder in removal.folders:
            print_line(f"would remove {shown(str(folder))}: empty")
        option = " --live" if live else ""
        click.echo(f"{what}; to remove them: redpen cassettes prune{option} --yes", err=True)
        return
    kept = 0
    for path, problem in carry_out(removal):
        place = shown(str(path))
        print_line(f"kept {place}: {problem}" if problem else f"removed {place}")
        kept += bool(problem)
    click.echo(f"{what}; {kept} kept" if kept else what, err=True)
    raise SystemExit(EXIT_FAULTS if kept else EXIT_OK)


@recordings.command("rewrite")
@click.pass_obj
def rewrite_recordings(workspace: Workspace) -> None:
    """Write every cassette in this release's format: long prompts are stored once, in the folder _prompts.

    No answer changes, and no model is called. Exit code: 0 done, 1 a cassette cannot be loaded, 2 usage.
    """
    root = workspace.layout.cassettes
    locations = list_locations(root)
    before = _stored_bytes(root)
    changed = faults = 0
    for location in locations:
        try:
            changed += rewrite(location)
        except CassetteError as error:
            faults += 1
            print_line(shown(f"{error.path}: not changed: {error.problem}"))
    try:
        settle(root)
    except OSError as error:
        raise ConfigurationError(f"{root}: cannot be written: {error.strerror or error}") from error
    sizes = f"{size_text(before)} → {size_text(_stored_bytes(root))}"
    print_line(f"{changed:,} of {counted(len(locations), 'cassette')} rewritten, {sizes}")
    raise SystemExit(EXIT_FAULTS if faults else EXIT_OK)


def _print_spared(spared: Sequence[recorded.Entry], prices: Prices) -> None:
    for entry in spared:
        print_line(f"spared {shown(str(entry.path))}: a recording of a live model")
    click.echo(
        f"{counted(len(spared), 'live recording')} that no scenario needs; to record again: "
        f"{recording_cost(spared, prices)}; to remove such recordings too: redpen cassettes prune --live",
        err=True,
    )


def _stored_bytes(root: Path) -> int:
    return sum(path.stat().st_size for path, kind in walk(root) if kind == "file")
