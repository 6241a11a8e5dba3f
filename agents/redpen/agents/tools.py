"""The built-in tools of the guarded-policy agent, with fixed results and no side effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redpen.gateway.execution import Tool
from redpen.policy import EXPORT, FETCH, SEND, TICKET

ToolResult = dict[str, Any]


def fetch_incident_snapshot(*, report_date: str, region: str, incident_id: str) -> ToolResult:
    """Return the state of an incident: severity, rates, number of alerts, estimated minutes to recovery."""
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
) -> ToolResult:
    """Queue a status update; ``queued_recipients`` in the result is ``max_recipients``."""
    return _ok(
        channel=channel,
        template_id=template_id,
        audience_segment=audience_segment,
        queued_recipients=max_recipients,
        delivery_id="upd_20260306_001",
    )


def export_customer_data(**_: object) -> ToolResult:
    """Export customer data; the tool exists so that the gate can deny it."""
    return _ok(export_id="exp_20260306_001", rows=18_240)


def create_manual_review_ticket(*, reason: str, payload: Mapping[str, Any]) -> ToolResult:
    """Open a ticket for a reviewer; the result has the keys of the payload, without their values."""
    return _ok(ticket_id="pol_20260306_001", reason=reason, payload_keys=sorted(payload))


def builtin_tools() -> dict[str, Tool]:
    """Return the built-in tools by name, as a new dict."""
    return {
        FETCH: fetch_incident_snapshot,
        SEND: send_status_update,
        EXPORT: export_customer_data,
        TICKET: create_manual_review_ticket,
    }


def _ok(**data: object) -> ToolResult:
    return {"status": "ok", "data": data}
