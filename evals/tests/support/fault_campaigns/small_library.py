"""A library of a few scenarios, written into an empty folder."""

from __future__ import annotations

import json
from typing import Any

from redpen_evals.scenario_library.layout import Layout

SCENARIOS = ("reflection/escalated", "self-critique/approved", "self-critique/revised")

_DRAFT = "Checkout in the US is degraded; about 27% of attempts are affected. It will surely end soon."
_CONTEXT = {
    "report_date": "2026-03-06",
    "region": "US",
    "incident": {
        "incident_id": "inc_payments_20260306",
        "severity": "P1",
        "status": "degraded",
        "affected_checkout_pct": 27,
    },
}


def write_library(layout: Layout, *, goal: str) -> None:
    """Write context and scenarios; all have the same goal, so that another goal makes all of them stale."""
    _write(layout, "contexts/payments.yaml", _CONTEXT)
    approval = {"decision": "approve", "severity": "low", "risks": [], "required_changes": []}
    change = {
        "decision": "revise",
        "severity": "low",
        "risks": [{"type": "overconfidence", "note": "It promises an end."}],
        "required_changes": ['REMOVE "It will surely end soon."'],
    }
    review = {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "A person should look."}
    revised = {"revised_answer": _DRAFT.removesuffix(" It will surely end soon.")}
    replies: dict[str, list[tuple[str, Any]]] = {
        "reflection/escalated": [("draft", {"draft": _DRAFT}), ("review", review)],
        "self-critique/approved": [("draft", {"draft": _DRAFT}), ("critique", approval)],
        "self-critique/revised": [("draft", {"draft": _DRAFT}), ("critique", change), ("revise", revised)],
    }
    expected = {
        "reflection/escalated": {"status": "stopped", "stop_reason": "policy_escalation"},
        "self-critique/approved": {"status": "ok", "outcome": "approved_direct"},
        "self-critique/revised": {"status": "ok", "outcome": "revised_once"},
    }
    for name in SCENARIOS:
        scenario = {
            "title": "A run.",
            "agent": name.split("/", maxsplit=1)[0],
            "goal": goal,
            "context": "payments",
            "replies": [{"phase": phase, "json": value} for phase, value in replies[name]],
            "expect": expected[name],
            "invariants": ["result_is_well_formed"],
        }
        _write(layout, f"{name}.yaml", scenario)


def _write(layout: Layout, name: str, value: object) -> None:
    path = layout.scenarios / name
    path.parent.mkdir(parents=True, exist_ok=True)
    # YAML reads JSON.
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
