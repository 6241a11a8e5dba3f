"""The results that test reports carry from the workers to the controller of a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

import pytest
from _pytest.junitxml import xml_key

if TYPE_CHECKING:
    from redpen_evals.records.model import ScenarioResult


RESULTS_OF_REPORT: Final = "redpen_results"
SCORECARD_OF_REPORT: Final = "redpen_scorecard"
NOT_ASKED_PROPERTY: Final = "redpen_not_asked"
"""Property of a test that was skipped since its scenario requires nothing of a live model: the agent."""
UNSCORED_REPORT: Final = "redpen_unscored"
"""Set on the report of a test that failed before it could judge the guards: ``errored`` or ``stale``."""


def results_of(report: object) -> tuple[ScenarioResult, ...]:
    """Return the results of runs that a report carries."""
    contents: list[str] = getattr(report, RESULTS_OF_REPORT, [])
    if not contents:
        return ()
    from redpen_evals.records.model import ScenarioResult

    return tuple(map(ScenarioResult.model_validate_json, contents))


_FAILURE, _ERROR = "failure", "error"


def mark_as_error(config: pytest.Config, report: pytest.TestReport) -> None:
    """Turn a test's failure in pytest's JUnit report into an error.

    Args:
        config: of the session; without a JUnit report nothing is done.
        report: of the test's call.
    """
    xml = config.stash.get(xml_key, None)
    if xml is None:
        return
    for node in xml.node_reporter(report).nodes:
        if node.tag == _FAILURE:
            node.tag = _ERROR
            xml.stats[_FAILURE] -= 1
            xml.stats[_ERROR] += 1


def properties(result: ScenarioResult) -> list[tuple[str, object]]:
    """Return the properties of a result in a JUnit report."""
    values = {
        "scenario": result.scenario,
        "variant": result.variant,
        "sample": result.sample if result.sample > 1 else None,
        "outcome": result.outcome,
        "stop_reason": result.stop_reason,
        "decision": result.decision,
        "tokens": result.tokens or None,
        "policy": result.policy.shown if result.policy else None,
    }
    return [(f"redpen_{name}", value) for name, value in values.items() if value]


def add_kept(config: pytest.Config, kept: Iterable[ScenarioResult]) -> None:
    """Add the tests whose results a resumed run keeps to the JUnit report.

    Args:
        config: of the session; without a JUnit report nothing is done.
        kept: results of tests that did not run again.
    """
    xml = config.stash.get(xml_key, None)
    if xml is None:
        return
    by_test: dict[str, list[ScenarioResult]] = {}
    for result in kept:
        by_test.setdefault(result.test, []).append(result)
    for test, results in by_test.items():
        broken = [result.text for result in results if result.outcome != "passed" and not result.expected]
        values = [pair for result in results for pair in properties(result)]
        xml.pytest_runtest_logreport(_report(test, "call", "\n".join(broken), values))
        xml.pytest_runtest_logreport(_report(test, "teardown", "", values))


def _report(
    test: str, when: Literal["call", "teardown"], broken: str, values: list[tuple[str, object]]
) -> pytest.TestReport:
    path, _, name = test.partition("::")
    return pytest.TestReport(
        nodeid=test,
        location=(path, None, name),
        keywords={},
        outcome="failed" if broken else "passed",
        longrepr=broken or None,
        when=when,
        user_properties=values,
    )
