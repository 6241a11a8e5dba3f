"""The input of rules and custom gates: the action, its arguments, and what the run knows and has done."""

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
    """The state of a run when the gate decides on an action.

    Attributes:
        request: the request of the run.
        snapshot: the last snapshot of the incident; empty if there is none yet.
        now: the current time; a naive datetime is UTC.
        sends: number of status updates that this run has sent.
        denied: number of actions that the gate has denied.
    """

    request: Mapping[str, JsonValue] = field(default_factory=dict)
    snapshot: Mapping[str, JsonValue] = field(default_factory=dict)
    now: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    sends: int = 0
    denied: int = 0

    @property
    def known(self) -> JsonObject:
        """The facts that prose in arguments may contain: request and snapshot."""
        return {"request": dict(self.request), "snapshot": dict(self.snapshot)}

    def for_action(self, action: Action, clock: Clock) -> JsonObject:
        """Return the situation of one action as a JSON object, to which the paths of rules refer.

        Args:
            action: the action, in the form to decide on.
            clock: defines the time zone of ``clock.hour`` and ``clock.weekday``.
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
