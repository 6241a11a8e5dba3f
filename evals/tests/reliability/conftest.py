"""Collection of the reliability campaigns: killed runs, hostile files, secrets, many runs at once."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    The campaigns take as long as a fifth of all other tests; the checks of every change run them.
    """
    asked = "reliability" in str(config.getoption("-m")) or any("reliability" in name for name in config.args)
    return None if asked else True


def pytest_itemcollected(item):
    item.add_marker("reliability")
