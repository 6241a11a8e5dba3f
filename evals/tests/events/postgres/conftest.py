"""Tests of events that a server keeps, and of runs whose server goes away."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Not everybody has installed a server and the extra `sql`, and without them these tests fail: they never
    pass unseen.
    """
    asked = "postgres" in str(config.getoption("-m"))
    return None if asked or any("events/postgres" in name for name in config.args) else True
