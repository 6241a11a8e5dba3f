"""The pytest plugin: scenarios as tests, cassettes behind them, four outcomes in the summary.

Loading it costs next to nothing: agents, vcrpy and the openai client are imported when a scenario runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.exit_codes import EXIT_ERRORED
from redpen_evals.fixtures.naming import OWN_FIXTURE, planned_call
from redpen_evals.options import SCRIPTED, Options, add_options
from redpen_evals.report_contents import (
    NOT_ASKED_PROPERTY,
    RESULTS_OF_REPORT,
    SCORECARD_OF_REPORT,
    UNSCORED_REPORT,
    properties,
    results_of,
)
from redpen_evals.scenario_run import (
    CONCLUSION,
    RESULTS,
    ScenarioNotPassed,
    ScenarioRun,
    Scorecard,
    ScorecardNotScored,
)
from redpen_evals.session_network import RedpenNetwork, SessionNetwork, network_of

if TYPE_CHECKING:
    from redpen_evals.evaluation import Evaluator
    from redpen_evals.fingerprints import Fingerprints
    from redpen_evals.fixtures.redpen import Redpen
    from redpen_evals.planning import Planned, Selection
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.run_recorder import Resumed
    from redpen_evals.scorecard.guard_sets import GuardSet
    from redpen_evals.scorecard.session import Conclusion, ScorecardSession
    from redpen_evals.variants import Variant

pytest_plugins = ["redpen_evals.fuzz.plugin"]

_TESTS_AHEAD = 20
"""As many tests have to run before those of the scorecard, for it to be scored ahead."""

_FIXTURE = "scenario_run"
_EARLIER = "redpen_earlier_record"
_KEPT = "redpen_kept_tests"
_EVALUATOR = pytest.StashKey["Evaluator"]()
_FINGERPRINTS = pytest.StashKey["Fingerprints"]()
_KEPT_TESTS = pytest.StashKey[frozenset[str]]()
_VARIANTS = pytest.StashKey[dict[str, "Variant"]]()
_UNUSABLE = pytest.StashKey[str]()
_NOTHING = pytest.StashKey[str]()
_SCORING = pytest.StashKey["ScorecardSession"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and settings of the harness."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what cannot be run, and register what writes the record of the session."""
    config.addinivalue_line(
        "markers",
        "redpen(replies=…, timeout_s=…, passthrough=…): how runs of the fixture `redpen` are made, with the "
        "names of a scenario file",
    )
    config.addinivalue_line(
        "markers",
        "redpen_network(*hosts): lets the test reach these hosts under --record=none, or every host if it "
        "names none",
    )
    # Before anything of the user's is imported.
    config.pluginmanager.register(SessionNetwork(config), "redpen_session_network")
    options = Options(config)
    if not options["--model"].strip():
        raise pytest.UsageError("--model: needs a name")
    if options["--family"] and options["--update-scorecard"]:
        raise pytest.UsageError("--update-scorecard records the figures of all families: not with --family")
    try:
        options.check_settings()
        options.events()
        _check_variants(options)
    except RedpenError as error:
        raise pytest.UsageError(str(error)) from error
    try:
        if options["--guards"]:
            from redpen_evals.scorecard.guard_sets import check_names

            check_names(options.guard_sets())
    except ConfigurationError as error:
        raise pytest.UsageError(str(error)) from error
    # The workers of pytest-xdist only run tests; what they find is told, and recorded, once.
    if not hasattr(config, "workerinput"):
        from redpen_evals.session_results import SessionResults

        try:
            resumed = _resumed(options)
            config.stash[_KEPT_TESTS] = resumed.tests if resumed else frozenset()
            config.pluginmanager.register(SessionResults(options, resumed))
        except RedpenError as error:
            raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist which earlier run is meant, and what of a killed one is kept.

    Its own `last` would be this run, and what is kept is decided once.
    """
    node.workerinput[_KEPT] = sorted(node.config.stash[_KEPT_TESTS])
    found = _earlier_record(Options(node.config))
    node.workerinput[_EARLIER] = str(found) if found else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every test that asks for ``scenario_run`` one run a scenario, variant and sample.

    A test that asks for ``redpen`` is repeated for each variant and sample, if there are several.
    """
    if _FIXTURE not in metafunc.fixturenames:
        if OWN_FIXTURE in metafunc.fixturenames:
            _repeat_own_calls(metafunc)
        return
    from redpen_evals.errors import NoLibraryError
    from redpen_evals.planning import nothing_found, plan

    planned: tuple[Planned, ...] = ()
    options = Options(metafunc.config)
    try:
        planned = plan(options)
        if not planned:
            raise nothing_found(options.layout)
    except NoLibraryError as error:
        if hasattr(metafunc.config, "workerinput") and not options["--allow-empty"]:
            # A worker of pytest-xdist has no other way to tell than a fault of what it collects.
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.config.stash[_NOTHING] = str(error)
    except ConfigurationError as error:
        if hasattr(metafunc.config, "workerinput"):
            # A worker of pytest-xdist has no other way to tell than a fault of what it collects.
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.config.stash[_UNUSABLE] = str(error)
    metafunc.parametrize(_FIXTURE, planned, ids=[one.test_id for one in planned], indirect=True)


