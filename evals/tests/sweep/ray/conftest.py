"""Collection of the tests of Parquet, object stores and Ray Data, which need the extra `ray`."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without the extra `ray` these tests fail instead of being skipped silently.
    """
    asked = "ray" in str(config.getoption("-m")) or any("sweep/ray" in name for name in config.args)
    return None if asked else True
