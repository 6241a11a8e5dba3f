"""The pytest plugin: scenarios as tests, cassettes behind them, four outcomes in the summary.

Loading it costs next to nothing: agents, vcrpy and the openai client are imported when a scenario runs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.outcome import ScenarioNotPassed, Verdict, read_verdict

if TYPE_CHECKING:
    from redpen_evals.evaluation import Evaluator
    from redpen_evals.library.layout import Layout
    from redpen_evals.scorecard.guard_sets import GuardSet
    from redpen_evals.scorecard.session import Conclusion, ScorecardSession

pytest_plugins = ["redpen_evals.fuzz.plugin"]

_FIXTURE = "scenario_run"
_RECORD_MODES = ("none", "missing", "stale", "all")
_SCRIPTED = "scripted"
_VERDICT = "redpen_verdict"
_SCORECARD = "redpen_scorecard"
_EVALUATOR = pytest.StashKey["Evaluator"]()
_LAST_VERDICT = pytest.StashKey[Verdict]()
_CONCLUSION = pytest.StashKey["Conclusion"]()
_UNUSABLE = pytest.StashKey[str]()


class ScenarioRun:
    """One scenario, ready to be evaluated.

    Attributes:
        scenario_id: e.g. ``reflection/approve-direct``.
    """

    def __init__(self, scenario_id: str, evaluator: Evaluator, stash: pytest.Stash) -> None:
        self.scenario_id = scenario_id
        self._evaluator = evaluator
        self._stash = stash

    def evaluate(self) -> Verdict:
        """Replay or record the run, as the command line says, and judge it; the summary counts the last."""
        verdict = self._evaluator.evaluate(self.scenario_id)
        self._stash[_LAST_VERDICT] = verdict
        return verdict

    def check(self) -> None:
        """Evaluate the scenario; raises ``ScenarioNotPassed`` unless it passed."""
        verdict = self.evaluate()
        if verdict.outcome != "passed":
            raise ScenarioNotPassed(verdict)


class Scorecard:
    """The guard sets under test, ready to be scored on the labelled drafts."""

    def __init__(self, session: ScorecardSession, node: pytest.Item) -> None:
        self._session = session
        self._node = node

    def check(self) -> None:
        """Score the guard sets; raises ``ThresholdsBrokenError`` if one is under its thresholds."""
        self._check(self._session.conclude)

    def check_disguises(self) -> None:
        """Score them under disguises of what they judged rightly; raises as ``check``."""
        self._check(self._session.conclude_disguises)

    def _check(self, conclude: Callable[[], Conclusion]) -> None:
        from redpen_evals.scorecard.session import check

        try:
            conclusion = conclude()
        except RedpenError as error:
            pytest.fail(str(error), pytrace=False)
        self._node.stash[_CONCLUSION] = conclusion
        check(conclusion)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and settings of the harness."""
    group = parser.getgroup("redpen", "scenarios of agents that write to customers")
    group.addoption(
        "--record",
        choices=_RECORD_MODES,
        default="none",
        help="which cassettes to record: none (replay offline, the default), missing, stale "
        "(missing or no longer matching), all",
    )
    group.addoption(
        "--model",
        metavar="NAME",
        default=_SCRIPTED,
        help="whose recordings to use, a folder of the cassettes: scripted (the default; recorded from the "
        "scenarios' own replies, without a key), or a model's name (recorded with OPENAI_API_KEY and "
        "OPENAI_BASE_URL; judged by invariants only)",
    )
    group.addoption(
        "--guards",
        action="append",
        default=[],
        metavar="MODULE:NAME",
        help="score these guards too (repeatable): a callable of the keywords original, revised and context "
        "that returns an object with violations, an iterable of codes, or whether it blocks",
    )
    group.addoption(
        "--scorecard-dev",
        action="store_true",
        help="print the scorecard of the split dev too, and which of its items are judged wrongly",
    )
    group.addoption(
        "--update-scorecard",
        nargs="?",
        choices=("raise", "lower"),
        const="raise",
        help="record the figures of the scorecard as its thresholds where they are stricter (raise, the "
        "default), or whatever they are (lower)",
    )
    parser.addini("redpen_scenarios", "folder of the scenario library", default="scenarios")
    parser.addini("redpen_cassettes", "folder of the cassettes", default="cassettes")
    parser.addini(
        "redpen_scorecard", "thresholds file of the scorecard", default="evals/suites/scorecard.toml"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every test that asks for ``scenario_run`` one run a scenario, named for its id."""
    if _FIXTURE not in metafunc.fixturenames:
        return
    try:
        ids = layout_of(metafunc.config).scenario_ids()
    except ConfigurationError as error:
        if hasattr(metafunc.config, "workerinput"):
            # A worker of pytest-xdist has no other way to tell than a fault of what it collects.
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.config.stash[_UNUSABLE] = str(error)
        ids = ()
    metafunc.parametrize(_FIXTURE, ids, ids=ids, indirect=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run scenarios of a library that is not there."""
    if problem := session.config.stash.get(_UNUSABLE, None):
        raise pytest.UsageError(problem)


@pytest.fixture
def scenario_run(request: pytest.FixtureRequest) -> ScenarioRun:
    """The run of one scenario of the library; the test is repeated for each."""
    return ScenarioRun(request.param, _evaluator(request.config), request.node.stash)


@pytest.fixture(scope="session")
def guard_sets(pytestconfig: pytest.Config) -> tuple[GuardSet, ...]:
    """The guard sets that the scorecard compares; a project may give its own."""
    from redpen_evals.scorecard.guard_sets import built_in_guard_sets, load_guard_set

    return (*built_in_guard_sets(), *map(load_guard_set, pytestconfig.getoption("--guards")))


@pytest.fixture(scope="session")
def _scorecard_session(pytestconfig: pytest.Config, guard_sets: Iterable[GuardSet]) -> ScorecardSession:
    from redpen_evals.scorecard.guard_sets import check_names
    from redpen_evals.scorecard.session import ScorecardSession

    return ScorecardSession(
        layout=layout_of(pytestconfig),
        guard_sets=check_names(guard_sets),
        thresholds=_thresholds_path(pytestconfig),
        update=pytestconfig.getoption("--update-scorecard"),
        show_dev=pytestconfig.getoption("--scorecard-dev"),
    )


@pytest.fixture
def scorecard(request: pytest.FixtureRequest, _scorecard_session: ScorecardSession) -> Scorecard:
    """The scorecard of the guard sets on the labelled drafts of the library."""
    return Scorecard(_scorecard_session, request.node)


def layout_of(config: pytest.Config) -> Layout:
    """Return the folders that the configuration names, relative to its root."""
    from redpen_evals.library.layout import Layout

    root = Path(config.rootpath)
    return Layout(
        scenarios=root / str(config.getini("redpen_scenarios")),
        cassettes=root / str(config.getini("redpen_cassettes")),
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a model without a name, a live recording without a key, and guards that are not there."""
    record, model, guards = (config.getoption(name) for name in ("--record", "--model", "--guards"))
    if not model.strip():
        raise pytest.UsageError("--model: needs a name")
    try:
        if record != "none" and model != _SCRIPTED:
            from redpen.chat.settings import read_settings

            read_settings()
    except ConfigurationError as error:
        raise pytest.UsageError(f"--record with --model {model}: {error}") from error
    try:
        if guards:
            from redpen_evals.scorecard.guard_sets import check_names, load_guard_set

            check_names(map(load_guard_set, guards))
    except ConfigurationError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the verdict of a scenario, or a scorecard, to its report, and let it speak for itself."""
    report = yield
    if call.when == "call" and _CONCLUSION in item.stash:
        conclusion = item.stash[_CONCLUSION]
        setattr(report, _SCORECARD, conclusion.to_dict())
        if conclusion.breaches:
            report.longrepr = "\n".join(conclusion.breaches)
        return report
    if call.when != "call" or _FIXTURE not in getattr(item, "fixturenames", ()):
        return report
    error = call.excinfo.value if call.excinfo else None
    verdict = item.stash.get(_LAST_VERDICT, None)
    if isinstance(error, ScenarioNotPassed):
        report.longrepr = error.verdict.text
    elif error is not None and verdict is not None and verdict.outcome == "passed":
        # The run passed, but the test asked for more than that.
        verdict = replace(verdict, outcome="failed", reasons=(f"{type(error).__name__}: {error}",))
    if verdict is not None:
        _attach(report, verdict)
    return report


def pytest_report_teststatus(
    report: pytest.CollectReport | pytest.TestReport,
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Show ``stale`` and ``errored`` as outcomes of their own."""
    verdict = verdict_of(report)
    if verdict is None or report.when != "call" or not report.failed:
        return None
    match verdict.outcome:
        case "stale":
            return "stale", "S", ("STALE", {"yellow": True})
        case "errored":
            return "errored", "E", ("ERRORED", {"red": True})
        case _:
            return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Count the four outcomes by agent and list what is not passed; print the scorecard."""
    # The workers of pytest-xdist have a reporter too; what they found is told, and recorded, once.
    if hasattr(config, "workerinput"):
        return
    reports = list({id(item): item for group in terminalreporter.stats.values() for item in group}.values())
    verdicts = [verdict for report in reports if (verdict := verdict_of(report)) is not None]
    if verdicts:
        from redpen_evals.summary import write_summary

        write_summary(terminalreporter, sorted(verdicts, key=lambda verdict: verdict.scenario))
    carried = [(report.nodeid, value) for report in reports if (value := getattr(report, _SCORECARD, None))]
    if carried:
        from redpen_evals.scorecard.summary import write_scorecard

        conclusions = [value for _, value in sorted(carried, key=lambda pair: pair[0], reverse=True)]
        write_scorecard(
            terminalreporter,
            conclusions,
            thresholds=_thresholds_path(config),
            update=config.getoption("--update-scorecard"),
        )


def verdict_of(report: object) -> Verdict | None:
    """Return the verdict that a test's report carries, or None."""
    value: dict[str, Any] | None = getattr(report, _VERDICT, None)
    return None if value is None else read_verdict(value)


def _thresholds_path(config: pytest.Config) -> Path:
    return Path(config.rootpath) / str(config.getini("redpen_scorecard"))


def _attach(report: pytest.TestReport, verdict: Verdict) -> None:
    # As plain values: reports cross from the workers of pytest-xdist as JSON.
    setattr(report, _VERDICT, verdict.to_dict())


def _evaluator(config: pytest.Config) -> Evaluator:
    if _EVALUATOR not in config.stash:
        from redpen.chat.settings import read_settings
        from redpen_evals.evaluation import Evaluator

        record, model = config.getoption("--record"), config.getoption("--model")
        config.stash[_EVALUATOR] = Evaluator(
            layout=layout_of(config),
            model=model,
            record=record,
            live=None if record == "none" or model == _SCRIPTED else read_settings(),
        )
    return config.stash[_EVALUATOR]
