"""The network of a pytest session: under ``--record=none`` nothing outside of this machine is reached.

It applies to sessions that use Redpen alone: from their very start where an option of Redpen is given on the
command line or the project has a setting of Redpen's, else from the first collected test on that asks for one
of its fixtures. Sessions that do neither are not touched.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from redpen_evals.network import Attempt, NetworkGuard

FIXTURES: Final = frozenset({"scenario_run", "redpen", "scorecard", "guard_sets", "redpen_network"})
"""Fixtures whose tests use Redpen."""

MARKER: Final = "redpen_network"
_OPTIONS: Final = ("--record", "--guards", "--model", "--allow-hosts", "--variants", "--samples", "--resume")
_LISTS: Final = ("redpen_agents", "redpen_volatile", "redpen_telemetry")
_LEFT: Final = "redpen_network_left"
_SHOWN: Final = 5
_GUARDED = pytest.StashKey["SessionNetwork"]()


def network_of(config: pytest.Config) -> SessionNetwork:
    """Return what guards a session's network."""
    return config.stash[_GUARDED]


class SessionNetwork:
    """Guards the network of a session, between runs: within a run its own guard does.

    Args:
        config: of the session.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._applies = config.getoption("--record") == "none"
        self._guard: NetworkGuard | None = None
        self._told = 0
        self._from_workers: list[str] = []
        config.stash[_GUARDED] = self
        if self._uses_redpen():
            self.start()

    def start(self) -> None:
        """Guard from now on."""
        if not self._applies or self._guard is not None:
            return
        from redpen_evals.network import NetworkGuard

        given: list[str] = self._config.getoption("--allow-hosts")
        hosts = [host.strip() for one in given for host in one.split(",") if host.strip()]
        self._guard = NetworkGuard(allow_loopback=True, of_session=True, allow=hosts)
        self._guard.__enter__()

    def take(self) -> tuple[Attempt, ...]:
        """Return the attempts that nobody was told of yet."""
        if self._guard is None:
            return ()
        attempts = self._guard.attempts
        new, self._told = attempts[self._told :], len(attempts)
        return new

    def allow(self, hosts: Iterable[str]) -> frozenset[str]:
        """Let hosts through; returns those that were let through before."""
        if self._guard is None:
            return frozenset()
        before = self._guard.allowed
        self._guard.allow(hosts)
        return before

    def restore(self, before: frozenset[str]) -> None:
        """Let through what was let through before, and no more."""
        if self._guard is not None:
            self._guard.allowed = before

    def open_up(self, *, is_open: bool) -> None:
        """Let everything through, or end that."""
        if self._guard is not None:
            self._guard.is_open = is_open

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Guard from the first test on that uses Redpen."""
        if not FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            self.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Let through what the marker of a test names, for that test."""
        marker = item.get_closest_marker(MARKER)
        if marker is None or self._guard is None:
            return (yield)
        before = self.allow(map(str, marker.args))
        self.open_up(is_open=not marker.args)
        try:
            return (yield)
        finally:
            self.open_up(is_open=False)
            self.restore(before)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail a test that reached for the network, whatever it made of the refusal."""
        report = yield
        del item
        if attempts := self.take():
            message = _said(attempts)
            if report.passed:
                report.outcome = "failed"
                report.longrepr = message
            elif call.excinfo is None or not _is_said(report.longreprtext):
                report.sections.append(("reached for the network", message))
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell what was reached for outside of any test, such as by what a run has left behind."""
        left = [_line(one) for one in self.take()]
        if (output := getattr(self._config, "workeroutput", None)) is not None:
            output[_LEFT] = left
        else:
            self._from_workers += left
            if self._from_workers and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a worker of pytest-xdist tells."""
        self._from_workers += getattr(node, "workeroutput", {}).get(_LEFT, [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what was reached for outside of any test."""
        for line in self._from_workers[:_SHOWN]:
            terminalreporter.write_line(f"redpen: outside of any test: {line}", red=True)
        if len(self._from_workers) > _SHOWN:
            terminalreporter.write_line(f"redpen: … and {len(self._from_workers) - _SHOWN} more", red=True)

    def pytest_unconfigure(self) -> None:
        """End the guard."""
        if self._guard is not None:
            self._guard.__exit__()
            self._guard = None

    def _uses_redpen(self) -> bool:
        config = self._config
        given = map(str, (*config.invocation_params.args, *config.getini("addopts")))
        if any(one.split("=", maxsplit=1)[0] in _OPTIONS for one in given):
            return True
        if any(config.getini(name) for name in _LISTS):
            return True
        from redpen_evals.settings import DEFAULTS

        # A switch is a truth value for pytest.
        return any(str(config.getini(name)).lower() != value.lower() for name, value in DEFAULTS.items())


class RedpenNetwork:
    """What a test may say of the network, by the fixture ``redpen_network``.

    Attributes:
        network: of the session.
    """

    def __init__(self, network: SessionNetwork) -> None:
        self.network = network

    def allow(self, *hosts: str) -> None:
        """Let hosts through until the test ends: ``name`` or ``name:port``."""
        self.network.allow(hosts)

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return what was blocked since the last time; the test does not fail for that."""
        return self.network.take()


def _line(attempt: Attempt) -> str:
    fork = f", in the forked process {attempt.process}" if attempt.process else ""
    return f"reached for the network: {attempt.event} to {attempt.target} (thread {attempt.thread}{fork})"


def _said(attempts: Iterable[Attempt]) -> str:
    lines = list(dict.fromkeys(map(_line, attempts)))
    more = [f"… and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    hint = "--record=none lets nothing outside be reached: --allow-hosts HOST, or the marker redpen_network"
    return "\n".join([*lines[:_SHOWN], *more, hint])


def _is_said(text: str) -> bool:
    return "network" in text
