"""The event log: typed events of runs, written to a file, a database, OpenTelemetry or a user-defined sink.

``open_events("jsonl:events.jsonl")`` or ``open_events("sqlite:///events.db")`` returns the ``events``
argument of an agent; any object with a ``write`` method can be passed as well.
"""

from redpen.events.address import open_events
from redpen.events.log import EventLog, EventSink, as_log
from redpen.events.model import EVENT, SCHEMA_VERSION, Event, EventKind, event_schema
from redpen.events.stream import EventStream, current_events, use_stream

__all__ = [
    "EVENT",
    "SCHEMA_VERSION",
    "Event",
    "EventKind",
    "EventLog",
    "EventSink",
    "EventStream",
    "as_log",
    "current_events",
    "event_schema",
    "open_events",
    "use_stream",
]
