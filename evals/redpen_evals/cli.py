"""The ``redpen`` command: run one agent, serve a script, look after the scenario library."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, NoReturn, ParamSpec, TypeVar, get_args

import click

from redpen.errors import RedpenError
from redpen.types import AgentName
from redpen_evals.library.layout import Layout
from redpen_evals.settings import Settings

if TYPE_CHECKING:
    from redpen_evals.comparison.accepting import AcceptedClass

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


def _pass_layout(command: Callable[Concatenate[Layout, P], R]) -> Callable[P, R]:
    """Give a command the folders of the library alone."""

    @click.pass_obj
    @wraps(command)
    def wrapped(settings: Settings, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return command(settings.layout, *args, **kwargs)

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
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".redpen/runs"),
    show_default=True,
    help="Folder of the run records.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("evals/suites/baseline"),
    show_default=True,
    help="Folder of the accepted outcomes.",
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
def main(context: click.Context, scenarios: Path, cassettes: Path, runs: Path, baseline: Path) -> None:
    """Regression-test the prompts and guardrails of agents that write to customers."""
    layout = Layout(scenarios=scenarios, cassettes=cassettes)
    context.obj = Settings(layout=layout, runs=runs, baseline=baseline)


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
@click.option("--replay", is_flag=True, help="Replay the scenario even where a key is set.")
@_pass_layout
@_usage_errors
def run(
    layout: Layout,
    agent: AgentName,
    scenario_id: str | None,
    context_file: Path | None,
    goal: str | None,
    *,
    replay: bool,
) -> None:
    """Run one agent against whatever OPENAI_* points to and print the result as JSON.

    Exit code: 0 it published, 1 it stopped, 2 usage or configuration.
    """
    from redpen.cli import DEFAULT_GOAL, as_json, exit_code, run_agent

    if scenario_id is None:
        if replay:
            raise click.UsageError("--replay goes with --scenario")
        subject = None if context_file is None else _read_subject(context_file)
        result = run_agent(agent, goal=DEFAULT_GOAL if goal is None else goal, subject=subject).to_dict()
    elif context_file or goal is not None:
        raise click.UsageError("--scenario brings its own context and goal")
    else:
        result = _run_scenario(layout, agent, scenario_id, replay=replay)
    click.echo(as_json(result))
    raise SystemExit(exit_code(result))


@main.command()
@click.option("--scenario", "scenario_id", metavar="ID", required=True, help="Whose replies to serve.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="TCP port; 0 takes a free one.")
@click.option("--loop", is_flag=True, help="Start again when the replies are used up.")
@_pass_layout
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


@main.command("check")
@click.option(
    "--context", "context_name", metavar="FILE|NAME", help="Incident context: JSON, YAML, or a name."
)
@click.option(
    "--original",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The text before; - is standard input.",
)
@click.option(
    "--revised",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The text after, which is judged; or -.",
)
@click.option(
    "--jsonl",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Judge JSON lines instead: original, revised, context (object or name), id; or -.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--claims",
    type=click.Choice(["hint", "inherit"]),
    default="hint",
    show_default=True,
    help="Claims: as the context's hint says, or those that context or original make are allowed.",
)
@click.option("--max-chars", type=click.IntRange(min=1), metavar="N", help="Longest revised text.")
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Least similarity to the original, from 0 to 1.",
)
@_pass_layout
@_usage_errors
def check_text(  # noqa: PLR0913 - one argument an option
    layout: Layout,
    *,
    context_name: str | None,
    original: Path | None,
    revised: Path | None,
    jsonl: Path | None,
    as_json: bool,
    claims: Literal["hint", "inherit"],
    max_chars: int | None,
    min_similarity: float | None,
) -> None:
    """Judge a revised text against its original and the facts of an incident.

    Shows the text with its violations as [[…]]{1} and its concerns as ((…)){2}, in colour on a terminal,
    and explains each. With --jsonl prints one verdict a line instead.

    Exit code: 0 clean (concerns may be left), 1 violations, 2 usage or a line that cannot be judged.
    """
    from redpen_evals.checking.command import check_lines, check_one
    from redpen_evals.checking.inputs import STDIN, Contexts, rules_from

    rules = rules_from(claims=claims, max_chars=max_chars, min_similarity=min_similarity)
    contexts = Contexts(layout=layout)
    if jsonl is not None:
        if context_name is not None or original is not None or revised is not None:
            raise click.UsageError("--jsonl brings context, original and revised text on each line")
        raise SystemExit(check_lines(jsonl, rules=rules, contexts=contexts))
    if context_name is None or original is None or revised is None:
        raise click.UsageError("--context, --original and --revised belong together; or give --jsonl")
    if original == STDIN == revised:
        raise click.UsageError("only one of --original and --revised can be standard input")
    file = Path(context_name)
    context = _read_subject(file) if _is_file(file) else contexts.named(context_name)
    raise SystemExit(
        check_one(context=context, original=original, revised=revised, rules=rules, as_json=as_json)
    )


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

    for line in list_scenarios(context.obj.layout, agent=agent, tag=tag):
        click.echo(line)


@scenarios.command()
@_pass_layout
@_usage_errors
def check(layout: Layout) -> None:
    """Validate every file of the library. Exit code: 0 sound, 1 faults."""
    from redpen_evals.library.care import orphaned_cassettes
    from redpen_evals.library.drafts import check_drafts, draft_files
    from redpen_evals.library.loading import check_library

    faults = [str(problem) for problem in (*check_library(layout), *check_drafts(layout))]
    faults += [
        f"{path}:1: no scenario asks for it; redpen cassettes prune" for path in orphaned_cassettes(layout)
    ]
    for fault in faults:
        click.echo(fault)
    scenarios, drafts = len(layout.scenario_ids()), len(draft_files(layout))
    click.echo(f"{scenarios} scenarios, {drafts} files of drafts, {len(faults)} faults", err=True)
    raise SystemExit(EXIT_FAULTS if faults else 0)


@scenarios.command()
@_pass_layout
@_usage_errors
def schema(layout: Layout) -> None:
    """Write the JSON Schemas that editors check the library's files with."""
    from redpen_evals.library.schema import write_schemas

    for path in write_schemas(layout.scenarios):
        click.echo(path)


