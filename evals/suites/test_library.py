"""The library as a whole: sound files, no recording without its scenario."""

import pytest

from redpen.stop_reasons import STOP_REASONS
from redpen_evals.options import Options
from redpen_evals.scenario_library.drafts import check_drafts
from redpen_evals.scenario_library.listing import orphaned_cassettes
from redpen_evals.scenario_library.loading import check_library, load_case


def test_every_file_is_sound(pytestconfig: pytest.Config) -> None:
    """No file of the library has a fault."""
    layout = Options.of(pytestconfig).layout
    assert [str(problem) for problem in (*check_library(layout), *check_drafts(layout))] == []


def test_every_cassette_has_its_scenario(pytestconfig: pytest.Config) -> None:
    """No recording is left of a scenario that is gone."""
    assert [str(path) for path in orphaned_cassettes(Options.of(pytestconfig).layout)] == []


def test_every_stop_reason_is_reached(pytestconfig: pytest.Config) -> None:
    """Whatever can end a run of an agent, some scenario of that agent ends so."""
    layout = Options.of(pytestconfig).layout
    expected = {
        (case.agent, case.scenario.expect.stop_reason)
        for case in (load_case(layout, scenario_id) for scenario_id in layout.scenario_ids())
    }
    unreached = [
        f"{agent}: {row.code}"
        for row in STOP_REASONS
        if row.reach == "run"
        for agent in sorted(row.agents)
        if not any(agent == other and row.matches(reason) for other, reason in expected)
    ]
    assert unreached == []
