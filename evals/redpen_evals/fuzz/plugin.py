"""The part of the pytest plugin that serves properties: how long they are tried, what becomes of a find.

It imports hypothesis only once a test that is marked ``fuzz``, or asks for ``guard_property``, was collected.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, get_args

import pytest

from redpen.errors import RedpenError

if TYPE_CHECKING:
    from hypothesis import settings

    from redpen_evals.fuzz.case import CounterexampleError
    from redpen_evals.fuzz.trials import PropertyName, Result

ProfileName = Literal["quick", "ci", "dev", "nightly"]

_MARKER = "fuzz"
_PROFILES: tuple[ProfileName, ...] = get_args(ProfileName)
_SIZES: Mapping[ProfileName, tuple[int, int]] = {
    "quick": (25, 8),
    "ci": (100, 8),
    "dev": (200, 12),
    "nightly": (5_000, 20),
}
"""Examples of each property, and steps of each state machine."""
_SECTION = "counterexample"
_GUARD_PROPERTY = "guard_property"
_ASKS_GUARDS = frozenset({_GUARD_PROPERTY, "guard_sets"})
_DEFAULT_GUARDS = ("redpen",)
_UNASKED = pytest.StashKey[bool]()
_EXAMPLES_A_ROUND = 10


class PropertyBrokenError(AssertionError):
    """A guard broke a property; the message is the table, with the smallest counterexamples.

    Attributes:
        result: what was found.
    """

    def __init__(self, result: Result, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.result = result


class GuardProperty:
    """One property of one guard, to be tried by the profile of the session.

    Args:
        config: of the session.
        guard: ``module:name`` of the option ``--guards``, or ``redpen``.
        of: the property.
    """

    def __init__(self, config: pytest.Config, guard: str, of: PropertyName) -> None:
        self.guard = guard
        self.of = of
        self._config = config

    def check(self) -> None:
        """Try it.

        Raises:
            PropertyBrokenError: it is broken.
            ConfigurationError: the guard cannot be called, or the library cannot be read.
        """
        from redpen_evals.fuzz.session import Plan, try_guard
        from redpen_evals.fuzz.table import render_result
        from redpen_evals.options import Options

        __tracebackhide__ = True
        options, profile = Options(self._config), _profile(self._config)
        plan = Plan(
            layout=options.layout,
            properties=(self.of,),
            # A profile that repeats itself has one seed; any other seed is shown, so that it can be repeated.
            random_seed=0 if profile.derandomize else secrets.randbelow(1_000_000),
            rounds=max(1, profile.max_examples // _EXAMPLES_A_ROUND),
            record=options["--record"],
            settings=options.own_agents,
        )
        result = try_guard(self.guard, plan)
        if result.broken:
            raise PropertyBrokenError(result, render_result(result))
        if not result.tried and self.of != "known":
            pytest.skip("; ".join(f"{row.cell.name}: {row.why_not}" for row in result.rows))

    def __repr__(self) -> str:
        """Return guard and property."""
        return f"<{self.of} of {self.guard}>"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the setting of the properties."""
    group = parser.getgroup("redpen", "scenarios of agents that write to customers")
    group.addoption(
        "--fuzz-profile",
        choices=_PROFILES,
        default=None,
        help="how the properties are tried: quick (the same 25 examples each time; the default beside "
        "other tests), ci (the same 100; the default with -m fuzz), dev (200 fresh ones), nightly (5,000)",
    )
    group.addoption(
        "--save-counterexamples",
        action="store_true",
        help="write the smallest draft that breaks a property into the draft library, drafts/found",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and refuse a profile that there is not."""
    config.addinivalue_line("markers", f"{_MARKER}: a property, tried by the profile that is asked for")
    _profile_name(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the profile to every property that is marked and has no settings of its own."""
    found: dict[int, pytest.Function] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker(_MARKER):
            # The cases of a parametrized test share one function, which takes its settings once.
            found.setdefault(id(item.function), item)
    if not found:
        return
    from hypothesis import is_hypothesis_test

    profile = _profile(config)
    for item in found.values():
        if is_hypothesis_test(item.function):
            profile(item.function)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat a test that asks for ``guard_property`` for each guard and property."""
    if _GUARD_PROPERTY not in metafunc.fixturenames:
        return
    from redpen_evals.fuzz.trials import PROPERTIES

    guards = metafunc.config.getoption("--guards") or _DEFAULT_GUARDS
    planned = [GuardProperty(metafunc.config, guard, of) for guard in guards for of in PROPERTIES]
    ids = [f"{one.guard}-{one.of}" for one in planned]
    metafunc.parametrize(_GUARD_PROPERTY, planned, ids=ids)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note whether guards are named that no test asks."""
    asks = (_ASKS_GUARDS & set(getattr(item, "fixturenames", ())) for item in session.items)
    session.config.stash[_UNASKED] = bool(session.config.getoption("--guards")) and not any(asks)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say that guards were named and nothing was asked of them: no failure is no verdict on them."""
    if config.stash.get(_UNASKED, False):
        names = " ".join(config.getoption("--guards"))
        terminalreporter.write_line(
            f"--guards: no test that was chosen asks a guard anything; `redpen fuzz {names}` tries it, or "
            "a test marked `fuzz` with `def test_guard(guard_property): guard_property.check()`"
        )


@pytest.fixture(scope="session")
def fuzz_settings(pytestconfig: pytest.Config) -> settings:
    """The settings of the profile, for machines: they take theirs when they are run."""
    return _profile(pytestconfig)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the counterexamples of a failed property into the draft library, if that is asked for."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, PropertyBrokenError):
        # The table says it all; where in Redpen it was raised says nothing.
        report.longrepr = str(call.excinfo.value)
    if call.excinfo is not None and item.config.getoption("--save-counterexamples"):
        for text in _saved(item.config, call.excinfo.value):
            report.sections.append((_SECTION, text))
        for error in _counterexamples(call.excinfo.value):
            report.sections.append((_SECTION, _save(item.config, error)))
    return report


def _saved(config: pytest.Config, error: BaseException) -> Iterator[str]:
    if isinstance(error, PropertyBrokenError):
        from redpen_evals.fuzz.session import save_found
        from redpen_evals.options import Options

        yield from save_found(Options(config).layout, error.result)


def _counterexamples(error: BaseException) -> Iterator[CounterexampleError]:
    """Yield what hypothesis raises in the end, which is shrunk: one error, or a group of several."""
    from redpen_evals.fuzz.case import CounterexampleError

    if isinstance(error, CounterexampleError):
        yield error
    elif isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _counterexamples(one)


def _save(config: pytest.Config, error: CounterexampleError) -> str:
    from redpen_evals.fuzz.session import save_counterexample
    from redpen_evals.options import Options

    try:
        path, written = save_counterexample(Options(config).layout, error.case)
    except (RedpenError, OSError) as problem:
        return f"not saved: {problem}"
    return f"saved as {path}" if written else f"saved before: {path}"


def _profile_name(config: pytest.Config) -> ProfileName:
    asked = config.getoption("--fuzz-profile")
    name = asked or str(config.getini("redpen_fuzz_profile"))
    if not name:
        # Whoever asks for the properties alone wants them tried in full.
        return "ci" if config.getoption("markexpr") == _MARKER else "quick"
    for known in _PROFILES:
        if name == known:
            return known
    raise pytest.UsageError(f"redpen_fuzz_profile: no profile {name!r}; there are {', '.join(_PROFILES)}")


def profile(name: ProfileName) -> settings:
    """Return hypothesis settings: how long and how reproducibly the properties are tried.

    Args:
        name: ``quick`` and ``ci`` try the same 25 or 100 examples each time and keep no database, ``dev``
            tries 200 fresh ones and keeps what fails, ``nightly`` tries 5,000 fresh ones.
    """
    from hypothesis import HealthCheck, Phase, settings

    examples, steps = _SIZES[name]
    is_fixed = name in ("quick", "ci")
    # Derandomize is said each time, because hypothesis takes its default from whether it runs in CI. No
    # deadline: a busy machine is no fault of the guards. No explain phase: it reruns what failed with
    # tracing on, and says nothing about a verdict.
    chosen = settings(
        max_examples=examples,
        derandomize=is_fixed,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
        stateful_step_count=steps,
    )
    return settings(chosen, database=None, print_blob=False) if is_fixed else chosen


def _profile(config: pytest.Config) -> settings:
    return profile(_profile_name(config))
