"""The tests of the fixture `redpen` that a session collects, whether it runs them or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from redpen_evals.fixtures.naming import planned_call, test_of_run

_TESTS: Final = "redpen_collected_tests"
_FILES: Final = "redpen_collected_files"


class SessionTests:
    """Collects the ids of tests in this process, or those that the workers of pytest-xdist report.

    Args:
        config: of the session.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.ids: set[str] = set()
        self._config = config
        self._whole_files: set[str] = set()

    def lacks(self, name: str) -> bool:
        """Return whether the test file of a run's id was collected whole, without that test."""
        from redpen_evals.scenario_library.listing import test_files

        root = Path(self._config.rootpath)
        try:
            files = {path.relative_to(root).as_posix() for path in test_files(root, name)}
        except OSError:
            # What cannot be read may hold the test.
            return False
        is_whole = bool(files) and files <= self._whole_files
        return is_whole and self.ids.isdisjoint({name, test_of_run(name)})

    # Before any filter.
    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note a test."""
        if planned := planned_call(item):
            self.ids.add(planned.scenario)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a test file that was collected, unless only some of its tests were asked for."""
        if report.passed and not any("::" in str(argument) for argument in self._config.args):
            self._whole_files.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Report to the controller of pytest-xdist."""
        if (output := getattr(self._config, "workeroutput", None)) is not None:
            output[_TESTS], output[_FILES] = sorted(self.ids), sorted(self._whole_files)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker of pytest-xdist reports."""
        output = getattr(node, "workeroutput", {})
        self.ids.update(output.get(_TESTS, ()))
        self._whole_files.update(output.get(_FILES, ()))
