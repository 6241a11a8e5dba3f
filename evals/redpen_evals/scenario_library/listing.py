"""The scenarios of a library as a list for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen


def list_scenarios(
    layout: Layout, *, agent: str | None = None, tag: str | None = None, screen: Screen = PLAIN
) -> Iterator[str]:
    """Yield one aligned line a scenario: id, what it expects, and its tags.

    Args:
        layout: the library.
        agent: only those of this agent.
        tag: only those with this tag.
        screen: where the lines are shown.

    Raises:
        ConfigurationError: there is no library, or no such agent.
    """
    found = list(_read_all(layout))
    if agent is not None:
        check_agent(agent, layout, (name for _, name, _ in found))
    rows = [
        row
        for scenario_id, name, case in found
        if agent in {None, name} and (row := _row(scenario_id, case, tag))
    ]
    yield from table_lines((), rows, screen=screen)


def agents_by_scenario(layout: Layout) -> dict[str, str]:
    """Return whose agent each scenario is of, by id; none where there is no library."""
    if not layout.scenarios.is_dir():
        return {}
    return {scenario_id: agent for scenario_id, agent, _ in _read_all(layout)}


def check_agent(agent: str, layout: Layout, used: Iterable[str]) -> None:
    """Raise ConfigurationError for an agent that is not built in, has no short name and is not among others.

    Args:
        agent: the name.
        layout: gives the short names.
        used: agents of scenarios or recordings.
    """
    known = {*BUILT_IN_AGENTS, *dict(layout.agents), *used}
    if agent not in known:
        raise ConfigurationError(f"--agent: there is no agent {agent!r}{suggestion(agent, known)}")


def _read_all(layout: Layout) -> Iterator[tuple[str, str, Case | FileError]]:
    for scenario_id in layout.scenario_ids():
        try:
            case = load_case(layout, scenario_id)
        except FileError as error:
            yield scenario_id, scenario_id.split("/")[0], error
        else:
            yield scenario_id, case.agent, case


def _row(scenario_id: str, case: Case | FileError, tag: str | None) -> tuple[str, str, str] | None:
    if isinstance(case, FileError):
        return None if tag else (scenario_id, "broken", str(case.problems[0]))
    if tag is not None and tag not in case.scenario.tags:
        return None
    return scenario_id, _expectation(case), " ".join(case.scenario.tags)


def _expectation(case: Case) -> str:
    if isinstance(case.scenario, OwnAgentScenario):
        return f"raises {case.scenario.expect.raises}" if case.scenario.expect.raises else "answered"
    expect = case.scenario.expect
    return expect.outcome or "ok" if expect.status == "ok" else expect.stop_reason
