"""The ``redpen`` command: run one agent, serve a script, look after the scenario library."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec, TypeVar, get_args

import click

from redpen.errors import RedpenError
from redpen.types import AgentName
from redpen_evals.library.layout import Layout

P = ParamSpec("P")
R = TypeVar("R")

EXIT_FAULTS = 1
EXIT_USAGE = 2


def _usage_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turn Redpen's own errors into a message on standard error and exit code 2."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except RedpenError as error:
            _give_up(str(error))

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--scenarios",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("scenarios"),
    show_default=True,
    help="Folder of the scenario library.",
)
@click.option(
    "--cassettes",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("cassettes"),
    show_default=True,
    help="Folder of the cassettes.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, asked: _show_version(context) if asked else None,
    help="Show the version and exit.",
)
@click.pass_context
def main(context: click.Context, scenarios: Path, cassettes: Path) -> None:
    """Regression-test the prompts and guardrails of agents that write to customers."""
    context.obj = Layout(scenarios=scenarios, cassettes=cassettes)


@main.command()
@click.argument("agent", type=click.Choice(get_args(AgentName)))
@click.option("--scenario", "scenario_id", metavar="ID", help="Run a scenario; without a key it is replayed.")
@click.option(
    "--context",
    "context_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Incident context (or request of guarded-policy) as JSON or YAML.",
)
@click.option("--goal", metavar="TEXT", help="What the run is for.")
@click.pass_obj
@_usage_errors
def run(
    layout: Layout, agent: AgentName, scenario_id: str | None, context_file: Path | None, goal: str | None
) -> None:
    """Run one agent against whatever OPENAI_* points to and print the result as JSON.

    Exit code: 0 it published, 1 it stopped, 2 usage or configuration.
    """
    from redpen.cli import DEFAULT_GOAL, as_json, exit_code, run_agent

    if scenario_id is None:
        subject = None if context_file is None else _read_subject(context_file)
        result = run_agent(agent, goal=DEFAULT_GOAL if goal is None else goal, subject=subject).to_dict()
    elif context_file or goal is not None:
        raise click.UsageError("--scenario brings its own context and goal")
    else:
        result = _run_scenario(layout, agent, scenario_id)
    click.echo(as_json(result))
    raise SystemExit(exit_code(result))


@main.command()
@click.option("--scenario", "scenario_id", metavar="ID", required=True, help="Whose replies to serve.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="TCP port; 0 takes a free one.")
@click.option("--loop", is_flag=True, help="Start again when the replies are used up.")
@click.pass_obj
@_usage_errors
def endpoint(layout: Layout, scenario_id: str, host: str, port: int, loop: bool) -> None:
    """Serve a scenario's scripted replies to any OpenAI-compatible client, until Ctrl-C.

    Prints the base URL on standard output, which is what OPENAI_BASE_URL wants.
    """
    from redpen_evals.endpoint.server import run_endpoint
    from redpen_evals.library.loading import load_case

    case = load_case(layout, scenario_id)
    if not case.asks_model:
        _give_up(f"{scenario_id}: asks no model, so there is nothing to serve")
    try:
        run_endpoint(case.scenario.replies, host=host, port=port, loop=loop, echo=click.echo)
    except OSError as error:
        _give_up(f"cannot listen on {host}:{port}: {error.strerror or error}")


@main.group(invoke_without_command=True)
@click.option("--agent", type=click.Choice(get_args(AgentName)), help="Only those of one agent.")
@click.option("--tag", metavar="TAG", help="Only those with a tag.")
@click.pass_context
@_usage_errors
def scenarios(context: click.Context, agent: str | None, tag: str | None) -> None:
    """List the scenarios with agent, tags and expectation."""
    if context.invoked_subcommand is not None:
        return
    from redpen_evals.library.listing import list_scenarios

    for line in list_scenarios(context.obj, agent=agent, tag=tag):
        click.echo(line)


@scenarios.command()
@click.pass_obj
@_usage_errors
def check(layout: Layout) -> None:
    """Validate every file of the library. Exit code: 0 sound, 1 faults."""
    from redpen_evals.library.care import orphaned_cassettes
    from redpen_evals.library.loading import check_library

    faults = [str(problem) for problem in check_library(layout)]
    faults += [f"{path}:1: its scenario is gone; delete the file" for path in orphaned_cassettes(layout)]
    for fault in faults:
        click.echo(fault)
    count = len(layout.scenario_ids())
    click.echo(f"{count} scenarios, {len(faults)} faults", err=True)
    raise SystemExit(EXIT_FAULTS if faults else 0)


@scenarios.command()
@click.pass_obj
@_usage_errors
def schema(layout: Layout) -> None:
    """Write the JSON Schemas that editors check the library's files with."""
    from redpen_evals.library.schema import write_schemas

    for path in write_schemas(layout.scenarios):
        click.echo(path)


def _run_scenario(layout: Layout, agent: AgentName, scenario_id: str) -> dict[str, Any]:
    from redpen_evals.evaluation import replay_result
    from redpen_evals.library.loading import load_case
    from redpen_evals.runner import run_case

    case = load_case(layout, scenario_id)
    if case.agent != agent:
        raise click.UsageError(f"{scenario_id} is a scenario of {case.agent}, not of {agent}")
    if not case.asks_model:
        return run_case(case, None).result
    if chat := _live_chat():
        return run_case(case, chat).result
    return replay_result(layout, case)


def _live_chat() -> Any:
    import os

    from redpen.chat import ChatClient

    return ChatClient.from_environment() if os.environ.get("OPENAI_API_KEY", "").strip() else None


def _read_subject(path: Path) -> dict[str, Any]:
    from redpen.text.json_values import parse_json
    from redpen_evals.library.source import read_source, read_text

    # YAML reads most of JSON, but no escaped surrogate pair, with which JSON writes an emoji.
    if path.suffix == ".json":
        try:
            value: object = parse_json(read_text(path))
        except ValueError as error:
            _give_up(f"{path}: no JSON: {error}")
    else:
        value = read_source(path).value
    if not isinstance(value, dict):
        _give_up(f"{path}: has to hold an object")
    return value


def _show_version(context: click.Context) -> None:
    from importlib import metadata

    try:
        version = metadata.version("redpen")
    except metadata.PackageNotFoundError:
        version = "(a checkout that is not installed)"
    click.echo(f"redpen {version}")
    context.exit()


def _give_up(message: str) -> NoReturn:
    click.echo(f"redpen: {message}", err=True)
    raise SystemExit(EXIT_USAGE)
