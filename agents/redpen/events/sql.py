"""Events in a database table, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Final

from redpen.databases import Database, DatabaseError, Tables, Value
from redpen.errors import ConfigurationError
from redpen.events.model import Event
from redpen.events.store import MAX_EVENT_BYTES, Damaged, Entry, stored_event, time_text
from redpen.events.text import EventText, text_of

TABLES: Final = Tables(
    name="events",
    version=1,
    statements=(
        """CREATE TABLE IF NOT EXISTS redpen_events (
            id {id}, run_id {text} NOT NULL, seq BIGINT NOT NULL, time {text} NOT NULL, kind {text} NOT NULL,
            agent {text} NOT NULL, code {text}, event TEXT NOT NULL, UNIQUE (run_id, seq))""",
    ),
)
# A run that is resumed again after it was killed writes the same events again; the first copies are kept.
_INSERT: Final = """INSERT INTO redpen_events (run_id, seq, time, kind, agent, code, event)
    VALUES (:run_id, :seq, :time, :kind, :agent, :code, :text) ON CONFLICT (run_id, seq) DO NOTHING"""
_PAGE: Final = "SELECT id, event FROM redpen_events WHERE id > :position ORDER BY id LIMIT :most"
_OF_RUN: Final = "SELECT id, event FROM redpen_events WHERE run_id = :run_id ORDER BY seq"
_PAGE_ROWS: Final = 500
_BOUNDS: Final = "SELECT min(id), max(id) FROM redpen_events WHERE time < :limit"
_PRUNE: Final = "DELETE FROM redpen_events WHERE id >= :first AND id < :end AND time < :limit"
_PRUNED_ROWS: Final = 5_000
"""Maximum number of rows of one transaction, which limits how long writers have to wait."""


class SqlEvents:
    """An event store in a database.

    Args:
        database: a database with ``TABLES``.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def address(self) -> str:
        """The address for ``open_events``, without user and password."""
        return self.database.address

    def check(self) -> None:
        """Create missing tables; raises ConfigurationError as ``Database.check`` does."""
        self.database.check()

    def require(self) -> None:
        """Raise ConfigurationError if there is no such database."""
        self.database.require()

    def write(self, event: Event) -> None:
        """Store one event; raises DatabaseError."""
        self.write_text(text_of(event))

    def write_text(self, event: EventText) -> None:
        """Store one event in its stored form; raises DatabaseError."""
        # Readers that follow the events by id need increasing ids.
        self.database.execute(_INSERT, event._asdict(), serialised=True)

    def read(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        """Yield the entries after a position, a row id; rows are never partial, even while ``growing``."""
        del growing
        while True:
            self.database.require()
            values = {"position": position, "most": _PAGE_ROWS}
            before = position
            for entry in self._entries(_PAGE, values):
                position = entry.after
                yield entry
            if position == before:
                return

    def of_runs(self, run_ids: Collection[str]) -> Iterator[Entry]:
        """Yield the events of the given runs, run by run, each in the order of its events."""
        self.database.require()
        for run_id in run_ids:
            yield from self._entries(_OF_RUN, {"run_id": run_id})

    def prune(self, before: datetime) -> int:
        """Remove the events before a time, and return their number; SQLite overwrites their content."""
        limit, removed = time_text(before), 0
        self.database.require()
        try:
            first, last = self.database.execute(_BOUNDS, {"limit": limit}).rows[0]
            if first is None:
                return 0
            for start in range(first, last + 1, _PRUNED_ROWS):
                end = min(start + _PRUNED_ROWS, last + 1)
                values = {"first": start, "end": end, "limit": limit}
                removed += self.database.erase(_PRUNE, values).changed
        except DatabaseError as error:
            raise ConfigurationError(str(error)) from error
        return removed

    def close(self) -> None:
        """Close the database; the next event opens it again."""
        self.database.close()

    def _entries(self, statement: str, values: Mapping[str, Value]) -> Iterator[Entry]:
        try:
            rows = self.database.execute(statement, values).rows
        except DatabaseError as error:
            raise ConfigurationError(str(error)) from error
        for number, text in rows:
            place = f"{self.database.shown}: row {number}"
            if isinstance(text, str) and len(text) <= MAX_EVENT_BYTES:
                yield Entry(content=stored_event(text, place), after=number)
            else:
                yield Entry(content=Damaged(place=place, problem="is not an event"), after=number)
