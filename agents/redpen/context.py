"""What a run is about: incident contexts and requests, as models and as ready examples.

Source: an invented payments incident, small enough to read at a glance.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictFloat, StrictInt

from redpen.types import JsonObject

Severity = Literal["P0", "P1", "P2", "P3", "P4", "P5"]


class _Open(BaseModel):
    # Other kinds of incident have other facts, and the guards take facts from whatever stands here.
    model_config = ConfigDict(frozen=True, extra="allow")


class Incident(_Open):
    """The facts of an incident; any further key is a fact too.

    A key tells the kind of its number: ``*_pct`` percent, ``*_rate``, ``*_share`` and ``*_ratio`` a
    share of one, ``*_seconds``, ``*_minutes``, ``*_hours`` and ``*_days`` a duration, ``*_usd`` and
    ``*_eur`` money, anything else a count.
    """

    incident_id: str
    severity: Severity
    status: str


class PolicyHints(_Open):
    """What the context asks of the text.

    Attributes:
        avoid_absolute_guarantees: no restricted claim at all, wherever it stands.
        max_length_increase_pct: tightens the length budget of a revision, in percent.
        required_sections: what an update covers.
    """

    avoid_absolute_guarantees: bool = False
    max_length_increase_pct: StrictInt | StrictFloat | None = None
    required_sections: tuple[str, ...] = ()


class IncidentContext(_Open):
    """All that an agent may know of an incident."""

    report_date: str
    region: str
    incident: Incident
    policy_hints: PolicyHints = PolicyHints()
    approved_actions: tuple[str, ...] = ()


def build_incident_context(
    *,
    report_date: str | None = None,
    region: str = "US",
    example: Literal["self-critique", "reflection"] = "self-critique",
) -> dict[str, Any]:
    """Return the example context of a text agent: a degraded payments service.

    Args:
        report_date: ISO date; by default the date of the example.
        region: region of the incident.
        example: whose example; the two differ in date, incident id, length hint and one action.
    """
    date = "2026-03-06" if example == "self-critique" else "2026-03-05"
    hints: dict[str, Any] = {"avoid_absolute_guarantees": True}
    publish = "publish customer update via status page"
    if example == "self-critique":
        hints["max_length_increase_pct"] = 20
        publish += " every 15 minutes"
    hints["required_sections"] = ["current_status", "customer_impact", "next_actions"]
    return {
        "report_date": report_date or date,
        "region": region,
        "incident": {
            "incident_id": f"inc_payments_{date.replace('-', '')}",
            "severity": "P1",
            "status": "degraded",
            "affected_checkout_pct": 27,
            "failed_payment_rate": 0.034,
            "chargeback_alerts": 5,
            "eta_minutes": 45,
        },
        "policy_hints": hints,
        "approved_actions": [
            "monitor payment failures every 15 minutes",
            publish,
            "prepare support macro with workaround guidance",
        ],
    }


def build_request(*, report_date: str = "2026-03-06", region: str = "US") -> JsonObject:
    """Return the example request of the guarded-policy agent.

    Args:
        report_date: ISO date.
        region: region of the incident.
    """
    return {
        "request": {
            "report_date": report_date,
            "region": region,
            "incident_id": "inc_payments_20260306",
        },
        "policy_hints": {
            "status_update_template": "incident_p1_v2",
            "max_recipients_per_send": 50_000,
        },
    }
