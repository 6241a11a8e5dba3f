"""The interface of an event store, and the parsing of its entries."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from pydantic import ValidationError

from redpen.errors import ConfigurationError
from redpen.events.log import EventSink
from redpen.events.model import EVENT, SCHEMA_VERSION, Event
from redpen.text.json_values import parse_json

MAX_EVENT_BYTES: Final = 1_000_000
"""Maximum size of a stored event that is read, in bytes; written events are far smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """An entry of a store that is not a valid event.

    Attributes:
        place: ``file:line``, or the row of the database.
        problem: description of the problem.
    """

    place: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a store.

    Attributes:
        content: the event, or the problem with the entry.
        after: position from which to continue reading.
    """

    content: Event | Damaged
    after: int


class EventStore(EventSink, Protocol):
    """Stores and reads events."""

    @property
    def address(self) -> str:
        """The address for ``open_events``, without user and password."""

    def check(self) -> None:
        """Create the store if it is missing; raises ConfigurationError if it cannot be used."""

    def require(self) -> None:
        """Raise ConfigurationError if the store does not exist."""

    def read(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        """Yield the entries after a position, in the order in which they were written.

        Args:
            position: 0, or the ``after`` of an entry.
            growing: whether the store is being written to, so that a partial event at its end is skipped
                instead of yielded as damaged.

        Raises:
            ConfigurationError: the store cannot be read.
        """

    def of_runs(self, run_ids: Collection[str]) -> Iterator[Entry]:
        """Yield the events of the given runs, those of each run in order; raises as ``read`` does."""

    def prune(self, before: datetime) -> int:
        """Remove the events before a time, and return their number; raises ConfigurationError."""

    def close(self) -> None:
        """Close the file or connection."""


def stored_event(text: str | bytes, place: str) -> Event | Damaged:
    """Parse the event of a line or row; returns a description of the problem if it is invalid."""
    try:
        value = parse_json(text if isinstance(text, str) else text.decode("utf-8"))
    except ValueError as error:
        return Damaged(place=place, problem=f"is not an event: {error}")
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        message = f"has schema version {version}; this Redpen reads up to {SCHEMA_VERSION}: use a newer one"
        return Damaged(place=place, problem=message)
    try:
        return EVENT.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "event"
        return Damaged(place=place, problem=f"{field}: {first['msg']}")


def time_text(time: datetime) -> str:
    """Return a time in the format of events, whose lexicographic order is chronological."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def unreadable(path: object, error: Exception) -> ConfigurationError:
    """Return the error for a store that cannot be read or written."""
    message = error.strerror if isinstance(error, OSError) and error.strerror else error
    return ConfigurationError(f"{path}: events: {message}")
