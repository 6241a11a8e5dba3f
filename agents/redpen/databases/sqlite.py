"""SQLite from the standard library: a file shared by any number of processes on one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal

from redpen.databases.model import (
    WAIT_S,
    ConstraintError,
    DatabaseError,
    Result,
    Tables,
    Value,
    check_version,
    create_tables,
)
from redpen.errors import ConfigurationError

_TYPES: Final[Mapping[Literal["id", "text"], str]] = {
    "id": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "text": "TEXT",
}
_TABLE_NAMES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # Fewer checkpoints, of some 16 MB each, as each one waits for the disk.
    "PRAGMA wal_autocheckpoint = 4000",
)
_TEMPORARY_PRAGMAS: Final = ("PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF")


class SqliteDatabase:
    """A database in a file.

    Args:
        path: path of the file, which is created by the first statement.
        tables: tables of the database.
        is_temporary: whether the data need not survive a crash, so that no write waits for the disk.
    """

    def __init__(self, path: Path, tables: Tables, *, is_temporary: bool = False) -> None:
        self.path = path
        self._tables = tables
        waits = f"PRAGMA synchronous = {'FULL' if tables.durable else 'NORMAL'}"
        self._pragmas = _TEMPORARY_PRAGMAS if is_temporary else (*_PRAGMAS, waits)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = -1

    @property
    def shown(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def address(self) -> str:
        """The address for ``open_database``."""
        return f"sqlite:///{self.path.absolute()}"

    def check(self) -> None:
        """Create a missing database; raises ConfigurationError as ``Database.check``."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(self._message(error)) from error
        self._check()

    def require(self) -> None:
        """Raise ConfigurationError if the file is missing or is another kind of database."""
        if not self.path.is_file():
            raise ConfigurationError(f"{self.path}: {self._tables.name}: there is no such database")
        self._check()

    def _check(self) -> None:
        try:
            with self._lock, self._wrapped_errors():
                self._open()
        except DatabaseError as error:
            raise ConfigurationError(str(error)) from error

    def execute(
        self, statement: str, values: Mapping[str, Value] | None = None, /, *, serialised: bool = False
    ) -> Result:
        """Run one statement; SQLite serialises all writers."""
        del serialised
        with self._lock, self._wrapped_errors():
            return _run(self._open(), statement, values)

    @contextmanager
    def transaction(self) -> Iterator[_Transaction]:
        """Run the block in one transaction, with the file locked for other writers."""
        with self._lock:
            with self._wrapped_errors():
                connection = self._open()
                connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Transaction(self, connection)
                with self._wrapped_errors():
                    connection.execute("COMMIT")
            except BaseException:
                # A failed statement may have ended the transaction already.
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def erase(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Result:
        """Run one ``DELETE``, overwrite the removed rows, and truncate the write-ahead log."""
        with self._lock, self._wrapped_errors():
            connection = self._open()
            connection.execute("PRAGMA secure_delete = ON").fetchall()
            found = _run(connection, statement, values)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return found

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _wrapped_errors(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError:
            raise
        except sqlite3.IntegrityError as error:
            raise ConstraintError(self._message(error)) from error
        except (OSError, sqlite3.Error) as error:
            raise DatabaseError(self._message(error)) from error

    def _message(self, error: Exception) -> str:
        words = error.strerror if isinstance(error, OSError) and error.strerror else error
        return f"{self.path}: {self._tables.name}: {words}"

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        # An inherited connection must not be used after a fork; closing it would drop the parent's locks.
        self._connection = None
        # Other users must not read customer texts; SQLite's extra files inherit the mode.
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
        # A file of other software is not changed.
        exists = self._has_tables(connection)
        for pragma in self._pragmas:
            connection.execute(pragma).fetchall()
        if exists:
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have created them meanwhile.
        if not self._has_tables(connection):
            create_tables(_Transaction(self, connection), self._tables, _TYPES)
        connection.execute("COMMIT")

    def _has_tables(self, connection: sqlite3.Connection) -> bool:
        names = {name for (name,) in connection.execute(_TABLE_NAMES) if not name.startswith("sqlite_")}
        inside = _Transaction(self, connection)
        return check_version(inside, self._tables, there=names, shown=self.shown, shared=False)


class _Transaction:
    def __init__(self, database: SqliteDatabase, connection: sqlite3.Connection) -> None:
        self._database = database
        self._connection = connection

    def execute(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Result:
        """Run one statement."""
        with self._database._wrapped_errors():
            return _run(self._connection, statement, values)


def _run(connection: sqlite3.Connection, statement: str, values: Mapping[str, Value] | None) -> Result:
    cursor = connection.execute(statement, values or {})
    rows = cursor.fetchall() if cursor.description else []
    return Result(rows=rows, changed=max(cursor.rowcount, 0))
