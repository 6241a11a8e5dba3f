"""``redpen run``: run one agent once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, TypeGuard, get_args

import click

from redpen.cli import DEFAULT_GOAL, as_json, exit_code, run_agent
from redpen.events import EventLog
from redpen.policy.model import PolicyModel
from redpen.policy.packs import PolicyPack
from redpen.text.suggestion import suggestion
from redpen.types import AgentName
from redpen_evals.commands.output import warn
from redpen_evals.commands.review import open_queue
from redpen_evals.commands.workspace import Workspace, read_object
from redpen_evals.evaluation import live_result, replay_result
from redpen_evals.evaluation.judging import in_force
from redpen_evals.policy_packs.in_force import limits_under, pack_in_force, situation_of
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.targets.environment import KEY_VARIABLES

_BUILT_IN = get_args(AgentName)

CANNED_TOOLS: Final = "the built-in tools are canned: nothing was fetched or sent"


@click.command()
@click.argument("agent", required=False)
@click.option(
    "--scenario", "scenario_id", metavar="ID", help="Run a scenario; without an API key it is replayed."
)
@click.option(
    "--context",
    "context_name",
    metavar="FILE|NAME",
    help="Incident context: JSON, YAML, or a name of the library (for guarded-policy a request, in a file).",
)
@click.option("--goal", metavar="TEXT", help="Goal of the run.")
@click.option("--policy", "pack_name", metavar="NAME", help="Policy pack to apply.")
@click.option(
    "--events", "place", metavar="URL", help="Store events: jsonl:PATH, sqlite:///PATH or postgresql://…"
)
@click.option("--review", "waits", is_flag=True, help="Wait for reviews in the review queue.")
@click.option("--replay", is_flag=True, help="Replay the scenario even if an API key is set.")
@click.pass_obj
def run(
    workspace: Workspace,
    agent: str | None,
    scenario_id: str | None,
    context_name: str | None,
    goal: str | None,
    *,
    pack_name: str | None,
    place: str | None,
    waits: bool,
    replay: bool,
) -> None:
    """Run one agent with the model that the environment configures, and print the result as JSON.

    AGENT is self-critique, reflection or guarded-policy. With --scenario it may be left out, and your own
    agents can be run too. With --review a run that needs a review waits in the queue (redpen_reviews) until
    `redpen review` decides it and `redpen resume` resumes it.

    Exit code: 0 it published, 1 it stopped, 2 usage or configuration.
    """
    events = project_events(workspace, place)
    if scenario_id is None:
        if replay:
            raise click.UsageError("--replay needs --scenario")
        if not _is_built_in(agent):
            raise click.UsageError(_no_such_agent(agent))
        subject = None if context_name is None else _subject(workspace, agent, context_name)
        policy = _agent_policy(workspace, agent, subject, pack_name)
        goal = DEFAULT_GOAL if goal is None else goal
        queue = open_queue(workspace, None) if waits else None
        options: dict[str, Any] = {"policy": policy, "events": events, "review": queue}
        result = run_agent(agent, goal=goal, subject=subject, **options).to_dict()
    elif waits:
        raise click.UsageError(
            "--review cannot be used with --scenario; its key `review` holds the decisions"
        )
    elif context_name is not None or goal is not None:
        raise click.UsageError("--scenario has its own context and goal")
    else:
        result = _run_scenario(workspace, agent, scenario_id, pack_name, events=events, replay=replay)
    if agent == "guarded-policy" or (scenario_id or "").startswith("guarded-policy/"):
        _print_canned_tools(workspace, scenario_id)
    click.echo(as_json(result))
    raise SystemExit(exit_code(result))


def project_events(workspace: Workspace, place: str | None) -> EventLog | None:
    """Return the event log of the command line or of the project; None if neither names one."""
    log = workspace.project.open_events(place)
    if log is not None:
        click.get_current_context().call_on_close(log.close)
    return log


def _subject(workspace: Workspace, agent: AgentName, name: str) -> dict[str, Any]:
    # The library has no requests.
    return read_object(Path(name)) if agent == "guarded-policy" else workspace.context(name)


def _agent_policy(
    workspace: Workspace, agent: AgentName, subject: dict[str, Any] | None, name: str | None
) -> PolicyModel:
    packs = workspace.project.packs
    pack = packs.matching(situation_of(subject)) if name is None else packs.named(name)
    _print_policy(pack)
    policy: PolicyModel = pack.policies[_BUILT_IN.index(agent)]
    return policy


def _print_policy(pack: PolicyPack) -> None:
    if (applied := in_force(pack)) is not None:
        warn(f"policy pack {applied.shown} applies")


def _print_canned_tools(workspace: Workspace, scenario_id: str | None) -> None:
    if scenario_id is not None:
        scenario: Any = load_case(workspace.layout, scenario_id).scenario
        if isinstance(scenario.tools, str) or workspace.project.text("redpen_tools"):
            return
    warn(CANNED_TOOLS)


def _is_built_in(agent: str | None) -> TypeGuard[AgentName]:
    return agent in _BUILT_IN


def _no_such_agent(agent: str | None) -> str:
    listed = ", ".join(map(repr, _BUILT_IN))
    if agent is None:
        return f"name an agent ({listed}), or a scenario with --scenario"
    hint = suggestion(agent, _BUILT_IN)
    return f"{agent[:100]!r} is not one of {listed}{hint}; run your own agents with --scenario"


def _run_scenario(
    workspace: Workspace,
    agent: str | None,
    scenario_id: str,
    pack_name: str | None,
    *,
    events: EventLog | None,
    replay: bool,
) -> dict[str, Any]:
    layout, project = workspace.layout, workspace.project
    case = load_case(layout, scenario_id)
    names = dict(layout.agents)
    if agent is not None and names.get(agent, agent) != names.get(case.agent, case.agent):
        hint = suggestion(agent, (case.agent, *names))
        raise click.UsageError(f"{scenario_id} is a scenario of {case.agent}, not of {agent}{hint}")
    is_own = isinstance(case.scenario, OwnAgentScenario)
    if is_own and pack_name is not None:
        raise click.UsageError(
            "--policy applies to built-in agents here; `pytest --policy` applies it to your own"
        )
    own, pack = project.own_agents, pack_in_force(project.packs, case, asked=pack_name)
    if not is_own:
        _print_policy(pack)
    if replay or not _asks_live(case, is_own=is_own):
        return replay_result(layout, case, own=own, root=project.root, pack=pack, events=events)
    warn("an API key is set, so a model is called; --replay calls none")
    if is_own:
        return live_result(layout, case, own=own, root=project.root, events=events)
    from redpen.chat import ChatClient
    from redpen_evals.targets.builtin import run_built_in

    policy = limits_under(case.built_in, pack)
    log = None if events is None else events.for_scenario(scenario=case.id, variant=None, sample=1)
    return run_built_in(case, ChatClient.from_environment(), policy=policy, pack=pack, events=log).result


def _asks_live(case: Case, *, is_own: bool) -> bool:
    # The built-in agents use only the OpenAI client.
    keys = KEY_VARIABLES if is_own else ("OPENAI_API_KEY",)
    return (is_own or case.asks_model) and any(os.environ.get(name, "").strip() for name in keys)
