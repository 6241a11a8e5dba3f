"""What a test's report carries from where the test ran to where the session is concluded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest
from _pytest.junitxml import xml_key

if TYPE_CHECKING:
    from redpen_evals.records.model import ScenarioResult


RESULTS_OF_REPORT: Final = "redpen_results"
SCORECARD_OF_REPORT: Final = "redpen_scorecard"
NOT_ASKED_PROPERTY: Final = "redpen_not_asked"
"""Property of a test that was left out since a live model owes nothing in its scenario: the agent."""
UNSCORED_REPORT: Final = "redpen_unscored"
"""Set on the report of a test whose failure says nothing of what it tests: ``errored`` or ``stale``."""


def results_of(report: object) -> tuple[ScenarioResult, ...]:
    """Return the results of runs that a report carries."""
    contents: list[str] = getattr(report, RESULTS_OF_REPORT, [])
    if not contents:
        return ()
    from redpen_evals.records.model import ScenarioResult

    return tuple(map(ScenarioResult.model_validate_json, contents))


def scorecard_of(report: object) -> dict[str, Any] | None:
    """Return the scorecard that a report carries, or None."""
    value: dict[str, Any] | None = getattr(report, SCORECARD_OF_REPORT, None)
    return value


_FAILURE, _ERROR = "failure", "error"


def mark_as_error(config: pytest.Config, report: pytest.TestReport) -> None:
    """Make the failure that pytest has noted of a test in its JUnit report an error.

    Args:
        config: of the session; where it writes no such report, nothing is done.
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
    """Return what a JUnit report says of a result."""
    named = {
        "scenario": result.scenario,
        "variant": result.variant,
        "sample": result.sample if result.sample > 1 else None,
        "outcome": result.outcome,
        "stop_reason": result.stop_reason,
        "decision": result.decision,
        "tokens": result.tokens or None,
        "policy": result.policy.shown if result.policy else None,
    }
    return [(f"redpen_{name}", value) for name, value in named.items() if value]


def add_kept(config: pytest.Config, kept: Iterable[ScenarioResult]) -> None:
    """Add the tests to the JUnit report whose results a resumed run keeps.

    Args:
        config: of the session; where it writes no such report, nothing is done.
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
        message = [pair for result in results for pair in properties(result)]
        call = _report(test, "call", "\n".join(broken), message)
        xml.pytest_runtest_logreport(call)
        xml.pytest_runtest_logreport(_report(test, "teardown", "", message))


def _report(
    test: str, when: Literal["call", "teardown"], broken: str, message: list[tuple[str, object]]
) -> pytest.TestReport:
    path, _, name = test.partition("::")
    return pytest.TestReport(
        nodeid=test,
        location=(path, None, name),
        keywords={},
        outcome="failed" if broken else "passed",
        longrepr=broken or None,
        when=when,
        user_properties=message,
    )
