"""The built-in tools of the guarded-policy agent: fixed answers, no side effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redpen.gateway.execution import Tool
from redpen.policy import EXPORT, FETCH, SEND, TICKET

Answer = dict[str, Any]


def fetch_incident_snapshot(*, report_date: str, region: str, incident_id: str) -> Answer:
    """Return the state of an incident: severity, rates, alerts and the estimate in minutes."""
    return _ok(
        incident_id=incident_id,
        report_date=report_date,
        region=region.upper(),
        severity="P1",
        failed_payment_rate=0.034,
        chargeback_alerts=5,
        affected_checkout_share=0.27,
        eta_minutes=45,
    )


def send_status_update(
    *, channel: str, template_id: str, audience_segment: str, max_recipients: int
) -> Answer:
    """Queue a status update; ``queued_recipients`` is the number asked for."""
    return _ok(
        channel=channel,
        template_id=template_id,
        audience_segment=audience_segment,
        queued_recipients=max_recipients,
        delivery_id="upd_20260306_001",
    )


def export_customer_data(**_: object) -> Answer:
    """Export customer data; exists so that the gate has a tool to deny."""
    return _ok(export_id="exp_20260306_001", rows=18_240)


def create_manual_review_ticket(*, reason: str, payload: Mapping[str, Any]) -> Answer:
    """Open a ticket for a reviewer; the answer has the names of the payload's keys, not their values."""
    return _ok(ticket_id="pol_20260306_001", reason=reason, payload_keys=sorted(payload))


def builtin_tools() -> dict[str, Tool]:
    """Return a new dict of the built-in tools by name."""
    return {
        FETCH: fetch_incident_snapshot,
        SEND: send_status_update,
        EXPORT: export_customer_data,
        TICKET: create_manual_review_ticket,
    }


def _ok(**data: object) -> Answer:
    return {"status": "ok", "data": data}
