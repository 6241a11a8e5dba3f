"""A PostgreSQL server of the tests' own, in a temporary folder and on a socket of that folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from urllib.parse import quote

USER = "redpen"
PASSWORD = "canary-of-the-server-0042"  # noqa: S105 - of a server that lives as long as a test
"""Every connection needs it, so that no message that was seen in a test had none to show."""

_DEBIAN = "/usr/lib/postgresql"
_OPTIONS = "-c fsync=off -c full_page_writes=off -c max_connections=120"
_ACCOUNTS = ("postgres", "nobody")


class PostgresServer:
    """A server, to be used as a context; it is gone with its folder at the end.

    With a port it listens at 127.0.0.1 too.
    """

    def __init__(self, port=None):
        self._listens = f"-c listen_addresses=127.0.0.1 -c port={port}" if port else "-c listen_addresses=''"
        self._port = f"&port={port}" if port else ""
        self._programs = _find_programs()
        self._account = _find_account()
        self._numbers = count(1)
        # The path of a socket may have some hundred characters, and those of pytest's folders are long.
        self.folder = Path(tempfile.mkdtemp(prefix="redpen-"))
        self._data = self.folder / "data"

    def __enter__(self):
        password = self.folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        if self._account is not None:
            for path in (self.folder, password):
                os.chown(path, self._account.pw_uid, self._account.pw_gid)
        login = [f"--username={USER}", f"--pwfile={password}", "--auth=scram-sha-256"]
        self._run("initdb", f"--pgdata={self._data}", *login, "--encoding=UTF8", "--locale=C", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """Start it, and wait until it answers."""
        options = f"{_OPTIONS} {self._listens} -c unix_socket_directories='{self.folder}'"
        log = self.folder / "log"
        self._run("pg_ctl", f"--pgdata={self._data}", f"--log={log}", f"--options={options}", "-w", "start")

    def stop(self):
        """Stop it at once; who is connected loses the connection."""
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", f"--pgdata={self._data}", "--mode=immediate", "-w", "stop")

    def address(self, name, *, user=USER, password=PASSWORD, folder=None):
        """Return the address of a database, or one that leads nowhere."""
        host = quote(str(folder or self.folder), safe="")
        return f"postgresql://{user}:{quote(password, safe='')}@/{name}?host={host}{self._port}"

    def new_database(self):
        """Make an empty database and return its address."""
        name = f"test_{next(self._numbers)}"
        self.run_sql("postgres", f"CREATE DATABASE {name}")
        return self.address(name)

    def run_sql(self, name, statement):
        """Run one statement in a database, and return the rows that it gives."""
        import psycopg

        with psycopg.connect(self.address(name), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _run(self, program, *arguments):
        account = self._account
        as_account = (
            {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        )
        # To a file: the server keeps what it inherits open, and whoever reads a pipe would wait for its end.
        with tempfile.TemporaryFile() as output:
            code = subprocess.run(  # noqa: S603 - programs of the server
                [self._programs / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.folder,
                timeout=60,
                check=False,
                **as_account,
            ).returncode
            output.seek(0)
            assert code == 0, f"{program}: {output.read().decode(errors='replace')}"


def _find_programs():
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).parent
    # Debian keeps those of each version in a folder that is on no path.
    folders = sorted(Path(_DEBIAN).glob("*/bin"), key=lambda path: float(path.parent.name))
    assert folders, "no PostgreSQL server is installed: Debian's package `postgresql` has one"
    return folders[-1]


def _find_account():
    """Return whose the server is where the tests are root, which it refuses to be."""
    if os.getuid():
        return None
    for name in _ACCOUNTS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError(
        f"root starts no PostgreSQL server, and no account {' or '.join(_ACCOUNTS)} is there"
    )
