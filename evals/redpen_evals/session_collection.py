"""Which tests a pytest session runs: scenarios as parameters, less those filtered out or already finished."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.exit_codes import EXIT_ERRORED
from redpen_evals.fixtures.naming import OWN_FIXTURE, planned_call
from redpen_evals.options import Options

if TYPE_CHECKING:
    from redpen_evals.planning import Planned, Selection
    from redpen_evals.run_recorder import Resumed

SCENARIO_FIXTURE = "scenario_run"
_EARLIER = "redpen_earlier_record"
_KEPT = "redpen_kept_tests"
_KEPT_TESTS = pytest.StashKey[frozenset[str]]()
_UNUSABLE = pytest.StashKey[str]()
_NOTHING = pytest.StashKey[str]()


def resumed_run(options: Options) -> Resumed | None:
    """Return the killed run that ``--resume`` names, and leave out the tests that it finished.

    Raises:
        RecordError: its record cannot be read, or it was not killed.
        ConfigurationError: it ran with other options.
    """
    earlier = _earlier_record(options)
    resumed = None
    if earlier is not None and options["--resume"]:
        from redpen_evals.run_recorder import resume

        resumed = resume(earlier, options)
    options.config.stash[_KEPT_TESTS] = resumed.tests if resumed else frozenset()
    return resumed


def planned_scenario(item: pytest.Item) -> Planned | None:
    """Return the run of a scenario that a test is for; None for other tests."""
    callspec = getattr(item, "callspec", None)
    planned: Planned | None = callspec.params.get(SCENARIO_FIXTURE) if callspec else None
    return planned


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass a worker of pytest-xdist the earlier run and the tests that are kept of a killed one.

    For the worker `last` would be this run.
    """
    node.workerinput[_KEPT] = sorted(node.config.stash[_KEPT_TESTS])
    record = _earlier_record(Options.of(node.config))
    node.workerinput[_EARLIER] = str(record) if record else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test that uses ``scenario_run`` with each scenario, variant and sample.

    A test that uses ``redpen`` is repeated for each variant and sample, if there are several.
    """
    if SCENARIO_FIXTURE not in metafunc.fixturenames:
        if OWN_FIXTURE in metafunc.fixturenames:
            _repeat_own_calls(metafunc)
        return
    from redpen_evals.errors import NoLibraryError
    from redpen_evals.planning import nothing_found, plan

    planned: tuple[Planned, ...] = ()
    options = Options.of(metafunc.config)
    try:
        planned = plan(options)
        if not planned:
            raise nothing_found(options.layout)
    except NoLibraryError as error:
        if not options["--allow-empty"]:
            _fail_in_worker(metafunc.config, error)
        metafunc.config.stash[_NOTHING] = str(error)
    except ConfigurationError as error:
        _fail_in_worker(metafunc.config, error)
        metafunc.config.stash[_UNUSABLE] = str(error)
    metafunc.parametrize(SCENARIO_FIXTURE, planned, ids=[run.test_id for run in planned], indirect=True)


def _repeat_own_calls(metafunc: pytest.Metafunc) -> None:
    options = Options.of(metafunc.config)
    if not options.has_knobs and options["--samples"] == 1:
        return
    from redpen_evals.planning import plan_calls

    planned = plan_calls(options)
    metafunc.parametrize(OWN_FIXTURE, planned, ids=[run.test_id for run in planned], indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Retry the import of a test module that fails for lack of a model's key, with a placeholder as key.

    Agents often create their client when they are imported; replay never uses the key.
    """
    report = yield
    if not report.failed or not isinstance(collector, pytest.Module):
        return report
    from _pytest.runner import pytest_make_collect_report

    from redpen_evals.targets.environment import placeholders_for

    with placeholders_for(str(report.longrepr)) as are_set:
        return pytest_make_collect_report(collector) if are_set else report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the scenarios that the filters exclude, and those that a resumed run has finished."""
    from redpen_evals.planning import Selection

    selection = Selection(Options.of(config), _earlier_record(Options.of(config)))
    kept = _kept_tests(config)
    if not selection.filters and not kept:
        return
    try:
        deselected = [item for item in items if item.nodeid in kept or not _is_wanted(item, selection)]
    except RedpenError as error:
        _fail_in_worker(config, error)
        raise pytest.UsageError(str(error)) from error
    if not deselected:
        return
    config.hook.pytest_deselected(items=deselected)
    identities = set(map(id, deselected))
    items[:] = [item for item in items if id(item) not in identities]
    filters = [name for name in ("--agent", "--tag", "--context") if config.getoption(name)]
    if filters and any(map(planned_scenario, deselected)) and not any(map(planned_scenario, items)):
        nothing = f"{' and '.join(filters)} leave no scenario of {len(deselected)}"
        if not config.getoption("--allow-empty"):
            _fail_in_worker(config, nothing)
        config.stash[_NOTHING] = nothing


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run an unusable library of scenarios, or to pass where there is nothing to run."""
    stash = session.config.stash
    if problem := stash.get(_UNUSABLE, None):
        raise pytest.UsageError(problem)
    if (nothing := stash.get(_NOTHING, None)) and not session.config.getoption("--allow-empty"):
        message = f"{nothing}; nothing was tested (--allow-empty lets that pass)"
        pytest.exit(message, returncode=EXIT_ERRORED)


def _fail_in_worker(config: pytest.Config, problem: object) -> None:
    # A worker of pytest-xdist can report a problem of the session only as a collection error.
    if hasattr(config, "workerinput"):
        raise pytest.Collector.CollectError(str(problem)) from None


def _is_wanted(item: pytest.Item, selection: Selection) -> bool:
    if planned := planned_scenario(item):
        return selection.wants(planned)
    return (call := planned_call(item)) is None or selection.wants_call(call)


def _earlier_record(options: Options) -> Path | None:
    """Return the record of the run that ``--only`` and ``--resume`` refer to."""
    from_controller = getattr(options.config, "workerinput", {}).get(_EARLIER)
    if from_controller is not None:
        return Path(from_controller) if from_controller else None
    name = options["--resume"] or ("last" if options["--only"] else None)
    return options.runs.find(name) if name else None


def _kept_tests(config: pytest.Config) -> frozenset[str]:
    kept = getattr(config, "workerinput", {}).get(_KEPT)
    return frozenset(kept) if kept is not None else config.stash.get(_KEPT_TESTS, frozenset())
