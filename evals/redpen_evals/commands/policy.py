"""``redpen policy``: check and explain policy packs, and compare two."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from redpen.errors import InvalidInputError, Stop
from redpen.gateway.situation import Situation
from redpen.policy.codes import DECISION_CODES
from redpen.policy.packs import PolicyPack
from redpen.screen import counted
from redpen_evals.checking.inputs import read_judged_text
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK, give_up
from redpen_evals.commands.options import AS_JSON, FILE
from redpen_evals.commands.output import print_json, print_lines, print_table
from redpen_evals.commands.workspace import Workspace, is_file, read_object
from redpen_evals.evaluation import Evaluator
from redpen_evals.evaluation.built_in import tools_of
from redpen_evals.policy_packs.explaining import Explanation, explain_action, explain_text
from redpen_evals.policy_packs.in_force import read_packs, situation_of
from redpen_evals.policy_packs.replaying import replayed
from redpen_evals.targets.tools import open_gate

_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


@click.group("policy")
def policy() -> None:
    """Check policy packs, explain their decisions, and compare two packs."""


@policy.command()
@click.argument("path", required=False, type=FILE)
@click.pass_obj
def check(workspace: Workspace, path: Path | None) -> None:
    """Validate the policy packs at PATH, a file or folder; by default those of the project.

    Exit code: 0 no faults, 2 faults.
    """
    packs = workspace.project.packs if path is None else read_packs(path, is_given=True)
    rows = [_described(packs.named(name)) for name in packs.names]
    header = ("pack", "hash", "extends", "for", "loosens")
    print_table(header, [[row[name] or "-" for name in header] for row in rows])
    source = packs.path if packs.path is not None else "no policy file (redpen_policy)"
    click.echo(f"{source}: {counted(len(rows) - 1, 'pack')}, 0 faults", err=True)


@policy.command()
@AS_JSON
def codes(*, as_json: bool) -> None:
    """List every decision code with its meaning and an example.

    Exit code: 0 listed.
    """
    if as_json:
        rows = [{**asdict(row), "members": [member.code for member in row.members]} for row in DECISION_CODES]
        print_json({"codes": rows})
        return
    table = [(row.code, row.giver, row.meaning, row.example) for row in DECISION_CODES]
    print_table(("code", "given by", "means", "example"), table)


@policy.command()
@click.option(
    "--pack", "name", metavar="NAME", help="Pack to explain; by default the one that matches the context."
)
@click.option("--action", type=FILE, metavar="FILE", help="Action: {id, tool, args}.")
@click.option("--text", metavar="FILE|TEXT", help="Text of several words, or its file; - is standard input.")
@click.option("--original", type=FILE, metavar="FILE", help="The draft before the revision.")
@click.option(
    "--context",
    "context_name",
    metavar="FILE|NAME",
    help="Facts: JSON, YAML, or a name of the library; for an action its `request` and `snapshot`.",
)
@click.option("--now", type=click.DateTime(_FORMATS), help="Current time for rules of actions, in UTC.")
@AS_JSON
@click.pass_obj
def explain(
    workspace: Workspace,
    *,
    name: str | None,
    action: Path | None,
    text: str | None,
    original: Path | None,
    context_name: str | None,
    now: datetime | None,
    as_json: bool,
) -> None:
    """Explain what a pack decides about an action or text, and which line of which file applies.

    Exit code: 0 allowed, 1 escalated, denied or blocked, 2 usage.
    """
    if (action is None) == (text is None):
        raise click.UsageError("give either --action or --text")
    packs = workspace.project.packs
    facts = {} if context_name is None else workspace.context(context_name)
    pack = packs.matching(situation_of(facts)) if name is None else packs.named(name)
    if text is not None:
        before = None if original is None else read_judged_text(original)
        explanation = explain_text(pack, _text(text), original=before, context=facts)
    else:
        explanation = _explained_action(workspace, pack, read_object(action or Path()), facts, now)
    if as_json:
        print_json(explanation.record)
    else:
        print_lines(explanation.lines)
    raise SystemExit(EXIT_OK if explanation.passes else EXIT_FAULTS)


@policy.command("diff")
@click.argument("before")
@click.argument("after")
@click.option("--agent", metavar="NAME", help="Only scenarios in this folder of the library.")
@AS_JSON
@click.pass_obj
def diff(workspace: Workspace, before: str, after: str, agent: str | None, *, as_json: bool) -> None:
    """Replay the library under two packs, and list the decisions that differ, with the texts.

    Exit code: 0 no decision differs, 1 some do, 2 usage.
    """
    project, layout = workspace.project, workspace.layout
    packs = project.packs
    pair = packs.named(before), packs.named(after)
    scenarios = [id_ for id_ in layout.scenario_ids() if agent is None or id_.startswith(f"{agent}/")]
    if not scenarios:
        give_up(f"{layout.scenarios}: there is no scenario" + (f" of {agent}" if agent else ""))
    evaluator = Evaluator(layout=layout, root=project.root, own=project.own_agents, packs=packs)
    names = (before, after)
    is_terminal = sys.stderr.isatty()
    with click.progressbar(scenarios, file=sys.stderr, label="replaying", hidden=not is_terminal) as bar:
        changes = [change for change in replayed(evaluator, names, bar) if change is not None]
    changed = [change for change in changes if not change.is_undecided]
    undecided = [change for change in changes if change.is_undecided]
    if as_json:
        described = {"before": _described(pair[0]), "after": _described(pair[1])}
        listed = [change.to_dict() for change in changes]
        print_json({**described, "scenarios": len(scenarios), "changes": listed})
    else:
        for change in (*changed, *undecided):
            print_lines((*change.lines(pair), ""))
        click.echo(f"{len(changed)} of {len(scenarios)} decisions change from {before} to {after}")
        if undecided:
            click.echo(
                f"{len(undecided)} undecided: under one pack they make model calls that are not recorded; "
                f"pytest --policy NAME --record=missing"
            )
    raise SystemExit(EXIT_FAULTS if changes else EXIT_OK)


def _text(given: str) -> str:
    if len(given.split()) > 1 and not is_file(Path(given)):
        return given
    try:
        return read_judged_text(Path(given))
    except InvalidInputError as error:
        raise InvalidInputError(f"--text {error}; give a file, or a text of several words") from None


def _explained_action(
    workspace: Workspace,
    pack: PolicyPack,
    action: dict[str, Any],
    facts: dict[str, Any],
    now: datetime | None,
) -> Explanation:
    project = workspace.project
    snapshot = facts.get("snapshot", facts.get("incident", {} if "request" in facts else facts))
    request = facts.get("request", {})
    for key, value in (("snapshot", snapshot), ("request", request)):
        if not isinstance(value, dict):
            give_up(f"--context: {key}: must be an object")
    time = datetime.now(UTC) if now is None else now.replace(tzinfo=UTC)
    situation = Situation(request=request, snapshot=snapshot, now=time)
    try:
        with open_gate(pack, tools_of(project.own_agents, project.root)) as gate:
            return explain_action(pack, {"id": "a1", **action}, situation, gate=gate)
    except Stop as stop:
        give_up(f"--action: {stop.reason}: an action must be an object with tool and args")


def _described(pack: PolicyPack) -> dict[str, str]:
    match = pack.match.model_dump()
    return {
        "pack": pack.name,
        "hash": pack.hash,
        "extends": " ← ".join(reversed(pack.chain[:-1])),
        "for": ", ".join(f"{name} {' or '.join(match[name])}" for name in pack.match.keys),
        "loosens": ", ".join(pack.loosened),
    }
