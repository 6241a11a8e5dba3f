"""The ``redpen`` command: its folders, and the commands that work on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from redpen import DISTRIBUTION
from redpen_evals.commands.cassettes import recordings
from redpen_evals.commands.check import check_text
from redpen_evals.commands.comparison import accepted_outcomes, compare
from redpen_evals.commands.config import show_config
from redpen_evals.commands.endpoint import endpoint
from redpen_evals.commands.events import events
from redpen_evals.commands.exit_codes import show_exit_codes
from redpen_evals.commands.fuzz import fuzz
from redpen_evals.commands.output import safe_output
from redpen_evals.commands.policy import policy
from redpen_evals.commands.report import report
from redpen_evals.commands.resume import resume
from redpen_evals.commands.review import review
from redpen_evals.commands.run import run
from redpen_evals.commands.scaffold import init, new
from redpen_evals.commands.scenarios import scenarios
from redpen_evals.commands.sweep import sweep
from redpen_evals.commands.teaching import label, teach_detector
from redpen_evals.commands.usage import BoundedGroup
from redpen_evals.settings import GivenFolders


class _Command(BoundedGroup):
    """The group whose output, usage errors included, is safe to show."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command."""
        with safe_output():
            return super().main(*args, **kwargs)


@click.group(cls=_Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--scenarios",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the scenario library.",
)
@click.option(
    "--cassettes",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the cassettes.",
)
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the run records.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, file_okay=False),
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
def main(
    context: click.Context,
    scenarios: Path | None,
    cassettes: Path | None,
    runs: Path | None,
    baseline: Path | None,
) -> None:
    """Regression-test the prompts and guardrails of agents that write to customers.

    Folders are those of the project's pytest settings (redpen_scenarios, redpen_cassettes, redpen_runs,
    redpen_baseline) or of redpen.toml, unless an option names another: `redpen config` shows them.
    Exit codes, pytest's with the plugin too: `redpen exit-codes`.
    """
    context.obj = GivenFolders(scenarios=scenarios, cassettes=cassettes, runs=runs, baseline=baseline)


def _show_version(context: click.Context) -> None:
    from importlib import metadata

    try:
        version = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        version = "(a checkout that is not installed)"
    click.echo(f"redpen {version}")
    context.exit()


for command in (
    init,
    new,
    run,
    endpoint,
    check_text,
    fuzz,
    scenarios,
    show_config,
    show_exit_codes,
    compare,
    accepted_outcomes,
    recordings,
    policy,
    events,
    review,
    resume,
    report,
    teach_detector,
    label,
    sweep,
):
    main.add_command(command)
