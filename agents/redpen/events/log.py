"""The event log: a sink with its settings, and the handling of its failures."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from redpen.events.model import Event
from redpen.events.text import EventText
from redpen.text.keys import redact_keys

Redactor: TypeAlias = Callable[[str], str]
"""Takes a text, and returns it with secrets redacted."""

LOGGER: Final = logging.getLogger("redpen.events")


class EventSink(Protocol):
    """Stores or forwards events."""

    def write(self, event: Event) -> None:
        """Store one event, completely or not at all.

        The run calls this in its own thread, and waits for it. An exception counts as a lost event in the
        result of the run; the first one is logged.

        If a sink has a method ``write_text``, most events are passed to that, in their stored form
        (``EventText``).
        """


@dataclass(slots=True)
class _Failures:
    logged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLog:
    """The ``events`` argument of an agent.

    Attributes:
        sink: stores the events.
        texts: whether texts are stored.
        redact: redacts secrets that a run cannot know; strings that look like keys are always redacted.
        scenario: under the harness, the scenario of the runs that follow.
        variant: label of the variant of these runs.
        sample: sample number of these runs, from 1.
    """

    sink: EventSink
    texts: bool = True
    redact: Redactor | None = None
    scenario: str | None = None
    variant: str | None = None
    sample: int | None = None
    _failures: _Failures = field(default_factory=_Failures)

    def write(self, event: Event) -> None:
        """Store one event; exceptions of the sink are raised."""
        self.sink.write(event)

    @property
    def address(self) -> str:
        """The address of the event store; empty if the sink has none."""
        return str(getattr(self.sink, "address", ""))

    @property
    def write_text(self) -> Callable[[EventText], None] | None:
        """The method ``write_text`` of the sink; None if it has none."""
        write: Callable[[EventText], None] | None = getattr(self.sink, "write_text", None)
        return write

    def redact_known(self, text: str) -> str:
        """Return a text with known secrets redacted."""
        return text if self.redact is None else self.redact(text)

    def close(self) -> None:
        """Close the sink's file or connection; the next event opens it again."""
        close = getattr(self.sink, "close", None)
        if callable(close):
            close()

    def for_scenario(self, *, scenario: str, variant: str | None, sample: int) -> EventLog:
        """Return the same log for the runs of a scenario."""
        return replace(self, scenario=scenario, variant=variant, sample=sample)

    def redacted(self, text: str) -> str:
        """Return a text with known secrets and strings that look like keys redacted."""
        return self.redact_known(redact_keys(text))

    def log_failure(self, error: Exception) -> None:
        """Log a warning, once, that events are lost."""
        if self._failures.logged:
            return
        self._failures.logged = True
        # A failure to log must not affect the run.
        with suppress(Exception):
            # The message of the sink's exception may contain an address with a password.
            message = self.redacted(str(error))[:300]
            LOGGER.warning("events are lost, but the runs continue: %s: %s", type(error).__name__, message)


def as_log(events: EventLog | EventSink | None) -> EventLog | None:
    """Return the ``events`` argument of an agent as a log; a user-defined sink gets the texts as well."""
    if events is None or isinstance(events, EventLog):
        return events
    return EventLog(sink=events)
