"""The ``redpen`` command: its folder options and its commands."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from redpen import DISTRIBUTION
from redpen_evals.commands.groups import LazyGroup
from redpen_evals.commands.workspace import Workspace

F = TypeVar("F", bound=Callable[..., Any])

_COMMANDS: Final = {
    "baseline": ("comparison:accepted_outcomes", "Count the accepted outcomes that runs are compared with."),
    "cassettes": ("cassettes:recordings", "List the cassettes: model, calls, size, age, releases."),
    "check": ("check:check_text", "Judge a revised text against its original and the facts of an incident."),
    "compare": ("comparison:compare", "Compare two runs, variants or models scenario by scenario."),
    "config": ("config:show_config", "Show every setting, its value, and where it comes from."),
    "endpoint": ("endpoint:endpoint", "Serve a scenario's scripted replies to OpenAI and Anthropic clients."),
    "events": ("events:events", "Show the events of runs."),
    "exit-codes": ("config:show_exit_codes", "Show every exit code of `redpen` and of `pytest`."),
    "fuzz": ("fuzz:fuzz", "Find the smallest texts that a guard judges wrongly."),
    "init": ("scaffold:init", "Write a first scenario, an example agent, a test and a CI workflow."),
    "label": ("teaching:label", "Label verdicts by keyboard, the least certain first."),
    "new": ("scaffold:new", "Write a scenario from one run of an agent."),
    "policy": ("policy:policy", "Check policy packs, explain their decisions, compare two."),
    "report": ("report:report", "Write reports of a run: a page, a comment, or JSON."),
    "resume": ("resume:resume", "Resume the run of a decided review."),
    "review": ("review:review", "Decide the reviews of runs: list, show, approve, edit, reject, serve."),
    "run": ("run:run", "Run one agent and print the result as JSON."),
    "scenarios": ("scenarios:scenarios", "List the scenarios with agent, tags and expectation."),
    "sweep": ("sweep:sweep", "Judge files of texts on all cores or a cluster; compare two sweeps."),
    "teach": ("teaching:teach_detector", "Retrain the claims detector with labelled verdicts."),
}


def _folder(name: str, content: str) -> Callable[[F], F]:
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option(f"--{name}", type=kind, help=f"Folder of the {content}.")


def _show_version(context: click.Context, _option: click.Parameter, asked: Any) -> None:
    if not asked:
        return
    try:
        version = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        version = "(a checkout that is not installed)"
    click.echo(f"redpen {version}")
    context.exit()


@click.group(cls=LazyGroup, lazy=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@_folder("scenarios", "scenario library")
@_folder("cassettes", "cassettes")
@_folder("runs", "run records")
@_folder("baseline", "accepted outcomes")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(context: click.Context, /, **folders: Path | None) -> None:
    """Regression-test the prompts and guardrails of agents that write to customers.

    Folders come from the project's pytest settings (redpen_scenarios, redpen_cassettes, redpen_runs,
    redpen_baseline) or redpen.toml, unless an option sets them: `redpen config` shows them.
    Exit codes, including pytest's with the plugin: `redpen exit-codes`.
    """
    context.obj = Workspace(**folders)
