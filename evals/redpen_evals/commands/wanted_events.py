"""Select events: resolve the argument to a store and runs, and filter by the options."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from redpen.databases import is_database
from redpen.events.address import JSONL
from redpen.events.model import Event
from redpen_evals.commands.workspace import is_file
from redpen_evals.errors import RecordError
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder
from redpen_evals.records.reading import read_start


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """A filter of events.

    Attributes:
        run_ids: ids of the runs; None for all.
        run_id: prefix of the run's id.
        code: code of the event, or its part before the colon; None for any.
        agent: the run's agent; None for any.
        since: earliest time, in the format of events; empty for all times.
    """

    run_ids: Collection[str] | None
    run_id: str
    code: str | None
    agent: str | None
    since: str

    def matches(self, event: Event) -> bool:
        """Return whether an event passes the filter."""
        code = event.code or ""
        return (
            (self.run_ids is None or event.run_id in self.run_ids)
            and event.run_id.startswith(self.run_id)
            and (self.code is None or code == self.code or code.startswith(f"{self.code}:"))
            and (self.agent is None or event.agent == self.agent)
            and event.time >= self.since
        )


def named_events(place: str, runs: RunFolder) -> tuple[str, Collection[str] | None]:
    """Return the address of events, and the run ids if the argument names a record.

    Args:
        place: an address or file of events, or a run of the suite as for ``RunFolder.find``.
        runs: the folder of records.

    Raises:
        RecordError: the record cannot be read, or its runs stored no events.
    """
    if is_database(place) or place.startswith(JSONL):
        return place, None
    path = Path(place)
    if not is_file(path):
        try:
            path = runs.find(place)
        except RecordError:
            # The store reports the missing file.
            return place, None
    if read_start(path) is None:
        return place, None
    record = read_record(path)
    if not record.start.events:
        raise RecordError(path, "its runs stored no events; run the suite with --events")
    return record.start.events, {result.run_id for result in record.results}
