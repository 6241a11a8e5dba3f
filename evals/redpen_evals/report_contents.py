"""What a test's report carries from where the test ran to where the session is concluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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
