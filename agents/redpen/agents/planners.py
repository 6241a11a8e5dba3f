"""The built-in planners: a fixed plan, and a plan proposed by a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from redpen.chat import Chat
from redpen.chat.model_call import ask
from redpen.policy import EXPORT, FETCH, SEND, GuardedPolicy
from redpen.prompts import PromptSet, base_prompts
from redpen.types import JsonObject, JsonValue

Planner = Callable[[str, JsonObject], Mapping[str, Any]]
"""Takes goal and request; returns ``{"actions": [{"id", "tool", "args"}]}``."""


def fixed_plan(_goal: str, request: JsonObject) -> JsonObject:
    """Return a plan on which the gate makes each of its decisions: allow, deny, escalate and rewrite."""
    details = request.get("request")
    incident = details if isinstance(details, dict) else {}
    bold: JsonObject = {"template_id": "free_text_v0", "max_recipients": 120_000}
    return {
        "actions": [
            {
                "id": "a1",
                "tool": FETCH,
                "args": {key: incident.get(key) for key in ("report_date", "region", "incident_id")},
            },
            {
                "id": "a2",
                "tool": EXPORT,
                "args": {"fields": ["email", "country", "payment_last4"], "destination": "external_s3"},
            },
            {
                "id": "a3",
                "tool": SEND,
                "args": {
                    "channel": "external_email",
                    "audience_segment": "all_customers",
                    "free_text": "We are fully recovered.",
                    **bold,
                },
            },
            {
                "id": "a4",
                "tool": SEND,
                "args": {"channel": "status_page", "audience_segment": "enterprise_active", **bold},
            },
        ]
    }


def model_planner(chat: Chat, policy: GuardedPolicy, prompts: PromptSet | None = None) -> Planner:
    """Return a planner that asks a model; it raises ``Stop`` if the model call fails."""
    prompt = (prompts or base_prompts())["plan"].text

    def plan(goal: str, request: JsonObject) -> JsonObject:
        tools = list[JsonValue](sorted(policy.allowed_tools & policy.executable_tools))
        payload: JsonObject = {
            "goal": goal,
            "request": request,
            "allowed_tools": tools,
            "max_actions": policy.max_actions,
        }
        return ask(chat, phase="plan", prompt=prompt, payload=payload)

    return plan
