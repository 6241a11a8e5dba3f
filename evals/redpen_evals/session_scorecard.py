"""The scorecard's fixtures, and its scoring ahead on another processor while other tests run."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

import pytest

from redpen.errors import RedpenError
from redpen_evals.options import Options
from redpen_evals.scenario_run import Scorecard

if TYPE_CHECKING:
    from redpen_evals.scorecard.guard_sets import GuardSet
    from redpen_evals.scorecard.session import ScorecardSession

_MIN_TESTS_BEFORE = 20
"""Number of tests before the scorecard's from which scoring ahead is worth a process."""

_SCORING = pytest.StashKey["ScorecardSession"]()


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Score the built-in guard sets in another process while the tests before the scorecard's run."""
    config = session.config
    tests_before = next((at for at, item in enumerate(session.items) if _scores_built_in_sets(item)), 0)
    # The workers of pytest-xdist occupy the other processors.
    if tests_before < _MIN_TESTS_BEFORE or config.option.collectonly or hasattr(config, "workerinput"):
        return (yield)
    scoring = _scoring(config)
    try:
        # The scorecard's own tests report any error.
        with contextlib.suppress(RedpenError, OSError):
            scoring.score_ahead()
        return (yield)
    finally:
        scoring.end()


@pytest.fixture(scope="session")
def guard_sets(pytestconfig: pytest.Config) -> tuple[GuardSet, ...]:
    """The guard sets that the scorecard compares; a project may override it."""
    from redpen_evals.scorecard.guard_sets import built_in_guard_sets

    return (*built_in_guard_sets(), *Options.of(pytestconfig).guard_sets())


@pytest.fixture(scope="session")
def _scorecard_session(pytestconfig: pytest.Config, guard_sets: Iterable[GuardSet]) -> ScorecardSession:
    from redpen_evals.scorecard.guard_sets import check_names

    session = _scoring(pytestconfig)
    session.guard_sets = check_names(guard_sets)
    return session


@pytest.fixture
def scorecard(request: pytest.FixtureRequest, _scorecard_session: ScorecardSession) -> Scorecard:
    """The scorecard of the guard sets on the labelled drafts of the library."""
    return Scorecard(_scorecard_session, request.node)


def _scores_built_in_sets(item: pytest.Item) -> bool:
    """Return whether a test uses the scorecard with this module's ``guard_sets``, not an override."""
    if "scorecard" not in getattr(item, "fixturenames", ()):
        return False
    definitions = item.session._fixturemanager.getfixturedefs("guard_sets", item)
    return definitions is not None and definitions[-1].func.__module__ == __name__


def _scoring(config: pytest.Config) -> ScorecardSession:
    if _SCORING not in config.stash:
        from redpen_evals.scorecard.guard_sets import built_in_guard_sets
        from redpen_evals.scorecard.session import ScorecardSession

        options = Options.of(config)
        config.stash[_SCORING] = ScorecardSession(
            layout=options.layout,
            guard_sets=built_in_guard_sets(),
            thresholds=options.path("redpen_scorecard"),
            update=options["--update-scorecard"],
            show_dev=options["--scorecard-dev"],
            families=frozenset(options["--family"]),
        )
    return config.stash[_SCORING]
