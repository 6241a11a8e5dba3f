"""Loading scenarios with the contexts and plans that they name."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import InitErrorDetails

from redpen.context import SEVERITIES, Incident, IncidentContext, Labels, PolicyHints, Standing, build_request
from redpen.errors import ConfigurationError
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy
from redpen.policy.packs import PolicyPacks
from redpen.text.json_values import copy_json, copy_object
from redpen.text.suggestion import suggestion
from redpen.types import JsonObject, JsonValue
from redpen.yaml_files.parsing import field_names, load_model, validate
from redpen.yaml_files.problem import FileError, Problem, problem_in
from redpen.yaml_files.source import Source, read_source
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.scenario import (
    BUILT_IN_AGENTS,
    BUILT_IN_SCENARIO,
    PLAN,
    SCENARIO,
    AnyScenario,
    BuiltInScenario,
    GuardedPolicyScenario,
    PlanFile,
    Scenario,
)


def _iso_date(text: str) -> str:
    # Python accepts other date formats too, the agents do not.
    if datetime.date.fromisoformat(text).isoformat() != text:
        raise ValueError("a date is written YYYY-MM-DD")
    return text


_CONTEXT_KEYS = tuple(IncidentContext.model_fields)


class ContextFile(IncidentContext):
    """An incident context of the library; any further key, here or in the incident, is a fact too."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    report_date: Annotated[str, AfterValidator(_iso_date)] = Field(description="ISO date of the report.")
    region: str = Field(min_length=1, description="Where the incident is.")
    incident: Incident = Field(description="The facts; any key may be added.")
    policy_hints: PolicyHints = Field(default=PolicyHints(), description="What the text has to respect.")
    approved_actions: list[str] = Field(  # type: ignore[assignment]
        default_factory=list, description="What the team does, in prose."
    )
    severities: Labels = Field(
        default=SEVERITIES, description="The project's scale of severities, where it is not P0 to P5."
    )
    standing: Standing = Field(
        default=Standing(), description="Text of the project whose words are never findings."
    )

    @model_validator(mode="before")
    @classmethod
    def _is_not_misspelt(cls, value: object) -> object:
        # Any key may be a fact, but one similar to a missing key is probably misspelt.
        if isinstance(value, dict):
            left_out = [key for key in _CONTEXT_KEYS if key not in value]
            near = [key for key in value if key not in _CONTEXT_KEYS and suggestion(key, left_out)]
            faults = [InitErrorDetails(type="extra_forbidden", loc=(key,), input=value[key]) for key in near]
            if faults:
                raise ValidationError.from_exception_data(cls.__name__, faults)
        return value


