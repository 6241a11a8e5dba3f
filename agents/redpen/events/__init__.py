"""What happens in a run, as a stream of typed events that outlives it.

``open_events("jsonl:events.jsonl")`` or ``open_events("sqlite:///events.db")`` gives what an agent takes as
``events``; so is any object with a ``write`` of its own.
"""

from redpen.events.log import EventLog, EventSink, as_log
from redpen.events.model import EVENT, SCHEMA_VERSION, Event, EventKind, event_schema
from redpen.events.places import open_events
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
