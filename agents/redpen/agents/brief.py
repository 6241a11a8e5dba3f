"""The brief of a guarded-policy run, a summary of the tools' results from a template."""

from __future__ import annotations

import math
from collections.abc import Sequence

from redpen.types import JsonObject, JsonValue

_MISSING = "?"


def write_brief(
    *, request: JsonObject, incident: JsonObject, delivery: JsonObject, denied: Sequence[str]
) -> str:
    """Return the text of the brief.

    Args:
        request: the requested ``report_date``, ``region`` and ``incident_id``.
        incident: data of the last ``fetch_incident_snapshot``.
        delivery: data of the last ``send_status_update``.
        denied: names of the tools that the gate denied, sorted.

    Returns:
        Plain prose; ``?`` stands for a value that is missing or of the wrong type.
    """
    state = (
        f"Incident {_text(request.get('incident_id'))} in {_text(request.get('region'))}"
        f" on {_text(request.get('report_date'))}, severity {_text(incident.get('severity'))}:"
        f" {_percent(incident.get('failed_payment_rate'), digits=1)} of payments failed,"
        f" {_text(incident.get('chargeback_alerts'))} chargeback alerts,"
        f" {_percent(incident.get('affected_checkout_share'), digits=0)} of checkouts affected."
    )
    outlook = (
        f"Estimated time to recovery: {_text(incident.get('eta_minutes'))} minutes;"
        " this is an estimate and may change."
    )
    sent = (
        f"Update queued on {_text(delivery.get('channel'))} for {_text(delivery.get('audience_segment'))}"
        f" with template {_text(delivery.get('template_id'))},"
        f" recipients: {_text(delivery.get('queued_recipients'))}."
    )
    return f"{state} {outlook} {sent} Blocked tools: {', '.join(denied) or 'none'}."


def _text(value: JsonValue) -> str:
    match value:
        case str() if value.strip():
            return value.strip()
        case bool():
            return _MISSING
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return f"{value:g}"
        case _:
            return _MISSING


def _percent(share: JsonValue, *, digits: int) -> str:
    match share:
        case bool():
            return _MISSING
        case int():
            # As text, because the product could exceed the limit on the digits of a printed integer.
            whole = f"{share}00" if share else "0"
            return f"{whole}.{'0' * digits}%" if digits else f"{whole}%"
        case float() if math.isfinite(share * 100):
            return f"{share * 100:.{digits}f}%"
        case _:
            return _MISSING
