"""``redpen new``: a scenario with its input from the command line and its expectation from one run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from redpen.errors import ConfigurationError, RedpenError
from redpen.text.json_values import parse_json
from redpen.text.suggestion import suggestion
from redpen.types import JsonObject
from redpen.yaml_files.source import read_source
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.checks.paths import is_path
from redpen_evals.errors import TargetError
from redpen_evals.evaluation.evaluator import Evaluator
from redpen_evals.evaluation.own import OwnRuns, OwnSettings
from redpen_evals.evaluation.subject import Subject
from redpen_evals.project import Project
from redpen_evals.scaffold.writing import FileStep, carry_out, check_place
from redpen_evals.scenario_library.layout import RESERVED_FOLDERS, SUFFIXES, Layout, is_id
from redpen_evals.scenario_library.loading import Case, find_facts
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.spellings import holds, strings_in
from redpen_evals.targets.run import Raised, Run
from redpen_evals.variants import base_variant

_WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Writes multi-line strings as blocks, and no aliases, which scenarios may not have."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's own signature
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text.strip("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def scenario_text(values: JsonObject, *, schema: str | None = None) -> str:
    """Return the YAML of a scenario.

    Args:
        values: the content of the file.
        schema: path of the JSON Schema from the file's folder, for editors.
    """
    head = f"# yaml-language-server: $schema={schema}\n" if schema else ""
    return head + yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


_MAX_FIELDS: Final = 40
_MAX_TEXT: Final = 4000
_MAX_FIELD_TEXT: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The expectation derived from a run.

    Attributes:
        values: the fields ``expect`` and ``tools`` of a scenario.
        publishes: whether a text for customers was found, or the run raised.
        left_out: number of values left out for their number, length or path.
    """

    values: JsonObject
    publishes: bool
    left_out: int = 0


