"""The brief of a guarded-policy run: what was found and sent, from the observations alone."""

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
        request: ``report_date``, ``region`` and ``incident_id`` as they were asked for.
        incident: the last snapshot.
        delivery: the last delivery.
        denied: tools that the gate denied, sorted.

    Returns:
        Plain prose; a value that is missing or has no sensible form shows as ``?``.
    """
    state = (
        f"Incident {_show(request.get('incident_id'))} in {_show(request.get('region'))}"
        f" on {_show(request.get('report_date'))}, severity {_show(incident.get('severity'))}:"
        f" {_percent(incident.get('failed_payment_rate'), digits=1)} of payments failed,"
        f" {_show(incident.get('chargeback_alerts'))} chargeback alerts,"
        f" {_percent(incident.get('affected_checkout_share'), digits=0)} of checkouts affected."
    )
    outlook = (
        f"Estimated time to recovery: {_show(incident.get('eta_minutes'))} minutes;"
        " this is an estimate and may change."
    )
    sent = (
        f"Update queued on {_show(delivery.get('channel'))} for {_show(delivery.get('audience_segment'))}"
        f" with template {_show(delivery.get('template_id'))},"
        f" recipients: {_show(delivery.get('queued_recipients'))}."
    )
    return f"{state} {outlook} {sent} Blocked tools: {', '.join(denied) or 'none'}."


def _show(value: JsonValue) -> str:
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
            # As text: a product of very large numbers would have more digits than can be printed.
            whole = f"{share}00" if share else "0"
            return f"{whole}.{'0' * digits}%" if digits else f"{whole}%"
        case float() if math.isfinite(share * 100):
            return f"{share * 100:.{digits}f}%"
        case _:
            return _MISSING
