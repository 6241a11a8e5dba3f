"""``redpen run``: one agent, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from redpen.types import AgentName
from redpen_evals.commands.subject import read_subject
from redpen_evals.commands.usage import pass_layout, usage_errors
from redpen_evals.scenario_library.layout import Layout


@click.command()
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
@pass_layout
@usage_errors
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
        subject = None if context_file is None else read_subject(context_file)
        result = run_agent(agent, goal=DEFAULT_GOAL if goal is None else goal, subject=subject).to_dict()
    elif context_file or goal is not None:
        raise click.UsageError("--scenario brings its own context and goal")
    else:
        result = _run_scenario(layout, agent, scenario_id, replay=replay)
    click.echo(as_json(result))
    raise SystemExit(exit_code(result))


def _run_scenario(layout: Layout, agent: AgentName, scenario_id: str, *, replay: bool) -> dict[str, Any]:
    from redpen_evals.evaluation import replay_result
    from redpen_evals.scenario_library.loading import load_case

    case = load_case(layout, scenario_id)
    if case.agent != agent:
        raise click.UsageError(f"{scenario_id} is a scenario of {case.agent}, not of {agent}")
    if not replay and case.asks_model and (chat := _live_chat()):
        from redpen_evals.targets.builtin import run_built_in

        click.echo("redpen: OPENAI_API_KEY is set, so a model is asked; --replay asks none", err=True)
        return run_built_in(case, chat).result
    return replay_result(layout, case)


def _live_chat() -> Any:
    import os

    from redpen.chat import ChatClient

    return ChatClient.from_environment() if os.environ.get("OPENAI_API_KEY", "").strip() else None