def expect_run(run: Run) -> Expectation:
    """Return the result of a run as an expectation.

    Raises:
        RedpenError: it ended in a way that no scenario can expect: it hung, or ended the process.
    """
    tools = _tools(run)
    if isinstance(run.returned, Raised):
        if not run.returned.names:
            raise RedpenError(f"nothing was written: {run.problem}")
        return Expectation(values={"expect": {"raises": run.returned.names[0]}, **tools}, publishes=True)
    texts = run.turns[-1].texts
    expect: JsonObject = {}
    contained = [text for text in texts if text.strip()]
    leaves = [(path, value) for path, value in _leaves(run.result.get("value"), "") if value not in contained]
    fields = {path: value for path, value in leaves if path and _is_short(value)}
    kept = dict(list(fields.items())[:_MAX_FIELDS])
    if kept:
        expect["fields"] = kept
    if contained:
        expect["contains"] = [text.lstrip()[:_MAX_TEXT] for text in contained]
    values: JsonObject = {"expect": expect} if expect else {}
    return Expectation(values=values | tools, publishes=bool(texts), left_out=len(leaves) - len(kept))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the leaves of a result with their paths; the path is empty if it cannot be written."""
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        for key, part in value.items():
            if "." in key or not is_path(key):
                yield "", part
            else:
                parts.append((f"{path}.{key}" if path else key, part))
    elif isinstance(value, list):
        parts = [(f"{path}[{at}]", part) for at, part in enumerate(value)]
    for place, part in parts:
        yield from _leaves(part, place)
    if path and not (isinstance(value, (dict, list)) and value):
        yield path, value


def _is_short(value: Any) -> bool:
    return not isinstance(value, (str, dict)) or len(str(value)) <= _MAX_FIELD_TEXT


def _tools(run: Run) -> JsonObject:
    calls = [call for turn in run.turns for call in turn.tool_calls]
    if not calls:
        return {}
    if all(isinstance(args, dict) for _, args in calls):
        return {"tools": {"match": "exact", "calls": [{"name": name, "args": args} for name, args in calls]}}
    # A scenario can only expect arguments that are a JSON object.
    return {
        "tools": {"match": "exact", "arguments": "ignore", "calls": [{"name": name} for name, _ in calls]}
    }


_TITLE = "Written from a run; describe here what it shows."


def read_input(values: Sequence[str]) -> JsonObject:
    """Return arguments by name, from ``key=text`` each, or JSON objects of them.

    Raises:
        ConfigurationError: a value is neither, or a name is given twice.
    """
    arguments: JsonObject = {}
    for value in values:
        if value.lstrip().startswith("{"):
            try:
                parsed = parse_json(value)
            except ValueError as error:
                raise ConfigurationError(f"--input: is not valid JSON: {error}") from error
            added = parsed if isinstance(parsed, dict) else {}
        else:
            name, equals, text = value.partition("=")
            if not (equals and name.strip()):
                raise ConfigurationError(f"--input: {value!r}: write key=text, or a JSON object")
            added = {name.strip(): text}
        if duplicates := arguments.keys() & added.keys():
            raise ConfigurationError(f"--input: {min(duplicates)!r} is given twice")
        arguments |= added
    return arguments


def write_scenario(
    scenario_id: str,
    *,
    agent: str,
    context: str | None,
    arguments: JsonObject,
    replies: Path | None,
    layout: Layout,
    project: Project,
) -> tuple[list[str], bool]:
    """Run an agent once, record the run, and write the scenario that expects its answer.

    Args:
        scenario_id: id of the scenario, such as ``support/order-status``.
        agent: ``module:callable`` or a short name.
        context: name of a context of the library.
        arguments: the agent's arguments by name.
        replies: file with the model's answers; None to call the agent's own model.
        layout: the folders of the library.
        project: the project of the agent.

    Returns:
        Messages for the terminal, and whether a replay of the scenario passes.

    Raises:
        RedpenError: it cannot be run, recorded or written; then neither scenario nor recording remains.
    """
    path = _free_path(scenario_id, layout)
    check_place(path.absolute(), project.root)
    own = project.own_agents
    _check_agent(agent, own)
    values: JsonObject = {"title": _TITLE, "agent": agent}
    if context is not None:
        values["context"] = context
    if arguments:
        values["input"] = dict(arguments)
    if replies is not None:
        values["replies"] = _replies(replies)
    scenario = _scenario(values, replies)
    case = Case(id=scenario_id, path=path, scenario=scenario, subject=_context(context, layout))
    subject = Subject(case=case, variant=base_variant(SCRIPTED_MODEL), sample=1, layout=layout)
    recording = subject.location.path
    if os.path.lexists(recording):
        problem = "a recording of this scenario exists; `redpen cassettes prune` removes it"
        raise ConfigurationError(f"{recording}: {problem}")
    try:
        run = _record(subject, own, project)
        expectation = expect_run(run)
        values |= expectation.values
        _check_secrets(values, own)
        content = scenario_text(values, schema=_schema(path, layout))
        step = FileStep(path=path.absolute(), what="written", content=content)
        carry_out(step, project.root)
    except BaseException:
        recording.unlink(missing_ok=True)
        raise
    result = Evaluator(layout=layout, root=project.root, own=own).evaluate(scenario_id)
    lines = [step.line(project.root), *_notes(recording, expectation)]
    passes = result.outcome == "passed"
    if passes:
        lines.append(f"next: read what it expects, then run it: pytest -k '[{scenario_id}]'")
    else:
        lines.append(f"its replay is {result.outcome}; change the scenario, or the agent, until it passes:")
        lines += [f"  {reason}" for reason in result.reasons]
        lines.append(f"  pytest -k '[{scenario_id}]'")
    return lines, passes


def _free_path(scenario_id: str, layout: Layout) -> Path:
    folder = scenario_id.split("/", maxsplit=1)[0]
    if not is_id(scenario_id):
        problem = "is not a scenario id: write folder/name in letters, digits, '.', '_' and '-'"
        raise ConfigurationError(f"{scenario_id!r} {problem}")
    if folder in RESERVED_FOLDERS or folder in BUILT_IN_AGENTS:
        raise ConfigurationError(f"{scenario_id!r}: the folder {folder!r} is reserved")
    for suffix in SUFFIXES:
        path = layout.scenarios / f"{scenario_id}{suffix}"
        if os.path.lexists(path):
            raise ConfigurationError(f"{path}: exists already; choose another name, or delete it")
    return layout.scenarios / f"{scenario_id}{SUFFIXES[0]}"


def _check_agent(agent: str, own: OwnSettings) -> None:
    if agent in BUILT_IN_AGENTS:
        raise ConfigurationError(f"--agent: {agent} is built in; this is for agents of your own")
    if ":" not in agent and agent not in own.names:
        hint = suggestion(agent, own.names)
        raise ConfigurationError(
            f"--agent: there is no agent {agent!r}{hint}; write module:callable, or name it in redpen_agents"
        )


def _replies(path: Path) -> Any:
    value = read_source(path, stream=True).value
    replies = value.get("replies") if isinstance(value, dict) else value
    if not isinstance(replies, list) or not replies:
        raise ConfigurationError(f"{path}: has to contain a list of replies, such as `- content: Hello.`")
    return replies


def _scenario(values: JsonObject, replies: Path | None) -> OwnAgentScenario:
    try:
        return OwnAgentScenario.model_validate(values)
    except ValidationError as error:
        problems = []
        for detail in error.errors():
            name, *inner = detail["loc"] or ("scenario",)
            source = str(replies) if name == "replies" else f"--{name}"
            place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in inner)
            problems.append(f"{source}: {place.lstrip('.')}{': ' if place else ''}{detail['msg']}")
        raise ConfigurationError("\n".join(problems)) from None


def _context(name: str | None, layout: Layout) -> JsonObject | None:
    if name is None:
        return None
    try:
        return find_facts(layout, name)
    except ConfigurationError as error:
        raise ConfigurationError(f"--context: {error}") from None


def _record(subject: Subject, own: OwnSettings, project: Project) -> Run:
    runs = OwnRuns(settings=own, root=project.root)
    try:
        return runs.record(subject, ()).run
    except TargetError as error:
        raise ConfigurationError(f"--{error.field}: {error}") from error
    except RedpenError as error:
        if subject.location.kind == "scripted":
            raise
        hint = "to run without a model, give its answers: --replies FILE"
        raise ConfigurationError(f"{error}\n  {hint}") from error


def _check_secrets(values: JsonObject, own: OwnSettings) -> None:
    text = "\n".join((json.dumps(values), *strings_in(values)))
    if any(secret in text or holds(text, secret) for secret in own.secrets):
        raise ConfigurationError("nothing was written: the agent's input or answer holds a secret")


def _schema(path: Path, layout: Layout) -> str | None:
    schema = layout.scenarios / "scenario.schema.json"
    return Path(os.path.relpath(schema, path.parent)).as_posix() if schema.is_file() else None


def _notes(recording: Path, expectation: Expectation) -> list[str]:
    lines = (
        [f"written  {recording}"] if recording.is_file() else ["the run made no call, so nothing is recorded"]
    )
    if not expectation.publishes:
        lines.append("no text for customers was found in the result: name its path with `publishes:`")
    if expectation.left_out:
        lines.append(
            f"not expected, for number, length or path: values of the result: {expectation.left_out}"
        )
    return lines
