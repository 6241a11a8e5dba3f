"""``redpen fuzz``: test the properties of a guard."""

from __future__ import annotations

import sys
from typing import Literal

import click

from redpen_evals.commands.output import print_lines
from redpen_evals.commands.workspace import Workspace
from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_FAILED, EXIT_OK, EXIT_STALE
from redpen_evals.fuzz.session import Plan, save_found, try_command, try_guard
from redpen_evals.fuzz.table import render_result
from redpen_evals.fuzz.trials import PROPERTIES, PropertyName, Result
from redpen_evals.terminal import screen_of


@click.command("fuzz")
@click.argument("guards", nargs=-1, metavar="[GUARD]...")
@click.option("--command", "commands", multiple=True, metavar="CMD", help="Program to use as the guard.")
@click.option(
    "--context",
    "context_names",
    multiple=True,
    metavar="FILE|NAME",
    help="Context to use, of any shape: JSON, YAML, or a name of the library (repeatable).",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    type=click.Choice(PROPERTIES),
    help="Test only this property (repeatable).",
)
@click.option(
    "--rounds", type=click.IntRange(1, 1000), default=10, show_default=True, help="Maximum number of rounds."
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Time limit for each guard.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed; the same seed gives the same table."
)
@click.option("--save", is_flag=True, help="Write counterexamples into the draft library, drafts/found.")
@click.option(
    "--record",
    type=click.Choice(["none", "missing", "stale", "all"]),
    default="none",
    show_default=True,
    help="Model calls of the guard: replay them, or which ones to record.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every family and disguise, not only broken ones.")
@click.pass_obj
def fuzz(  # noqa: PLR0913 - one parameter per option
    workspace: Workspace,
    guards: tuple[str, ...],
    *,
    commands: tuple[str, ...],
    context_names: tuple[str, ...],
    properties: tuple[PropertyName, ...],
    rounds: int,
    seconds: float | None,
    seed: int,
    save: bool,
    record: Literal["none", "missing", "stale", "all"],
    verbose: bool,
) -> None:
    """Test the properties of a guard: find the smallest texts that it judges wrongly.

    GUARD is module:name: a function, plain or async, or an object with a method validate or check. Its
    parameters' names select what it gets (original, revised or text, context); it returns whether it blocks,
    or findings, an object with violations, or a dict. `redpen` and `regex` are built in.
    A program (--command) reads a line of JSON with original, revised and context for each text, and writes
    its verdict as a line of JSON.

    Exit code: 0 no property is broken, 1 one is, 2 usage, 10 nothing could be tested, 11 its model calls are
    not recorded.
    """
    if not guards and not commands:
        raise click.UsageError("name a guard, such as mypackage:guard, or a program with --command")
    from rich.console import Console
    from rich.text import Text

    project, layout = workspace.project, workspace.layout
    status = Console(stderr=True).status("")
    plan = Plan(
        layout=layout,
        contexts=tuple(map(workspace.context, context_names)),
        properties=tuple(name for name in PROPERTIES if name in (properties or PROPERTIES)),
        random_seed=seed,
        rounds=rounds,
        seconds=seconds,
        record=record,
        settings=project.own_agents,
        show=lambda text: status.update(Text(text)),
    )
    results: list[Result] = []
    for name in (*guards, *commands):
        with status:
            result = try_guard(name, plan) if name in guards else try_command(name, plan, folder=project.root)
        results.append(result)
        print_lines(render_result(result, screen=screen_of(sys.stdout), every_cell=verbose))
        if save:
            print_lines(save_found(layout, result))
    raise SystemExit(_exit_code(results))


def _exit_code(results: list[Result]) -> int:
    """Return the exit code: a broken property comes before one that could not be tested."""
    if any(result.broken for result in results):
        return EXIT_FAILED
    if any(result.unrecorded for result in results):
        return EXIT_STALE
    return EXIT_OK if all(result.tried for result in results) else EXIT_ERRORED
