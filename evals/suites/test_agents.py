"""Every scenario of the library, run through its agent."""

from redpen_evals.plugin import ScenarioRun


def test_agent(scenario_run: ScenarioRun) -> None:
    """The run meets its scenario's expectation and breaks none of its invariants."""
    scenario_run.check()
