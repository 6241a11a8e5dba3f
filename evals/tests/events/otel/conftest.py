"""Collection of the OpenTelemetry tests, which need the extra `otel`."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without the extra `otel` these tests fail instead of being skipped silently.
    """
    asked = "otel" in str(config.getoption("-m")) or any("events/otel" in name for name in config.args)
    return None if asked else True
