"""Collection of the PostgreSQL tests, which need a server and the extra `sql`."""

from __future__ import annotations


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Without a server and the extra `sql` these tests fail instead of being skipped silently.
    """
    asked = "postgres" in str(config.getoption("-m"))
    return None if asked or any("databases/postgres" in name for name in config.args) else True