CONTEXT: TypeAdapter[ContextFile] = TypeAdapter(ContextFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A scenario with what it refers to.

    Attributes:
        subject: the incident context, the request of the guarded-policy agent, or the facts of the user's own
            agent; None without any.
        at: ``file:line`` of the test that makes the run, if there is no scenario file.
    """

    id: str
    path: Path
    scenario: AnyScenario
    subject: JsonObject | None
    plan: JsonObject | None = None
    at: str = ""

    @property
    def agent(self) -> str:
        """The agent under test."""
        scenario = self.scenario
        return scenario.name if isinstance(scenario, OwnAgentScenario) else scenario.agent

    @property
    def built_in(self) -> BuiltInScenario:
        """The scenario of a built-in agent; raises TypeError for any other."""
        if isinstance(self.scenario, OwnAgentScenario):
            raise TypeError(f"{self.id} is not a scenario of a built-in agent")
        return self.scenario

    @property
    def context_name(self) -> str | None:
        """Name of the context that the run is about, or of the plan that it carries out."""
        scenario = self.scenario
        return scenario.plan if isinstance(scenario, GuardedPolicyScenario) else scenario.context

    def place(self, field: str) -> str:
        """Return ``file:line`` of a field of the scenario."""
        if self.at:
            return self.at
        try:
            line = read_source(self.path).line_of((field,))
        except FileError:
            return str(self.path)
        return f"{self.path}:{line}"

    @property
    def asks_model(self) -> bool:
        """Whether the run makes model calls, and so has a cassette."""
        return bool(self.scenario.replies)

    @property
    def scripted_calls(self) -> int:
        """Number of calls that the scripted replies answer."""
        return sum(reply.times for reply in self.scenario.replies)


def load_case(layout: Layout, scenario_id: str) -> Case:
    """Read a scenario, and the context or plan that it names; raises ConfigurationError if there is none.

    A FileError names file, line and field of every fault.
    """
    path = layout.scenario_path(scenario_id)
    folder = scenario_id.split("/", maxsplit=1)[0]
    scenario = _load_scenario(layout, path, folder)
    if isinstance(scenario, OwnAgentScenario):
        facts = None
        if scenario.context is not None:
            changes = scenario.context_changes
            facts = changed_context(layout, path, scenario.context, changes, read=load_facts)
        return Case(id=scenario_id, path=path, scenario=scenario, subject=facts)
    if folder != scenario.agent:
        raise _fault(path, "agent", f"{scenario.agent!r} does not belong in the folder {folder!r}")
    if isinstance(scenario, GuardedPolicyScenario):
        request = merge_patch(build_request(), scenario.request_changes)
        if not isinstance(request, dict) or not isinstance(request.get("request"), dict):
            raise _fault(path, "request_changes", "does not leave an object `request`")
        plan = None if scenario.plan is None else _load_plan(layout, path, scenario.plan)
        return Case(id=scenario_id, path=path, scenario=scenario, subject=request, plan=plan)
    subject = changed_context(layout, path, scenario.context, scenario.context_changes, read=load_context)
    return Case(id=scenario_id, path=path, scenario=scenario, subject=subject)


def _load_scenario(layout: Layout, path: Path, folder: str) -> AnyScenario:
    source = read_source(path)
    is_object = isinstance(source.value, dict)
    value: JsonObject = source.value if is_object else {}
    agent, names = value.get("agent"), dict(layout.agents)
    is_own = any(key in value for key in ("command", "url")) or (
        isinstance(agent, str) and (":" in agent or agent in names)
    )
    if folder in BUILT_IN_AGENTS:
        if is_own:
            named = "an agent of your own" if agent is None else repr(agent)
            raise _fault(path, "agent", f"{named} does not belong in the folder {folder!r}")
        return _built_in(source)
    if is_object and not is_own:
        if agent is None:
            raise _fault(path, "agent", "is missing: give `agent`, `command` or `url`")
        if isinstance(agent, str) and agent not in BUILT_IN_AGENTS:
            hint = suggestion(agent, (*names, *BUILT_IN_AGENTS))
            problem = f"there is no agent {agent!r}{hint}; write module:callable, or name it in redpen_agents"
            raise _fault(path, "agent", problem)
    # Not cached: the user's own agents get these values and may change them.
    scenario: AnyScenario = validate(source, SCENARIO, fields=_scenario_fields())
    return scenario


# The run, the checks of the library and the report each load a scenario.
@functools.lru_cache(maxsize=4096)
def _built_in(source: Source) -> BuiltInScenario:
    return validate(source, BUILT_IN_SCENARIO, fields=_scenario_fields())


def load_context(path: Path) -> JsonObject:
    """Read an incident context and return its values; raises FileError with every fault."""
    return copy_object(_context_of(read_source(path), is_incident=True))


def load_facts(path: Path) -> JsonObject:
    """Read a context of any shape; raises FileError unless it is an object."""
    return copy_object(_context_of(read_source(path), is_incident=False))


# Hundreds of scenarios share a few contexts.
@functools.lru_cache(maxsize=256)
def _context_of(source: Source, *, is_incident: bool) -> JsonObject:
    if is_incident:
        validate(source, CONTEXT, fields=field_names(ContextFile))
    if not isinstance(source.value, dict):
        raise problem_in(source.path, "a context is an object: facts by their names")
    return copy_object(source.value)


def merge_patch(value: JsonValue, patch: JsonValue) -> JsonValue:
    """Return a value with a JSON merge patch applied, sharing nothing with either.

    Source: RFC 7396.
    """
    if not isinstance(patch, dict):
        return copy_json(patch)
    result = copy_object(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), change)
    return result


def check_library(layout: Layout, packs: PolicyPacks | None = None) -> tuple[Problem, ...]:
    """Return every fault of every file of a library, in their order.

    With packs, a scenario's pack that is not among them is a fault too.
    """
    problems: list[Problem] = []
    scenarios, contexts, plans = layout.scenario_ids(), layout.names("contexts"), layout.names("plans")
    for name in contexts:
        with _collecting(problems):
            if path := layout.context_path(name):
                load_any_context(path)
    for name in plans:
        with _collecting(problems):
            if path := layout.plan_path(name):
                _read_plan(path)
    for scenario_id in scenarios:
        with _collecting(problems):
            _check_case(layout, scenario_id, packs)
    finders: tuple[tuple[tuple[str, ...], Callable[[str], Path | None]], ...] = (
        (scenarios, layout.scenario_path),
        (contexts, layout.context_path),
        (plans, layout.plan_path),
    )
    for names, find in finders:
        # On a case-insensitive file system a checkout would silently lose one of two such files.
        by_lower_case: dict[str, str] = {}
        for name in names:
            twin = by_lower_case.setdefault(name.lower(), name)
            with _collecting(problems):
                if twin != name and (path := find(name)):
                    problem = f"differs from {twin} only in case, and some systems treat them as one file"
                    raise problem_in(path, problem)
    return tuple(dict.fromkeys(problems))


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    try:
        yield
    except FileError as error:
        problems += error.problems


def _check_case(layout: Layout, scenario_id: str, packs: PolicyPacks | None) -> None:
    case = load_case(layout, scenario_id)
    if packs is None or case.scenario.pack is None:
        return
    try:
        packs.named(case.scenario.pack)
    except ConfigurationError as error:
        place = ("policy", "pack")
        line = read_source(case.path).line_of(place)
        raise problem_in(case.path, str(error), line=line, field=".".join(place)) from error


def load_any_context(path: Path) -> JsonObject:
    """Read a context, of an incident or of any other shape; raises FileError with every fault."""
    # Only built-in agents need an incident; loading their scenarios reports a context that is none.
    facts = load_facts(path)
    return load_context(path) if {"incident", "report_date"} <= facts.keys() else facts


@functools.cache
def _scenario_fields() -> frozenset[str]:
    policies = (SelfCritiquePolicy, ReflectionPolicy, GuardedPolicy)
    return field_names(Scenario).union(*map(field_names, policies))


def find_facts(layout: Layout, name: str) -> JsonObject:
    """Return the facts of a context by its name; raises ConfigurationError if there is none, or FileError."""
    path = layout.context_path(name)
    if path is None:
        hint = suggestion(name, layout.names("contexts"))
        raise ConfigurationError(f"there is no context {name!r} in {layout.scenarios / 'contexts'}{hint}")
    return load_facts(path)


def changed_context(
    layout: Layout, path: Path, name: str, changes: JsonObject, *, read: Callable[[Path], JsonObject]
) -> JsonObject:
    """Return the context that a file names, with the file's changes to it; raises FileError."""
    context_path = layout.context_path(name)
    if context_path is None:
        hint = suggestion(name, layout.names("contexts"))
        raise _fault(path, "context", f"there is no contexts/{name}.yaml{hint}")
    context = merge_patch(read(context_path), changes)
    if not isinstance(context, dict):
        raise _fault(path, "context_changes", "does not leave an object")
    return context


def _load_plan(layout: Layout, path: Path, name: str) -> JsonObject:
    plan_path = layout.plan_path(name)
    if plan_path is None:
        raise _fault(path, "plan", f"there is no plans/{name}.yaml{suggestion(name, layout.names('plans'))}")
    return {"actions": copy_json(_read_plan(plan_path).actions)}


def _read_plan(path: Path) -> PlanFile:
    return load_model(path, PLAN, fields=field_names(PlanFile))


def _fault(path: Path, field: str, text: str) -> FileError:
    return problem_in(path, text, line=read_source(path).line_of((field,)), field=field)
