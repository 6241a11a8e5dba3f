"""What a store of events gives back: events, and what in it is none."""

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

LARGEST_EVENT: Final = 1_000_000
"""Largest stored event that is read, in bytes; none is written that comes near it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A part of a store that holds no event.

    Attributes:
        place: ``file:line``, or the row.
        problem: in words.
    """

    place: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One part of a store.

    Attributes:
        content: the event, or what is wrong.
        after: the position that reading goes on from.
    """

    content: Event | Damaged
    after: int


class EventStore(EventSink, Protocol):
    """Keeps events and gives them back."""

    @property
    def address(self) -> str:
        """Where the events are found again: as ``open_events`` takes it, without user and password."""

    def check(self) -> None:
        """Make what is missing; raises ConfigurationError where nothing can be kept."""

    def require(self) -> None:
        """Raise ConfigurationError where there is no such store."""

    def read(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        """Yield what stands after a position, in the order in which it was written.

        Args:
            position: 0, or the ``after`` of an entry.
            growing: whether an event at the end may still be being written, and is left for later.

        Raises:
            ConfigurationError: the store cannot be read.
        """

    def of_runs(self, run_ids: Collection[str]) -> Iterator[Entry]:
        """Yield the events of some runs, those of each in their order; raises as ``read``."""

    def prune(self, before: datetime) -> int:
        """Remove the events older than a time, and return how many; raises ConfigurationError."""

    def close(self) -> None:
        """Let go of the file."""


def stored_event(text: str | bytes, place: str) -> Event | Damaged:
    """Return the event that a line or row holds, or what is wrong with it."""
    try:
        value = parse_json(text if isinstance(text, str) else text.decode("utf-8"))
    except ValueError as error:
        return Damaged(place=place, problem=f"is no event: {error}")
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        said = f"has schema version {version}, and this Redpen reads up to {SCHEMA_VERSION}: use a newer one"
        return Damaged(place=place, problem=said)
    try:
        return EVENT.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "event"
        return Damaged(place=place, problem=f"{field}: {first['msg']}")


def time_text(time: datetime) -> str:
    """Return a time as events have it, so that texts compare as times do."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def unreadable(path: object, error: Exception) -> ConfigurationError:
    """Return the error for a store that the system does not let us use."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else error
    return ConfigurationError(f"{path}: events: {said}")
