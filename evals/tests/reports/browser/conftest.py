"""Fixtures that open the report in a real browser."""

from __future__ import annotations

import pytest

from chromium import open_chromium


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without a Chromium these tests fail instead of being skipped, so they run only when requested.
    """
    asked = "browser" in str(config.getoption("-m")) or any("reports/browser" in name for name in config.args)
    return None if asked else True


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Give a Chromium."""
    with open_chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser
