"""Where events go: a sink, whether texts go along, and what is done when it fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from redpen.events.model import Event
from redpen.events.text import EventText
from redpen.text.keys import strike_keys

Redactor: TypeAlias = Callable[[str], str]
"""Returns a text without secrets."""

LOGGER: Final = logging.getLogger("redpen.events")


class EventSink(Protocol):
    """Keeps events, or hands them on."""

    def write(self, event: Event) -> None:
        """Keep one event, whole or not at all.

        It is called in the thread of the run, which goes on when it returns. Whatever exception it raises is
        told once, and counted in the result of the run.

        A sink that also has ``write_text`` is given most events as the ``EventText`` that would be stored.
        """


@dataclass(slots=True)
class _Failures:
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLog:
    """What an agent is given as ``events``.

    Attributes:
        sink: keeps the events.
        texts: whether texts go along.
        redact: strikes secrets that a run cannot know; what looks like a key is struck without it.
        scenario: whose runs follow, under the harness.
        variant: label of what they are run with.
        sample: number of the independent answer, from 1.
    """

    sink: EventSink
    texts: bool = True
    redact: Redactor | None = None
    scenario: str | None = None
    variant: str | None = None
    sample: int | None = None
    _failures: _Failures = field(default_factory=_Failures)

    def write(self, event: Event) -> None:
        """Keep one event; raises what the sink raises."""
        self.sink.write(event)

    @property
    def address(self) -> str:
        """Where the events are found again; empty where the sink does not say."""
        return str(getattr(self.sink, "address", ""))

    @property
    def write_text(self) -> Callable[[EventText], None] | None:
        """What keeps an event as text; None where the sink takes events alone."""
        write: Callable[[EventText], None] | None = getattr(self.sink, "write_text", None)
        return write

    def strike_known(self, text: str) -> str:
        """Return a text without the secrets that are known."""
        return text if self.redact is None else self.redact(text)

    def close(self) -> None:
        """Have a sink that holds a file or a connection let go of it; the next event opens it again."""
        close = getattr(self.sink, "close", None)
        if callable(close):
            close()

    def about(self, *, scenario: str, variant: str | None, sample: int) -> EventLog:
        """Return the same log, for the runs of a scenario."""
        return replace(self, scenario=scenario, variant=variant, sample=sample)

    def redacted(self, text: str) -> str:
        """Return a text without what looks like a key, and without the secrets that are known."""
        return self.strike_known(strike_keys(text))

    def tell_failure(self, error: Exception) -> None:
        """Say once that events are lost."""
        if self._failures.told:
            return
        self._failures.told = True
        # Nothing that goes wrong here may reach the run.
        with suppress(Exception):
            # What the sink says may hold its address, with a password in it.
            said = self.redacted(str(error))[:300]
            LOGGER.warning("events are lost, and the runs go on: %s: %s", type(error).__name__, said)


def as_log(events: EventLog | EventSink | None) -> EventLog | None:
    """Return what an agent was given as a log; a sink of the user's own gets texts."""
    if events is None or isinstance(events, EventLog):
        return events
    return EventLog(sink=events)