@main.command()
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--all", "with_all", is_flag=True, help="List the same ones too, and all of the others.")
@click.pass_obj
@_usage_errors
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


@main.group("baseline", invoke_without_command=True)
@click.pass_context
@_usage_errors
def accepted_outcomes(context: click.Context) -> None:
    """Count the accepted outcomes that runs are compared with."""
    if context.invoked_subcommand is not None:
        return
    from redpen_evals.comparison.command import count_accepted

    count_accepted(context.obj)


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
@click.pass_obj
@_usage_errors
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
@click.pass_obj
@_usage_errors
def show_outcome(settings: Settings, name: str) -> None:
    """Show what is accepted of a scenario."""
    from redpen_evals.comparison.command import show_accepted

    show_accepted(settings, name)


@main.group("cassettes", invoke_without_command=True)
@click.option("--model", metavar="NAME", help="Only those of one model.")
@click.option("--agent", type=click.Choice(get_args(AgentName)), help="Only those of one agent.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@_usage_errors
def recordings(context: click.Context, model: str | None, agent: str | None, *, as_json: bool) -> None:
    """List the cassettes with model, calls, size, age and the releases that recorded them."""
    if context.invoked_subcommand is not None:
        return
    from redpen_evals.cassette_care.command import list_all

    list_all(context.obj.layout.cassettes, model=model, agent=agent, as_json=as_json)


@recordings.command("check")
@click.option("--replay", is_flag=True, help="Replay each too, and name calls that no run makes any more.")
@click.option(
    "--prompts",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of your own versions of the prompts, which variants may name.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_pass_layout
@_usage_errors
def check_recordings(layout: Layout, *, replay: bool, prompts: Path | None, as_json: bool) -> None:
    """Find cassettes that nobody needs, that are damaged or misplaced, or that hold a key or an error.

    Exit code: 0 sound (notes may be left), 1 faults, 2 usage.
    """
    from redpen_evals.cassette_care.command import check_all

    raise SystemExit(check_all(layout, prompts=prompts, replay=replay, as_json=as_json))


@recordings.command("show")
@click.argument("scenario_id", metavar="ID")
@click.option("--model", metavar="NAME", default="scripted", show_default=True, help="Whose recording.")
@click.option("--variant", metavar="LABEL", default="", help="Variant, such as critique=v2.")
@click.option("--sample", type=click.IntRange(min=1), default=1, show_default=True, help="Which sample.")
@click.option("--full", is_flag=True, help="Show system prompts whole.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_pass_layout
@_usage_errors
def show_recording(
    layout: Layout, scenario_id: str, *, model: str, variant: str, sample: int, full: bool, as_json: bool
) -> None:
    """Show the recorded calls of a scenario as a conversation."""
    from redpen_evals.cassette_care.command import show_one

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
@_pass_layout
@_usage_errors
def prune_recordings(layout: Layout, *, remove: bool) -> None:
    """Name or remove what no scenario can miss: orphaned, unused, redundant and temporary files.

    Exit code: 0 done, 1 something could not be removed, 2 usage.
    """
    from redpen_evals.cassette_care.command import prune

    raise SystemExit(prune(layout, remove=remove))


@main.command()
@click.argument("run_name", metavar="[RUN]", default="last")
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="What to write: .html, .md or .json (repeatable).  [default: .redpen/report.html]",
)
@click.option("--against", metavar="RUN", help="Compare with this run, in place of the baseline.")
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("prices.toml"),
    show_default=True,
    metavar="FILE",
    help="Price table, for the cost of recordings.",
)
@click.pass_obj
@_usage_errors
def report(
    settings: Settings, run_name: str, *, files: tuple[Path, ...], against: str | None, prices: Path
) -> None:
    """Write reports of a run: a page, a comment for a pull request, a document for programs.

    RUN is a run record: a file, an id, `last` (the default), `last-1` … Prints the files that were written.

    Exit code: 0 written, 2 usage or a file that cannot be used.
    """
    from redpen_evals.reports.command import report_run

    report_run(settings, run_name, files, against=against, prices=prices)


def _run_scenario(layout: Layout, agent: AgentName, scenario_id: str, *, replay: bool) -> dict[str, Any]:
    from redpen_evals.evaluation import replay_result
    from redpen_evals.library.loading import load_case
    from redpen_evals.runner import run_case

    case = load_case(layout, scenario_id)
    if case.agent != agent:
        raise click.UsageError(f"{scenario_id} is a scenario of {case.agent}, not of {agent}")
    if not case.asks_model:
        return run_case(case, None).result
    if not replay and (chat := _live_chat()):
        click.echo("redpen: OPENAI_API_KEY is set, so a model is asked; --replay asks none", err=True)
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


def _is_file(path: Path) -> bool:
    try:
        # No plain file alone: a shell hands over `<(command)` as a pipe.
        return path.exists() and not path.is_dir()
    except OSError:
        return False


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