def _repeat_own_calls(metafunc: pytest.Metafunc) -> None:
    options = Options(metafunc.config)
    if not options.turned and options["--samples"] == 1:
        return
    from redpen_evals.planning import plan_calls

    planned = plan_calls(options)
    metafunc.parametrize(OWN_FIXTURE, planned, ids=[one.test_id for one in planned], indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Import a test module once more that cannot be imported for want of a model's key, with a placeholder.

    Agents often make their client when they are imported; in replay nobody asks for the key.
    """
    report = yield
    if not report.failed or not isinstance(collector, pytest.Module):
        return report
    from _pytest.runner import pytest_make_collect_report

    from redpen_evals.targets.environment import placeholders_for

    with placeholders_for(str(report.longrepr)) as are_set:
        return pytest_make_collect_report(collector) if are_set else report


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """Run an async test that asks for ``redpen``, unless another plugin does."""
    import inspect

    if OWN_FIXTURE not in pyfuncitem.fixturenames or not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    if any(pyfuncitem.get_closest_marker(name) for name in ("asyncio", "anyio", "trio")):
        return None
    from redpen_evals.targets.calling import LOOPS

    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    LOOPS.get().run_until_complete(pyfuncitem.obj(**arguments))
    return True


def pytest_unconfigure() -> None:
    """Close the event loop that the session's async agents ran on."""
    import sys

    if "redpen_evals.targets.calling" in sys.modules:
        from redpen_evals.targets.calling import LOOPS

        LOOPS.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the scenarios that the filters leave out, and those that a resumed run has finished."""
    from redpen_evals.planning import Selection

    selection = Selection(Options(config), _earlier_record(Options(config)))
    kept = _kept_tests(config)
    if not selection.filters and not kept:
        return
    try:
        left_out = [item for item in items if item.nodeid in kept or not _is_wanted(item, selection)]
    except RedpenError as error:
        if hasattr(config, "workerinput"):
            raise pytest.Collector.CollectError(str(error)) from None
        raise pytest.UsageError(str(error)) from error
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(map(id, left_out))
        items[:] = [item for item in items if id(item) not in gone]
        narrowing = [name for name in ("--agent", "--tag", "--context") if config.getoption(name)]
        if narrowing and any(map(_planned, left_out)) and not any(map(_planned, items)):
            nothing = f"{' and '.join(narrowing)} leave no scenario of {len(left_out)}"
            if hasattr(config, "workerinput") and not config.getoption("--allow-empty"):
                raise pytest.Collector.CollectError(nothing)
            config.stash[_NOTHING] = nothing


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run scenarios of a library that cannot be used, or to pass where there is nothing to run."""
    stash = session.config.stash
    if problem := stash.get(_UNUSABLE, None):
        raise pytest.UsageError(problem)
    if (nothing := stash.get(_NOTHING, None)) and not session.config.getoption("--allow-empty"):
        message = f"{nothing}; nothing was tested (--allow-empty lets that pass)"
        pytest.exit(message, returncode=EXIT_ERRORED)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Have the built-in guard sets scored on another processor while the tests before the scorecard's run."""
    config = session.config
    before = next((at for at, item in enumerate(session.items) if _is_scored(item)), 0)
    # The workers of pytest-xdist have taken the other processors.
    if before < _TESTS_AHEAD or config.option.collectonly or hasattr(config, "workerinput"):
        return (yield)
    scoring = _scoring(config)
    try:
        # What is wrong here is for the scorecard's tests to say.
        with contextlib.suppress(RedpenError, OSError):
            scoring.score_ahead()
        return (yield)
    finally:
        scoring.end()


@pytest.fixture
def scenario_run(request: pytest.FixtureRequest) -> ScenarioRun:
    """The run of one scenario of the library; the test is repeated for each."""
    config, planned = request.config, request.param
    variant = _variant(config, planned)
    if variant.model != SCRIPTED and (agent := _not_asked(config, planned)):
        request.node.user_properties.append((NOT_ASKED_PROPERTY, agent))
        pytest.skip("the script is a fault that a live model cannot be asked to repeat (`live: no`)")
    return ScenarioRun(planned, variant, _evaluator(config), request.node.stash)


@pytest.fixture
def redpen(request: pytest.FixtureRequest) -> Redpen:
    """Runs agents out of a test: ``redpen.run(write_reply, ticket="…")``, ``with redpen.recording():``."""
    from redpen_evals.fixtures.redpen import Redpen

    planned = planned_call(request.node)
    if planned is None:
        raise pytest.UsageError(
            "the fixture `redpen` is for tests alone, not for other fixtures of a wider scope"
        )
    return Redpen(planned, _variant(request.config, planned), _evaluator(request.config), request.node)


@pytest.fixture
def redpen_network(pytestconfig: pytest.Config) -> Iterator[RedpenNetwork]:
    """The network as the session guards it: ``redpen_network.allow("localhost.test")`` for one test."""
    network = network_of(pytestconfig)
    before = network.allow(())
    yield RedpenNetwork(network)
    network.restore(before)


@pytest.fixture(scope="session")
def guard_sets(pytestconfig: pytest.Config) -> tuple[GuardSet, ...]:
    """The guard sets that the scorecard compares; a project may give its own."""
    from redpen_evals.scorecard.guard_sets import built_in_guard_sets

    return (*built_in_guard_sets(), *Options(pytestconfig).guard_sets())


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the result of a scenario, or a scorecard, to its report, and let it speak for itself."""
    if call.when == "call" and call.excinfo is not None and isinstance(call.excinfo.value, ScenarioNotPassed):
        # The result's text takes its place, and hundreds of scenarios can be stale at once.
        call.excinfo.traceback = call.excinfo.traceback[:0]
    report = _told(item, call, (yield))
    if OWN_FIXTURE in getattr(item, "fixturenames", ()) or _FIXTURE in getattr(item, "fixturenames", ()):
        _strike(report)
    return report


def _strike(report: pytest.TestReport) -> None:
    """Strike the secrets of the environment from what a test has said and printed."""
    from redpen_evals.targets.environment import SECRETS

    if any(SECRETS.redacted(text) != text for _, text in report.sections):
        report.sections = [(name, SECRETS.redacted(text)) for name, text in report.sections]
    if report.longrepr and (redacted := SECRETS.redacted(text := report.longreprtext)) != text:
        report.longrepr = redacted


def _told(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> pytest.TestReport:
    if call.when == "call" and CONCLUSION in item.stash:
        return _with_conclusion(item.stash[CONCLUSION], report)
    if call.when != "call":
        return report
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, ScorecardNotScored):
        report.longrepr = str(error)
        setattr(report, UNSCORED_REPORT, error.outcome)
    results = list(item.stash.get(RESULTS, ()))
    if isinstance(error, ScenarioNotPassed):
        report.longrepr = error.result.text
    elif error is not None and results and results[-1].outcome == "passed":
        # The run passed, but the test asked for more than that.
        from redpen_evals.targets.environment import SECRETS

        reason = SECRETS.redacted(f"{type(error).__name__}: {error}")
        changed = {"outcome": "failed", "reasons": (reason,), "broken": ("test",)}
        results[-1] = results[-1].model_copy(update=changed)
    unfit = [result for result in results if result.outcome in {"stale", "errored"}]
    if unfit and report.passed and _planned(item) is None:
        # The test took no notice; what it has seen is no answer of its agent's.
        report.outcome = "failed"
        report.longrepr = "\n".join(result.text for result in unfit)
    results = _with_origin(item, results, is_expected=report.passed)
    if results:
        # As text: reports cross from the workers of pytest-xdist as plain values.
        setattr(report, RESULTS_OF_REPORT, [result.model_dump_json() for result in results])
        for result in results:
            # On the item: JUnit's report takes them from the report of the teardown.
            item.user_properties += properties(result)
    return report


def _with_conclusion(conclusion: Conclusion, report: pytest.TestReport) -> pytest.TestReport:
    setattr(report, SCORECARD_OF_REPORT, conclusion.to_dict())
    if conclusion.breaches or conclusion.missing:
        report.longrepr = "\n".join((*conclusion.breaches, *conclusion.missing))
    if conclusion.missing and not conclusion.breaches:
        # Without a gate there is no verdict on the guards.
        setattr(report, UNSCORED_REPORT, "errored")
    return report


def _with_origin(
    item: pytest.Item, results: list[ScenarioResult], *, is_expected: bool
) -> list[ScenarioResult]:
    """Return results with what a run that is resumed has to know of them."""
    found = []
    for result in results:
        about = {
            "test": item.nodeid,
            "runs": len(results),
            "expected": is_expected and result.outcome != "passed",
        }
        known = result.model_copy(update=about)
        fingerprint = _fingerprints(item.config).of(known, is_call=_planned(item) is None)
        found.append(known.model_copy(update={"fingerprint": fingerprint}))
    return found


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


def _is_wanted(item: pytest.Item, selection: Selection) -> bool:
    if planned := _planned(item):
        return selection.wants(planned)
    return (call := planned_call(item)) is None or selection.wants_call(call)


def _planned(item: pytest.Item) -> Planned | None:
    callspec = getattr(item, "callspec", None)
    found: Planned | None = callspec.params.get(_FIXTURE) if callspec else None
    return found


def _is_scored(item: pytest.Item) -> bool:
    """Return whether a test asks for the scorecard of the guard sets that the plugin itself gives."""
    if "scorecard" not in getattr(item, "fixturenames", ()):
        return False
    given = item.session._fixturemanager.getfixturedefs("guard_sets", item)
    return given is not None and given[-1].func.__module__ == __name__


def _scoring(config: pytest.Config) -> ScorecardSession:
    if _SCORING not in config.stash:
        from redpen_evals.scorecard.guard_sets import built_in_guard_sets
        from redpen_evals.scorecard.session import ScorecardSession

        options = Options(config)
        config.stash[_SCORING] = ScorecardSession(
            layout=options.layout,
            guard_sets=built_in_guard_sets(),
            thresholds=options.path("redpen_scorecard"),
            update=options["--update-scorecard"],
            show_dev=options["--scorecard-dev"],
            families=frozenset(options["--family"]),
        )
    return config.stash[_SCORING]


def _not_asked(config: pytest.Config, planned: Planned) -> str | None:
    """Return the agent of a scenario of which a live model owes nothing, else None."""
    from redpen_evals.scenario_library.fields import NOT_ASKED
    from redpen_evals.scenario_library.loading import load_case
    from redpen_evals.scenario_library.own_agent import OwnAgentScenario
    from redpen_evals.scenario_library.scenario import asks_model, live_requirement

    try:
        scenario = (case := load_case(Options(config).layout, planned.scenario)).scenario
    except RedpenError:
        # Its run says what is wrong with it.
        return None
    if isinstance(scenario, OwnAgentScenario):
        return case.agent if scenario.live_requirement == NOT_ASKED else None
    return case.agent if live_requirement(scenario) == NOT_ASKED and asks_model(scenario) else None


def _variant(config: pytest.Config, planned: Planned) -> Variant:
    if _VARIANTS not in config.stash:
        options = Options(config)
        config.stash[_VARIANTS] = {
            variant.label: variant
            for is_own in (False, True)
            for variant in options.variants_of(is_own=is_own)
        }
    return config.stash[_VARIANTS][planned.variant]


def _check_variants(options: Options) -> None:
    models = {options["--model"]}
    if options.turned:
        models = {variant.model for variant in options.variants()}
    live = sorted(models - {SCRIPTED})
    if options["--record"] != "none" and live and options.has_built_in:
        from redpen.chat.settings import read_settings

        try:
            read_settings()
        except ConfigurationError as error:
            raise ConfigurationError(f"--record with --model {live[0]}: {error}") from error


def _earlier_record(options: Options) -> Path | None:
    """The record of the run that ``--only`` and ``--resume`` refer to."""
    known = getattr(options.config, "workerinput", {}).get(_EARLIER)
    if known is not None:
        return Path(known) if known else None
    name = options["--resume"] or ("last" if options["--only"] else None)
    return options.runs.find(name) if name else None


def _resumed(options: Options) -> Resumed | None:
    earlier = _earlier_record(options)
    if earlier is None or not options["--resume"]:
        return None
    from redpen_evals.run_recorder import resume

    return resume(earlier, options)


def _kept_tests(config: pytest.Config) -> frozenset[str]:
    kept = getattr(config, "workerinput", {}).get(_KEPT)
    return frozenset(kept) if kept is not None else config.stash.get(_KEPT_TESTS, frozenset())


def _fingerprints(config: pytest.Config) -> Fingerprints:
    if _FINGERPRINTS not in config.stash:
        from redpen_evals.fingerprints import Fingerprints

        config.stash[_FINGERPRINTS] = Fingerprints(Options(config))
    return config.stash[_FINGERPRINTS]


def _evaluator(config: pytest.Config) -> Evaluator:
    if _EVALUATOR not in config.stash:
        from redpen.chat.settings import read_settings
        from redpen_evals.evaluation import Evaluator

        options = Options(config)
        # Agents of somebody's own read their keys themselves, and maybe others.
        live = (
            options["--record"] != "none"
            and options.has_built_in
            and any(variant.model != SCRIPTED for variant in options.variants())
        )
        config.stash[_EVALUATOR] = Evaluator(
            layout=options.layout,
            model=options["--model"],
            record=options["--record"],
            live=read_settings() if live else None,
            root=config.rootpath,
            own=options.own_agents,
            packs=options.packs,
            events=options.events(),
        )
    return config.stash[_EVALUATOR]
