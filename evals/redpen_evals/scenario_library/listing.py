"""The scenarios of a library as a list for people."""

from __future__ import annotations

from collections.abc import Iterator

from redpen_evals.scenario_library.errors import LibraryError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario


def list_scenarios(layout: Layout, *, agent: str | None = None, tag: str | None = None) -> Iterator[str]:
    """Yield one aligned line a scenario: id, what it expects, and its tags.

    Args:
        layout: the library.
        agent: only those of this agent.
        tag: only those with this tag.

    Raises:
        ConfigurationError: there is no library.
    """
    rows = [
        row
        for scenario_id in layout.scenario_ids()
        if (row := _row(layout, scenario_id, agent, tag))
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    for name, expectation, tags in rows:
        yield f"{name.ljust(widths[0])}  {expectation.ljust(widths[1])}  {tags}".rstrip()


def _row(layout: Layout, scenario_id: str, agent: str | None, tag: str | None) -> tuple[str, str, str] | None:
    try:
        case = load_case(layout, scenario_id)
    except LibraryError as error:
        is_left_out = tag or agent not in {None, scenario_id.split("/")[0]}
        return None if is_left_out else (scenario_id, "broken", str(error.problems[0]))
    if agent not in {None, case.agent} or (tag is not None and tag not in case.scenario.tags):
        return None
    return scenario_id, _expectation(case), " ".join(case.scenario.tags)


def _expectation(case: Case) -> str:
    if isinstance(case.scenario, OwnAgentScenario):
        return f"raises {case.scenario.expect.raises}" if case.scenario.expect.raises else "answered"
    expect = case.scenario.expect
    return expect.outcome or "ok" if expect.status == "ok" else expect.stop_reason
