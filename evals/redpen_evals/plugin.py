"""The pytest plugin: scenarios as tests, cassettes behind them, four outcomes in the summary.

Loading it costs next to nothing: agents, vcrpy and the openai client are imported when a scenario runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.fixtures.naming import OWN_FIXTURE, planned_call
from redpen_evals.options import SCRIPTED, Options, add_options
from redpen_evals.report_contents import NOT_ASKED_PROPERTY
from redpen_evals.scenario_run import ScenarioRun, Scorecard
from redpen_evals.session_network import SessionNetwork
from redpen_evals.session_tests import SessionTests

if TYPE_CHECKING:
    from redpen_evals.fixtures.redpen import Redpen
    from redpen_evals.planning import Planned

__all__ = ["ScenarioRun", "Scorecard"]

_PARTS = (
    "redpen_evals.session_collection",
    "redpen_evals.session_reports",
    "redpen_evals.session_scorecard",
    "redpen_evals.fuzz.plugin",
)
_NETWORK = "redpen_session_network"


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options and settings of the harness, and load its other plugins."""
    add_options(parser)
    # For each name in `pytest_plugins`, pytest would search the entry points of all installed packages.
    for name in _PARTS:
        pluginmanager.import_plugin(name)


def pytest_configure(config: pytest.Config) -> None:
    """Check the options and settings, and register the network guard and the session's record."""
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
    # Before any of the user's modules is imported.
    config.pluginmanager.register(SessionNetwork(config), _NETWORK)
    if not config.getoption("--model").strip():
        raise pytest.UsageError("--model: needs a name")
    if config.getoption("--family") and config.getoption("--update-scorecard"):
        raise pytest.UsageError("--update-scorecard records the figures of all families: not with --family")
    try:
        options = Options.of(config)
        # Read now, so that their faults are usage errors; a project without packs does not pay for them.
        options.events  # noqa: B018
        if "redpen_policy" in options.values or options.path("redpen_policy").exists():
            options.packs  # noqa: B018
        _check_variants(options)
        if options["--guards"]:
            from redpen_evals.scorecard.guard_sets import check_names

            check_names(options.guard_sets())
        # The workers of pytest-xdist only run tests; their results are reported and recorded once.
        tests = SessionTests(config)
        config.pluginmanager.register(tests)
        if not hasattr(config, "workerinput"):
            from redpen_evals.session_collection import resumed_run
            from redpen_evals.session_results import SessionResults

            config.pluginmanager.register(SessionResults(options, resumed_run(options), tests))
    except RedpenError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """Run an async test that uses ``redpen``, unless another plugin does."""
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


@pytest.fixture
def scenario_run(request: pytest.FixtureRequest) -> ScenarioRun:
    """The run of one scenario of the library; the test is repeated for each."""
    config, planned = request.config, request.param
    options = Options.of(config)
    variant = options.variants_by_label[planned.variant]
    if variant.model != SCRIPTED and (agent := _not_asked(config, planned)):
        request.node.user_properties.append((NOT_ASKED_PROPERTY, agent))
        pytest.skip("the script is a fault that a live model cannot repeat (`live: no`)")
    return ScenarioRun(planned, variant, options.evaluator, request.node.stash)


@pytest.fixture
def redpen(request: pytest.FixtureRequest) -> Redpen:
    """Runs agents out of a test: ``redpen.run(write_reply, ticket="…")``, ``with redpen.recording():``."""
    from redpen_evals.fixtures.redpen import Redpen

    planned = planned_call(request.node)
    if planned is None:
        raise pytest.UsageError(
            "the fixture `redpen` is for tests alone, not for other fixtures of a wider scope"
        )
    options = Options.of(request.config)
    return Redpen(planned, options.variants_by_label[planned.variant], options.evaluator, request.node)


@pytest.fixture
def redpen_network(pytestconfig: pytest.Config) -> SessionNetwork:
    """The network guard of the session: ``redpen_network.allow("localhost.test")`` for one test."""
    return cast("SessionNetwork", pytestconfig.pluginmanager.get_plugin(_NETWORK))


def _not_asked(config: pytest.Config, planned: Planned) -> str | None:
    """Return the agent of a scenario that requires nothing of a live model, else None."""
    from redpen_evals.scenario_library.fields import NOT_ASKED
    from redpen_evals.scenario_library.loading import load_case
    from redpen_evals.scenario_library.own_agent import OwnAgentScenario
    from redpen_evals.scenario_library.scenario import live_requirement

    try:
        scenario = (case := load_case(Options.of(config).layout, planned.scenario)).scenario
    except RedpenError:
        # The scenario's run reports the error.
        return None
    if isinstance(scenario, OwnAgentScenario):
        return case.agent if scenario.live_requirement == NOT_ASKED else None
    return case.agent if case.asks_model and live_requirement(scenario) == NOT_ASKED else None


def _check_variants(options: Options) -> None:
    if options.has_knobs:
        # Their faults are usage errors.
        options.variants()
    if live := options.live_models:
        from redpen.chat.settings import read_settings

        try:
            read_settings()
        except ConfigurationError as error:
            raise ConfigurationError(f"--record with --model {live[0]}: {error}") from error
