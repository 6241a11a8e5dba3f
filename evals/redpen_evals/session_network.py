"""The network guard of a pytest session: under ``--record=none`` only this machine can be reached.

It guards only sessions that use Redpen: from the start where the command line has an option of Redpen or the
project a setting of Redpen, else from the first collected test that uses one of its fixtures.
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
_ATTEMPTS: Final = "redpen_network_attempts"
_SHOWN: Final = 5


class SessionNetwork:
    """Guards the network of a session between runs; a run has a guard of its own.

    Args:
        config: of the session.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._applies = config.getoption("--record") == "none"
        self._guard: NetworkGuard | None = None
        self._reported = 0
        self._from_workers: list[str] = []
        if self._uses_redpen():
            self.start()

    def start(self) -> None:
        """Guard from now on."""
        if not self._applies or self._guard is not None:
            return
        from redpen_evals.network import NetworkGuard

        values: list[str] = self._config.getoption("--allow-hosts")
        hosts = [host.strip() for value in values for host in value.split(",") if host.strip()]
        self._guard = NetworkGuard(allow_loopback=True, of_session=True, allow=hosts)
        self._guard.__enter__()

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return the attempts that were blocked since the last call; no test fails for them any more."""
        if self._guard is None:
            return ()
        attempts = self._guard.attempts
        new, self._reported = attempts[self._reported :], len(attempts)
        return new

    def allow(self, *hosts: str) -> None:
        """Allow hosts, ``name`` or ``name:port``, until the test ends."""
        if self._guard is not None:
            self._guard.allow(hosts)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Start the guard with the first test that uses Redpen."""
        if not FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            self.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Allow the hosts that the marker of a test names, or the test itself, during that test."""
        if self._guard is None:
            return (yield)
        before, marker = self._guard.allowed, item.get_closest_marker(MARKER)
        if marker is not None:
            self.allow(*map(str, marker.args))
            self._guard.is_open = not marker.args
        try:
            return (yield)
        finally:
            self._guard.is_open = False
            self._guard.allowed = before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail a test that reached for the network, even if it caught the error."""
        report = yield
        del item
        if attempts := self.take_attempts():
            message = _message(attempts)
            if report.passed:
                report.outcome = "failed"
                report.longrepr = message
            elif call.excinfo is None or "network" not in report.longreprtext:
                report.sections.append(("reached for the network", message))
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Report the attempts outside of any test, such as those of a thread that outlived its run."""
        lines = list(map(_line, self.take_attempts()))
        if (output := getattr(self._config, "workeroutput", None)) is not None:
            output[_ATTEMPTS] = lines
        else:
            self._from_workers += lines
            if self._from_workers and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Collect the attempts that a worker of pytest-xdist reports."""
        self._from_workers += getattr(node, "workeroutput", {}).get(_ATTEMPTS, [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the attempts outside of any test."""
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
        arguments = map(str, (*config.invocation_params.args, *config.getini("addopts")))
        if any(argument.split("=", maxsplit=1)[0] in _OPTIONS for argument in arguments):
            return True
        if any(config.getini(name) for name in _LISTS):
            return True
        from redpen_evals.settings import DEFAULTS

        # For pytest a switch is a bool.
        return any(str(config.getini(name)).lower() != value.lower() for name, value in DEFAULTS.items())


def _line(attempt: Attempt) -> str:
    fork = f", in the forked process {attempt.process}" if attempt.process else ""
    return f"reached for the network: {attempt.event} to {attempt.target} (thread {attempt.thread}{fork})"


def _message(attempts: Iterable[Attempt]) -> str:
    lines = list(dict.fromkeys(map(_line, attempts)))
    more = [f"… and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    hint = "--record=none lets nothing outside be reached: --allow-hosts HOST, or the marker redpen_network"
    return "\n".join([*lines[:_SHOWN], *more, hint])
