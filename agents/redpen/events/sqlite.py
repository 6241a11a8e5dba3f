"""Events in an SQLite database: one table, and its version beside it."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen.events.model import Event
from redpen.events.stored import LARGEST_EVENT, Damaged, Entry, stored_event, time_text, unreadable

DATABASE_VERSION: Final = 1
_WAIT_S: Final = 10.0
_PAGE_ROWS: Final = 500

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, seq INTEGER NOT NULL, time TEXT NOT NULL,
        kind TEXT NOT NULL, agent TEXT NOT NULL, code TEXT, event TEXT NOT NULL, UNIQUE (run_id, seq))""",
)
_INSERT: Final = (
    "INSERT INTO events (run_id, seq, time, kind, agent, code, event) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_NAMES_OF_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"


class SqliteEvents:
    """A database of events.

    Args:
        path: of the database; one that is not there is made when the first event is kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = -1

    def check(self) -> None:
        """Make the database where it is missing.

        Raises:
            ConfigurationError: it cannot be written to, is none of ours, or a newer Redpen made it.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                self._open()
        except (OSError, sqlite3.Error) as error:
            raise unreadable(self.path, error) from error

    def write(self, event: Event) -> None:
        """Keep one event; raises sqlite3.Error or OSError."""
        row = (
            event.run_id,
            event.seq,
            event.time,
            event.kind,
            event.agent,
            event.code,
            event.model_dump_json(),
        )
        with self._lock:
            self._open().execute(_INSERT, row)

    def read(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        """Yield the rows after one of that id; a row is whole or not there, ``growing`` or not."""
        del growing
        while rows := self._rows(position):
            for number, text in rows:
                position = number
                place = f"{self.path}: row {number}"
                if isinstance(text, str) and len(text) <= LARGEST_EVENT:
                    yield Entry(content=stored_event(text, place), after=position)
                else:
                    yield Entry(content=Damaged(place=place, problem="is no event"), after=position)

    def prune(self, before: datetime) -> int:
        """Remove the events older than a time, and overwrite what they held."""
        self._check_is_there()
        try:
            with self._lock:
                connection = self._open()
                connection.execute("PRAGMA secure_delete = ON")
                removed = connection.execute(
                    "DELETE FROM events WHERE time < ?", (time_text(before),)
                ).rowcount
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (OSError, sqlite3.Error) as error:
            raise unreadable(self.path, error) from error
        return removed

    def close(self) -> None:
        """Let go of the database; the next event opens it again."""
        with self._lock:
            self._close()

    def _rows(self, position: int) -> list[tuple[int, object]]:
        self._check_is_there()
        try:
            with self._lock:
                found = self._open().execute(
                    "SELECT id, event FROM events WHERE id > ? ORDER BY id LIMIT ?", (position, _PAGE_ROWS)
                )
                return found.fetchall()
        except (OSError, sqlite3.Error) as error:
            raise unreadable(self.path, error) from error

    def _check_is_there(self) -> None:
        if not self.path.is_file():
            raise ConfigurationError(f"{self.path}: events: there is no such database")

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        # A connection that a fork inherits must not be used, nor closed, which would drop the other's locks.
        self._connection = None
        # Others need not read what customers are told; what SQLite puts beside it takes over its mode.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o600))
        connection = sqlite3.connect(
            self.path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        tables = {name for (name,) in connection.execute(_NAMES_OF_TABLES)}
        if tables and not {"events", "meta"} <= tables:
            raise ConfigurationError(f"{self.path}: events: the database is of something else")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        # A checkpoint waits for the disk: fewer of them, each of some 16 MB.
        connection.execute("PRAGMA wal_autocheckpoint = 4000").fetchall()
        if not tables:
            connection.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                connection.execute(table)
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (DATABASE_VERSION,))
            connection.execute("COMMIT")
        found = connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
        version = found[0] if found else None
        if not isinstance(version, int):
            raise ConfigurationError(f"{self.path}: events: the database does not say its version")
        if version > DATABASE_VERSION:
            raise ConfigurationError(
                f"{self.path}: events: the database has version {version}, and this Redpen knows up to "
                f"{DATABASE_VERSION}: use a newer one, or another file"
            )

    def _close(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None
