"""Fixtures for the tests of third-party clients, which need the extra `clients`."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without the extra `clients` these tests fail instead of being skipped silently.
    """
    asked = "clients" in str(config.getoption("-m")) or any("tests/clients" in name for name in config.args)
    return None if asked else True


@pytest.fixture
def serve():
    """Start endpoints from plain mappings; all are closed after the test."""
    with ExitStack() as stack:

        def start(*replies, **options):
            return stack.enter_context(ScriptedEndpoint(parse_replies(list(replies)), **options))

        yield start
