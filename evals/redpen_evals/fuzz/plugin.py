"""The part of the pytest plugin for properties: profiles, the ``guard_property`` fixture, counterexamples.

It imports hypothesis only if a test marked ``fuzz``, or one with ``guard_property``, was collected.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

import pytest

if TYPE_CHECKING:
    from hypothesis import settings

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
_GUARD_FIXTURES = frozenset({_GUARD_PROPERTY, "guard_sets"})
_DEFAULT_GUARDS = ("redpen",)
_GUARDS_UNUSED = pytest.StashKey[bool]()
_EXAMPLES_PER_ROUND = 10


class PropertyBrokenError(AssertionError):
    """A guard broke a property; the message is the table, with the smallest counterexamples."""

    def __init__(self, result: Result, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.result = result


@dataclass(frozen=True, repr=False)
class GuardProperty:
    """One property of one guard, ``module:name`` or ``redpen``, tested with the profile of the session."""

    config: pytest.Config
    guard: str
    of: PropertyName

    def check(self) -> None:
        """Test the property; raises PropertyBrokenError if the guard breaks it, or ConfigurationError."""
        from redpen_evals.fuzz.session import Plan, try_guard
        from redpen_evals.fuzz.table import render_result
        from redpen_evals.options import Options

        __tracebackhide__ = True
        options, profile = Options.of(self.config), _profile(self.config)
        plan = Plan(
            layout=options.layout,
            properties=(self.of,),
            # Any other seed is shown in the result, so that the run can be repeated.
            random_seed=0 if profile.derandomize else secrets.randbelow(1_000_000),
            rounds=max(1, profile.max_examples // _EXAMPLES_PER_ROUND),
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
        help="how many examples the properties get: quick (the same 25 each time; the default next to "
        "other tests), ci (the same 100; the default with -m fuzz), dev (200 fresh ones), nightly (5,000)",
    )
    group.addoption(
        "--save-counterexamples",
        action="store_true",
        help="write the smallest draft that breaks a property into the draft library, drafts/found",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and validate the profile."""
    config.addinivalue_line("markers", f"{_MARKER}: a property, tested with the selected profile")
    _profile_name(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Apply the profile to every marked property without settings of its own."""
    marked: dict[int, pytest.Function] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker(_MARKER):
            # The cases of a parametrized test share one function, which accepts settings only once.
            marked.setdefault(id(item.function), item)
    if not marked:
        return
    from hypothesis import is_hypothesis_test

    profile = _profile(config)
    for item in marked.values():
        if is_hypothesis_test(item.function):
            profile(item.function)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``guard_property`` with each guard and property."""
    if _GUARD_PROPERTY not in metafunc.fixturenames:
        return
    from redpen_evals.fuzz.trials import PROPERTIES

    guards = metafunc.config.getoption("--guards") or _DEFAULT_GUARDS
    planned = [GuardProperty(metafunc.config, guard, of) for guard in guards for of in PROPERTIES]
    ids = [f"{item.guard}-{item.of}" for item in planned]
    metafunc.parametrize(_GUARD_PROPERTY, planned, ids=ids)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note whether ``--guards`` names guards that no test uses."""
    used = (_GUARD_FIXTURES & set(getattr(item, "fixturenames", ())) for item in session.items)
    session.config.stash[_GUARDS_UNUSED] = bool(session.config.getoption("--guards")) and not any(used)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Warn about named guards that no test used, since no failure could be taken for a pass."""
    if config.stash.get(_GUARDS_UNUSED, False):
        names = " ".join(config.getoption("--guards"))
        terminalreporter.write_line(
            f"--guards: no selected test calls a guard; run `redpen fuzz {names}`, or write "
            "a test marked `fuzz` with `def test_guard(guard_property): guard_property.check()`"
        )


@pytest.fixture(scope="session")
def fuzz_settings(pytestconfig: pytest.Config) -> settings:
    """The settings of the profile, for state machines, which take them at run time."""
    return _profile(pytestconfig)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``--save-counterexamples``, write those of a failed property into the draft library."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, PropertyBrokenError):
        # The traceback would only show Redpen's own code.
        report.longrepr = str(call.excinfo.value)
    if call.excinfo is not None and item.config.getoption("--save-counterexamples"):
        report.sections += [(_SECTION, text) for text in _saved(item.config, call.excinfo.value)]
    return report


def _saved(config: pytest.Config, error: BaseException) -> Iterator[str]:
    """Write the counterexamples of an error, or of a group of errors; yield a message for each."""
    from redpen_evals.fuzz.case import CounterexampleError
    from redpen_evals.fuzz.session import save_case, save_found
    from redpen_evals.options import Options

    match error:
        case PropertyBrokenError():
            yield from save_found(Options.of(config).layout, error.result)
        case CounterexampleError():
            yield save_case(Options.of(config).layout, error.case)
        case BaseExceptionGroup():
            for member in error.exceptions:
                yield from _saved(config, member)


def _profile_name(config: pytest.Config) -> ProfileName:
    name = config.getoption("--fuzz-profile") or str(config.getini("redpen_fuzz_profile"))
    if not name:
        # With -m fuzz only properties run, so they get the full number of examples.
        return "ci" if config.getoption("markexpr") == _MARKER else "quick"
    if name in _PROFILES:
        return cast("ProfileName", name)
    raise pytest.UsageError(f"redpen_fuzz_profile: no profile {name!r}; there are {', '.join(_PROFILES)}")


def profile(name: ProfileName) -> settings:
    """Return the hypothesis settings of a profile.

    Args:
        name: ``quick`` and ``ci`` run the same 25 or 100 examples each time without a database, ``dev`` runs
            200 fresh ones and stores failures, ``nightly`` runs 5,000 fresh ones.
    """
    from hypothesis import HealthCheck, Phase, settings

    examples, steps = _SIZES[name]
    is_fixed = name in ("quick", "ci")
    # Derandomize is always explicit, because its default depends on whether hypothesis runs in CI. No
    # deadline, since machines may be busy. No explain phase: it reruns failures with tracing, and explains
    # nothing about a verdict.
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
