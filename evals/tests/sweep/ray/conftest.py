"""Tests of what the extra `ray` brings: Parquet, object stores, and sweeps by Ray Data."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Not everybody has installed the extra `ray`, and without it these tests fail: they never pass unseen.
    """
    asked = "ray" in str(config.getoption("-m")) or any("sweep/ray" in name for name in config.args)
    return None if asked else True
