"""What the commands ``redpen cassettes …`` print."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from redpen.errors import ConfigurationError
from redpen.screen import fit, json_text, shown, shows_colour
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import list_locations, load, rewrite, settle
from redpen_evals.errors import CassetteError
from redpen_evals.folders import walk
from redpen_evals.maintenance.checking import check_cassettes
from redpen_evals.maintenance.conversation import conversation
from redpen_evals.maintenance.listing import cassette_values, list_lines, list_values, size_text
from redpen_evals.maintenance.pruning import carry_out, plan_removal
from redpen_evals.maintenance.remaking import remaking_cost
from redpen_evals.maintenance.stock import Entry, agent_of, find_cassette, name_of, read_entries, read_stock
from redpen_evals.prices import Prices, read_prices
from redpen_evals.project import Project
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.listing import agents_by_scenario, check_agent
from redpen_evals.terminal import screen_of
from redpen_evals.versions import installed_versions

EXIT_SOUND, EXIT_FAULTS = 0, 1
_KEY = "OPENAI_API_KEY"


def list_all(layout: Layout, *, model: str | None, agent: str | None, as_json: bool) -> None:
    """Print the cassettes of a folder.

    Args:
        layout: the library.
        model: only those of this model.
        agent: only those of this agent.
        as_json: whether to print JSON.

    Raises:
        ConfigurationError: there is no cassette of that model, or no such agent.
    """
    root = layout.cassettes
    locations = list_locations(root)
    models = {location.model for location in locations}
    if model is not None and model not in models:
        raise ConfigurationError(f"{root}: no cassettes of model {model!r}{suggestion(model, models)}")
    agents = agents_by_scenario(layout) if agent is not None else {}
    if agent is not None:
        check_agent(agent, layout, (agent_of(location, agents) for location in locations))
    entries = read_entries(root, model=model, agent=agent, agents=agents)
    now = datetime.datetime.now(datetime.UTC)
    if as_json:
        _print_json(list_values(entries, now=now))
    else:
        screen = screen_of(sys.stdout)
        for line in list_lines(entries, now=now, screen=screen):
            _print(line, colour=screen.colour)


def check_all(layout: Layout, project: Project, *, prompts: Path | None, replay: bool, as_json: bool) -> int:
    """Print what is wrong with the cassettes of a library, and return the exit code.

    Args:
        layout: the library.
        project: what it belongs to.
        prompts: folder of the user's own prompts, which variants may name.
        replay: whether to replay every cassette too.
        as_json: whether to print JSON.

    Raises:
        ConfigurationError: there is no library, it holds no scenario, or there is no folder of cassettes.
    """
    if not layout.cassettes.is_dir():
        said = "name it with `redpen --cassettes DIR`, or record with `pytest --record=missing`"
        raise ConfigurationError(f"{layout.cassettes}: no such folder; {said}")
    stock = read_stock(layout.cassettes)
    found = check_cassettes(
        stock,
        layout,
        installed=installed_versions(),
        live_key=os.environ.get(_KEY, "").strip() or None,
        prompts=prompts,
        packs=project.packs,
        project=project if replay else None,
    )
    faults = sum(not fault.is_note for fault in found)
    if as_json:
        _print_json({"cassettes": len(stock.entries), "findings": [fault.to_dict() for fault in found]})
    else:
        for fault in found:
            _print(fault.line)
        counts = ((len(stock.entries), "cassette"), (faults, "fault"), (len(found) - faults, "note"))
        click.echo(", ".join(_number(count, noun) for count, noun in counts), err=True)
    return EXIT_FAULTS if faults else EXIT_SOUND


def show_one(
    root: Path, scenario: str, *, model: str, variant: str, sample: int, full: bool, as_json: bool
) -> None:
    """Print a cassette as a conversation.

    Args:
        root: the folder of all cassettes.
        scenario: scenario id.
        model: whose recording.
        variant: label of the variant; empty for the base.
        sample: number of the independent answer, from 1.
        full: whether to print system prompts whole.
        as_json: whether to print JSON.

    Raises:
        ConfigurationError: there is no such cassette.
        CassetteError: it cannot be used.
    """
    location = find_cassette(root, scenario, model=model, variant=variant, sample=sample)
    cassette = load(location)
    if as_json:
        _print_json({"path": str(location.path), **cassette_values(cassette)})
        return
    colour = shows_colour(sys.stdout)
    for line in conversation(cassette, name_of(location), full=full, colour=colour):
        _print(line, colour=colour)


def prune(layout: Layout, prices: Path, *, remove: bool, live: bool) -> int:
    """Print what nobody needs, remove it if asked to, and return the exit code.

    Args:
        layout: the library.
        prices: the price table, for what recordings of live models cost.
        live: whether recordings of live models may go too.
        remove: whether to remove it; else it is only named.

    Raises:
        ConfigurationError: there is no library, or it holds no scenario.
    """
    removal = plan_removal(layout, live=live)
    if removal.spared:
        _print_spared(removal.spared, read_prices(prices))
    if not removal.faults and not removal.folders:
        click.echo("nothing to remove", err=True)
        return EXIT_SOUND
    size = size_text(removal.size_bytes)
    count = len(removal.live)
    among = f", {_number(count, 'live recording')} among them" if count else ""
    what = (
        f"{_number(len(removal.faults), 'file')} of {size}{among}, {_number(len(removal.folders), 'folder')}"
    )
    if count:
        what += f" (to record them again: {remaking_cost(removal.live, read_prices(prices))})"
    if not remove:
        for fault in removal.faults:
            _print(f"would remove {shown(str(fault.path))}: {fault.problem}")
        for folder in removal.folders:
            _print(f"would remove {shown(str(folder))}: empty")
        click.echo(
            f"{what}; to remove them: redpen cassettes prune{' --live' if live else ''} --yes", err=True
        )
        return EXIT_SOUND
    kept = 0
    for path, problem in carry_out(removal):
        _print(f"kept {shown(str(path))}: {problem}" if problem else f"removed {shown(str(path))}")
        kept += bool(problem)
    click.echo(f"{what}; {kept} kept" if kept else what, err=True)
    return EXIT_FAULTS if kept else EXIT_SOUND


def _print_spared(spared: Sequence[Entry], prices: Prices) -> None:
    for entry in spared:
        _print(f"spared {shown(str(entry.path))}: a recording of a live model")
    count = _number(len(spared), "live recording")
    click.echo(
        f"{count} that no scenario needs; to record again: {remaking_cost(spared, prices)}; "
        "to remove such recordings too: redpen cassettes prune --live",
        err=True,
    )


def rewrite_all(layout: Layout) -> int:
    """Write every cassette as this release does, print what changed, and return the exit code.

    Args:
        layout: the library.

    Raises:
        ConfigurationError: a folder of cassettes cannot be used.
    """
    root = layout.cassettes
    locations = list_locations(root)
    before = _stored_bytes(root)
    changed = faults = 0
    for location in locations:
        try:
            changed += rewrite(location)
        except CassetteError as error:
            faults += 1
            _print(shown(f"{error.path}: left as it is: {error.problem}"))
    try:
        settle(root)
    except OSError as error:
        raise ConfigurationError(f"{root}: cannot be written: {error.strerror or error}") from error
    after = _stored_bytes(root)
    count = f"{changed:,} of {_number(len(locations), 'cassette')} rewritten"
    _print(f"{count}, {size_text(before)} → {size_text(after)}")
    return EXIT_FAULTS if faults else EXIT_SOUND


def _stored_bytes(root: Path) -> int:
    return sum(path.stat().st_size for path, kind in walk(root) if kind == "file")


def _print(line: str, *, colour: bool = False) -> None:
    click.echo(fit(line, sys.stdout.encoding), color=colour)


def _print_json(value: dict[str, Any]) -> None:
    click.echo(json_text(value, encoding=sys.stdout.encoding, indent=2))


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
