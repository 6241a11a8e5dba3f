"""The events of a run, as a stream of typed events that is stored.

``open_events("jsonl:events.jsonl")`` or ``open_events("sqlite:///events.db")`` returns the ``events``
argument of an agent; any object with a ``write`` method can be passed too.
"""

from redpen.events.address import open_events
from redpen.events.log import EventLog, EventSink, as_log
from redpen.events.model import EVENT, SCHEMA_VERSION, Event, EventKind, event_schema
from redpen.events.stream import EventStream, current_events, telling

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
    "telling",
]
