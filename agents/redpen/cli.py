"""Runs one agent for a command: its inputs, its printed output and its exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, assert_never

from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.reflection import run_reflection_agent
from redpen.agents.run import AgentResult
from redpen.agents.run_events import Events
from redpen.agents.self_critique import run_self_critique_agent
from redpen.chat import ChatClient
from redpen.context import build_incident_context, build_request
from redpen.review import ReviewQueue
from redpen.types import AgentName

EXIT_OK, EXIT_STOPPED, EXIT_USAGE = 0, 1, 2

DEFAULT_GOAL = "Tell customers where the incident stands, whom it affects and what happens next."


def run_agent(
    agent: AgentName,
    *,
    goal: str,
    subject: Mapping[str, Any] | None,
    policy: Any = None,
    events: Events | None = None,
    review: ReviewQueue | None = None,
) -> AgentResult:
    """Run an agent with the model that ``OPENAI_*`` configures.

    Args:
        agent: name of the agent; for guarded-policy the model proposes the plan.
        goal: goal of the run.
        subject: the incident context, or the request of guarded-policy; by default the example.
        policy: policy of the agent; by default the built-in one.
        events: event log of the run.
        review: review queue of the run.

    Raises:
        ConfigurationError: the environment holds no key.
        InvalidInputError: goal or subject are invalid.
    """
    chat = ChatClient.from_environment()
    common: dict[str, Any] = {"chat": chat, "policy": policy, "events": events, "review": review}
    match agent:
        case "self-critique":
            context = build_incident_context() if subject is None else subject
            return run_self_critique_agent(goal=goal, incident_context=context, **common)
        case "reflection":
            context = build_incident_context(example="reflection") if subject is None else subject
            return run_reflection_agent(goal=goal, incident_context=context, **common)
        case "guarded-policy":
            request = build_request() if subject is None else subject
            return run_guarded_policy_agent(goal=goal, request=request, **common)
        case _:
            assert_never(agent)


def as_json(result: Mapping[str, Any]) -> str:
    """Return a result as JSON for printing."""
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False)


def exit_code(result: Mapping[str, Any]) -> int:
    """Return the exit code: 0 for a run that published, 1 for one that stopped."""
    return EXIT_OK if result["status"] == "ok" else EXIT_STOPPED
