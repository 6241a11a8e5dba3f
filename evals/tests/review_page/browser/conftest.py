"""Fixtures of the review page tests in a real browser."""

from __future__ import annotations

import pytest

from chromium import open_chromium


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without Chromium these tests fail instead of being skipped silently.
    """
    asked = "browser" in str(config.getoption("-m"))
    return None if asked or any("review_page/browser" in name for name in config.args) else True


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Give a running Chromium."""
    with open_chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser
