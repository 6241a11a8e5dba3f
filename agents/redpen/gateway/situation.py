"""What a rule of the gate can ask about: the action, its arguments, and what the run knows and has done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from redpen.gateway.plan import Action
from redpen.policy.rules import Clock
from redpen.types import JsonObject, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What an action is decided in.

    Attributes:
        request: the request of the run.
        snapshot: the last snapshot of the incident; empty where there is none yet.
        now: the time; one without a zone is UTC.
        sends: status updates that this run has sent.
        denied: actions that its gate has denied.
    """

    request: Mapping[str, JsonValue] = field(default_factory=dict)
    snapshot: Mapping[str, JsonValue] = field(default_factory=dict)
    now: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    sends: int = 0
    denied: int = 0

    @property
    def known(self) -> JsonObject:
        """What prose in arguments may state."""
        return {"request": dict(self.request), "snapshot": dict(self.snapshot)}

    def of(self, action: Action, clock: Clock) -> JsonObject:
        """Return the situation of one action as JSON, as the paths of rules find it.

        Args:
            action: the action, in the form that is asked about.
            clock: the zone in which the time is read.
        """
        aware = self.now if self.now.tzinfo else self.now.replace(tzinfo=UTC)
        local = aware.astimezone(UTC if clock.zone == "UTC" else ZoneInfo(clock.zone))
        return {
            "action": {"tool": action.tool},
            "args": action.args,
            **self.known,
            "clock": {"hour": local.hour, "weekday": local.isoweekday(), "zone": clock.zone},
            "history": {"sends": self.sends, "denied": self.denied},
        }
