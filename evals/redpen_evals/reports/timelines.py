"""The timeline of a run: its events, and how long after its start they happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from redpen.errors import ConfigurationError
from redpen.events.address import find_store
from redpen.events.model import Event, specific_fields
from redpen.events.store import Damaged
from redpen_evals.records import Record

_MAX_MOMENTS: Final = 200


Moment: TypeAlias = tuple[float, Event, str]
"""Milliseconds since the run began, negative if the clock was set back; an event; its own fields as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The events of a run in order, the number left out, and why there are none, if so."""

    moments: tuple[Moment, ...] = ()
    more: int = 0
    note: str = ""


def read_timelines(record: Record) -> dict[str, Timeline]:
    """Return the timelines of a record's runs, by their ids; none for runs that stored no events."""
    events: dict[str, list[Event]] = {result.run_id: [] for result in record.results if result.run_id}
    note = "Its events are no longer kept."
    try:
        if events:
            store = find_store(record.start.events)
            for entry in store.of_runs(events):
                if not isinstance(entry.content, Damaged):
                    events[entry.content.run_id].append(entry.content)
            store.close()
    except ConfigurationError as error:
        note = f"Its events cannot be read: {error}"
    return {run_id: _timeline(found) if found else Timeline(note=note) for run_id, found in events.items()}


def _timeline(events: list[Event]) -> Timeline:
    return Timeline(moments=tuple(_moments(events[:_MAX_MOMENTS])), more=len(events[_MAX_MOMENTS:]))


def _moments(events: list[Event]) -> Iterator[Moment]:
    start = datetime.fromisoformat(events[0].time)
    for event in events:
        after = datetime.fromisoformat(event.time) - start
        about = " ".join(f"{name}={value}" for name, value in specific_fields(event).items())
        yield after.total_seconds() * 1000, event, about
