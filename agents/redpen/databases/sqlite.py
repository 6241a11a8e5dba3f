"""SQLite by the standard library: a file that any number of processes of one machine share."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal

from redpen.databases.model import WAIT_S, ConstraintError, DatabaseError, Found, Tables, Value, make, prepare
from redpen.errors import ConfigurationError

_TYPES: Final[Mapping[Literal["id", "text"], str]] = {
    "id": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "text": "TEXT",
}
_NAMES_OF_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # A checkpoint waits for the disk: fewer of them, each of some 16 MB.
    "PRAGMA wal_autocheckpoint = 4000",
)
_PASSING_PRAGMAS: Final = ("PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF")


class SqliteDatabase:
    """A database in a file.

    Args:
        path: of the file; one that is not there is made when the first statement is run.
        tables: that it holds.
        is_passing: whether nobody needs it after a crash, and the disk is not waited for.
    """

    def __init__(self, path: Path, tables: Tables, *, is_passing: bool = False) -> None:
        self.path = path
        self._tables = tables
        waits = f"PRAGMA synchronous = {'FULL' if tables.durable else 'NORMAL'}"
        self._pragmas = _PASSING_PRAGMAS if is_passing else (*_PRAGMAS, waits)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = -1

    @property
    def shown(self) -> str:
        """Its path."""
        return str(self.path)

    @property
    def address(self) -> str:
        """Where it is found again."""
        return f"sqlite:///{self.path.absolute()}"

    def check(self) -> None:
        """Make the database where it is missing; raises ConfigurationError as ``Database.check``."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(self._said(error)) from error
        self._check()

    def require(self) -> None:
        """Raise ConfigurationError where there is no such file, or it is no such database."""
        if not self.path.is_file():
            raise ConfigurationError(f"{self.path}: {self._tables.name}: there is no such database")
        self._check()

    def _check(self) -> None:
        try:
            with self._lock, self._told():
                self._open()
        except DatabaseError as error:
            raise ConfigurationError(str(error)) from error

    def execute(
        self, statement: str, values: Mapping[str, Value] | None = None, /, *, in_turn: bool = False
    ) -> Found:
        """Run one statement; each that writes has its turn."""
        del in_turn
        with self._lock, self._told():
            return _run(self._open(), statement, values)

    @contextmanager
    def transaction(self) -> Iterator[_Transaction]:
        """Have what is done inside kept as one; the file is locked for other writers from the start."""
        with self._lock:
            with self._told():
                connection = self._open()
                connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Transaction(self, connection)
                with self._told():
                    connection.execute("COMMIT")
            except BaseException:
                # A failed statement may have ended it already.
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def erase(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Found:
        """Run one ``DELETE``, overwrite what it removed, and empty the log beside the file."""
        with self._lock, self._told():
            connection = self._open()
            connection.execute("PRAGMA secure_delete = ON").fetchall()
            found = _run(connection, statement, values)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return found

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError:
            raise
        except sqlite3.IntegrityError as error:
            raise ConstraintError(self._said(error)) from error
        except (OSError, sqlite3.Error) as error:
            raise DatabaseError(self._said(error)) from error

    def _said(self, error: Exception) -> str:
        words = error.strerror if isinstance(error, OSError) and error.strerror else error
        return f"{self.path}: {self._tables.name}: {words}"

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        # A connection that a fork inherits must not be used, nor closed, which would drop the other's locks.
        self._connection = None
        # Others need not read what customers are told; what SQLite puts beside it takes over its mode.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o600))
        connection = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # A file of something else is left as it is.
        is_there = self._is_there(connection)
        for pragma in self._pragmas:
            connection.execute(pragma).fetchall()
        if is_there:
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have made them meanwhile.
        if not self._is_there(connection):
            make(_Transaction(self, connection), self._tables, _TYPES)
        connection.execute("COMMIT")

    def _is_there(self, connection: sqlite3.Connection) -> bool:
        names = {name for (name,) in connection.execute(_NAMES_OF_TABLES) if not name.startswith("sqlite_")}
        inside = _Transaction(self, connection)
        return prepare(inside, self._tables, there=names, shown=self.shown, shared=False)


class _Transaction:
    def __init__(self, database: SqliteDatabase, connection: sqlite3.Connection) -> None:
        self._database = database
        self._connection = connection

    def execute(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Found:
        """Run one statement."""
        with self._database._told():
            return _run(self._connection, statement, values)


def _run(connection: sqlite3.Connection, statement: str, values: Mapping[str, Value] | None) -> Found:
    cursor = connection.execute(statement, values or {})
    rows = cursor.fetchall() if cursor.description else []
    return Found(rows=rows, changed=max(cursor.rowcount, 0))
