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
from redpen_evals.records import Record, ScenarioResult

_MAX_MOMENTS: Final = 200


Moment: TypeAlias = tuple[float, Event, str]
"""Milliseconds since the run began, negative if the clock was set back; an event; its own fields as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The events of a run.

    Attributes:
        moments: the events in order.
        more: number of events left out.
        note: why there are none, if so.
    """

    moments: tuple[Moment, ...] = ()
    more: int = 0
    note: str = ""


class Timelines:
    """Finds the timelines of a record's results.

    Args:
        record: of the run, which names the store of its events.
    """

    def __init__(self, record: Record) -> None:
        self._events: dict[str, list[Event]] = {}
        self._note = "Its events are no longer kept."
        run_ids = dict.fromkeys(result.run_id for result in record.results if result.run_id)
        if not run_ids:
            return
        try:
            store = find_store(record.start.events)
            for entry in store.of_runs(run_ids):
                if not isinstance(entry.content, Damaged):
                    self._events.setdefault(entry.content.run_id, []).append(entry.content)
            store.close()
        except ConfigurationError as error:
            self._note = f"Its events cannot be read: {error}"

    def of(self, result: ScenarioResult) -> Timeline | None:
        """Return the timeline of a result; None if its run stored no events."""
        if not result.run_id:
            return None
        events = self._events.get(result.run_id, [])
        if not events:
            return Timeline(note=self._note)
        return Timeline(moments=tuple(_moments(events[:_MAX_MOMENTS])), more=len(events[_MAX_MOMENTS:]))


def _moments(events: list[Event]) -> Iterator[Moment]:
    start = datetime.fromisoformat(events[0].time)
    for event in events:
        after = datetime.fromisoformat(event.time) - start
        about = " ".join(f"{name}={value}" for name, value in specific_fields(event).items())
        yield after.total_seconds() * 1000, event, about
