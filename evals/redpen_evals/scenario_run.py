"""The objects that fixtures give to tests: a scenario to evaluate, the scorecard to score."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from redpen.errors import RedpenError

if TYPE_CHECKING:
    from redpen_evals.evaluation import Evaluator
    from redpen_evals.exit_codes import Outcome
    from redpen_evals.planning import Planned
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.scorecard.session import Conclusion, ScorecardSession
    from redpen_evals.variants import Variant

RESULTS = pytest.StashKey["list[ScenarioResult]"]()
"""The results of the runs of one test; a scenario's evaluation replaces the one before."""

CONCLUSION = pytest.StashKey["Conclusion"]()

MISSED = pytest.StashKey["Callable[[], str]"]()
"""Returns what a test with a run of its own has left undone, or nothing."""


class ScenarioNotPassed(AssertionError):  # noqa: N818 - names what happened to a scenario
    """A scenario's test did not pass; the result holds the reasons."""

    def __init__(self, result: ScenarioResult) -> None:
        super().__init__(result.text)
        self.result = result


class ScorecardNotScored(Exception):  # noqa: N818 - names what happened
    """Guards could not be scored, so there is no verdict on them.

    Attributes:
        outcome: ``stale`` if recordings are missing or do not match, else ``errored``.
    """

    def __init__(self, message: str, outcome: Outcome = "errored") -> None:
        super().__init__(message)
        self.outcome: Outcome = outcome


class ScenarioRun:
    """One scenario, ready to be evaluated.

    Attributes:
        scenario_id: e.g. ``reflection/approve-direct``.
        variant: label of the variant; empty for the base.
        sample: number of the independent answer, from 1.
    """

    def __init__(self, planned: Planned, variant: Variant, evaluator: Evaluator, stash: pytest.Stash) -> None:
        self.scenario_id = planned.scenario
        self.variant = planned.variant
        self.sample = planned.sample
        self._variant = variant
        self._evaluator = evaluator
        self._stash = stash
        stash[MISSED] = self._missed

    def evaluate(self) -> ScenarioResult:
        """Replay or record the run, as the command line says, and judge it; the last call counts."""
        result = self._evaluator.evaluate(self.scenario_id, variant=self._variant, sample=self.sample)
        self._stash[RESULTS] = [result]
        return result

    def check(self) -> None:
        """Evaluate the scenario; raises ``ScenarioNotPassed`` unless it passed."""
        result = self.evaluate()
        if result.outcome != "passed":
            raise ScenarioNotPassed(result)

    def _missed(self) -> str:
        done = RESULTS in self._stash
        return "" if done else f"{self.scenario_id}: the test did not run it: call `scenario_run.check()`"


class Scorecard:
    """The guard sets under test, ready to be scored on the labelled drafts."""

    def __init__(self, session: ScorecardSession, node: pytest.Item) -> None:
        self._session = session
        self._node = node

    def check(self) -> None:
        """Score the guard sets; raises ``ThresholdsBrokenError`` if one is below its thresholds."""
        self._check(self._session.conclude)

    def check_disguises(self) -> None:
        """Score them on disguised forms of the drafts that they judged rightly; raises as ``check``."""
        self._check(self._session.conclude_disguises)

    def _check(self, conclude: Callable[[], Conclusion]) -> None:
        from redpen_evals.errors import UnrecordedError
        from redpen_evals.scorecard.session import check

        try:
            conclusion = conclude()
        except UnrecordedError as error:
            raise ScorecardNotScored(str(error), "stale") from error
        except RedpenError as error:
            raise ScorecardNotScored(str(error)) from error
        self._node.stash[CONCLUSION] = conclusion
        check(conclusion)
        if conclusion.missing:
            raise ScorecardNotScored("\n".join(conclusion.missing))
