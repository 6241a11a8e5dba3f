"""Helpers of the tests that run the built-in agents."""

from __future__ import annotations

import json
import uuid
from typing import Any

from redpen import build_request, run_guarded_policy_agent
from redpen.stop_reasons import find_stop_reason

FETCH, SEND = "fetch_incident_snapshot", "send_status_update"
EXPORT, TICKET = "export_customer_data", "create_manual_review_ticket"
LOOKUP = {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"}
SAFE = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "enterprise_active",
    "max_recipients": 50000,
}
BROADCAST = {**SAFE, "channel": "external_email", "audience_segment": "all_customers"}

PASS = ("allow", "policy_pass", "policy.pass")
EXPORT_BLOCKED = ("deny", "pii_export_blocked", "policy.pii_export")
MASS = ("escalate", "mass_external_broadcast", "policy.mass_broadcast")


def action(name: str, tool: str, **args: Any) -> dict[str, Any]:
    """Return an action of a plan."""
    return {"id": name, "tool": tool, "args": args}


def run_guarded(*actions: Any, **options: Any) -> dict[str, Any]:
    """Run the guarded-policy agent, by default with the fixed plan, and check the form of its result."""
    if actions:
        options["planner"] = lambda _goal, _request: {"actions": list(actions)}
    options.setdefault("request", build_request())
    result = run_guarded_policy_agent(goal="Inform customers.", **options).to_dict()
    assert uuid.UUID(result["run_id"]).version == 4
    assert find_stop_reason("guarded-policy", result["stop_reason"]) is not None
    json.dumps(result, allow_nan=False)
    return result


def trace_entry(
    step: int, name: str, tool: str, policy: tuple[str, str, str], executed_from: str
) -> dict[str, Any]:
    """Return the expected trace entry of an action."""
    decision, reason, code = policy
    return {
        "step": step,
        "action_id": name,
        "tool": tool,
        "policy_decision": decision,
        "policy_reason": reason,
        "policy_code": code,
        "executed_from": executed_from,
        "ok": executed_from != "none",
    }


def assert_same_json(actual: Any, expected: Any) -> None:
    """Assert equality, including the order of keys at every depth."""
    assert json.dumps(actual, indent=1) == json.dumps(expected, indent=1)
