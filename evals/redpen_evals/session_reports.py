"""The reports of a session's tests: results of scenarios and scorecards, with secrets redacted."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from redpen_evals.fixtures.naming import OWN_FIXTURE
from redpen_evals.options import Options
from redpen_evals.report_contents import (
    RESULTS_OF_REPORT,
    SCORECARD_OF_REPORT,
    UNSCORED_REPORT,
    properties,
    results_of,
)
from redpen_evals.scenario_run import CONCLUSION, MISSED, RESULTS, ScenarioNotPassed, ScorecardNotScored
from redpen_evals.session_collection import SCENARIO_FIXTURE, planned_scenario

if TYPE_CHECKING:
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.scorecard.session import Conclusion


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that passed without the run that its fixture is for."""
    result = yield
    if MISSED in item.stash and (missed := item.stash[MISSED]()):
        pytest.fail(missed, pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the result of a scenario, or a scorecard, to the test's report, in place of a traceback."""
    if call.when == "call" and call.excinfo is not None and isinstance(call.excinfo.value, ScenarioNotPassed):
        # The result's text replaces it, and hundreds of scenarios can be stale at once.
        call.excinfo.traceback = call.excinfo.traceback[:0]
    report = yield
    if call.when == "call" and CONCLUSION in item.stash:
        _add_scorecard(item.stash[CONCLUSION], report)
    elif call.when == "call":
        _add_results(item, call.excinfo.value if call.excinfo else None, report)
    if not {OWN_FIXTURE, SCENARIO_FIXTURE}.isdisjoint(getattr(item, "fixturenames", ())):
        _redact(report)
    return report


def pytest_report_teststatus(
    report: pytest.CollectReport | pytest.TestReport,
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Show ``stale`` and ``errored`` as outcomes of their own."""
    if report.when != "call" or not report.failed:
        return None
    outcomes = {result.outcome for result in results_of(report)}
    if "errored" in outcomes:
        return "errored", "E", ("ERRORED", {"red": True})
    if "stale" in outcomes:
        return "stale", "S", ("STALE", {"yellow": True})
    return None


def _redact(report: pytest.TestReport) -> None:
    """Redact the secrets of the environment from a test's failure and output."""
    from redpen_evals.targets.environment import SECRETS

    if any(SECRETS.redacted(text) != text for _, text in report.sections):
        report.sections = [(name, SECRETS.redacted(text)) for name, text in report.sections]
    if report.longrepr and (redacted := SECRETS.redacted(text := report.longreprtext)) != text:
        report.longrepr = redacted


def _add_results(item: pytest.Item, error: BaseException | None, report: pytest.TestReport) -> None:
    if isinstance(error, ScorecardNotScored):
        report.longrepr = str(error)
        setattr(report, UNSCORED_REPORT, error.outcome)
    results = list(item.stash.get(RESULTS, ()))
    if isinstance(error, ScenarioNotPassed):
        # Pytest's short summary shows only the first line.
        report.longrepr = error.result.headed_text
    elif error is not None and results and results[-1].outcome == "passed":
        # The run passed, but an assertion of the test itself did not.
        from redpen_evals.targets.environment import SECRETS

        reason = SECRETS.redacted(f"{type(error).__name__}: {error}")
        changed = {"outcome": "failed", "reasons": (reason,), "broken": ("test",)}
        results[-1] = results[-1].model_copy(update=changed)
    unfit = [result for result in results if result.outcome in {"stale", "errored"}]
    if unfit and report.passed and planned_scenario(item) is None:
        # The test ignored the outcome, but what it saw was no answer of its agent.
        report.outcome = "failed"
        report.longrepr = "\n".join(result.text for result in unfit)
    results = _with_origin(item, results, is_expected=report.passed)
    if results:
        # As text: reports cross from the workers of pytest-xdist as plain values.
        setattr(report, RESULTS_OF_REPORT, [result.model_dump_json() for result in results])
        for result in results:
            # On the item: the JUnit report takes them from the report of the teardown.
            item.user_properties += properties(result)


def _add_scorecard(conclusion: Conclusion, report: pytest.TestReport) -> None:
    setattr(report, SCORECARD_OF_REPORT, conclusion.to_dict())
    if conclusion.breaches or conclusion.missing:
        report.longrepr = "\n".join((*conclusion.breaches, *conclusion.missing))
    if conclusion.missing and not conclusion.breaches:
        # Without a gate there is no verdict on the guards.
        setattr(report, UNSCORED_REPORT, "errored")


def _with_origin(
    item: pytest.Item, results: list[ScenarioResult], *, is_expected: bool
) -> list[ScenarioResult]:
    """Return results with the test and the fingerprint that a resumed run needs."""
    is_call = planned_scenario(item) is None
    complete = []
    for result in results:
        origin = {
            "test": item.nodeid,
            "runs": len(results),
            "expected": is_expected and result.outcome != "passed",
        }
        located = result.model_copy(update=origin)
        fingerprint = Options.of(item.config).fingerprints.of(located, is_call=is_call)
        complete.append(located.model_copy(update={"fingerprint": fingerprint}))
    return complete
