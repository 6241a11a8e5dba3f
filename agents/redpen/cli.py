"""Running one agent from a command: what goes in, what is printed, and the exit code."""

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
    """Run an agent against whatever ``OPENAI_*`` points to.

    Args:
        agent: which one; guarded-policy has the model propose the plan.
        goal: what the run is for.
        subject: the incident context, or the request of guarded-policy; by default the example.
        policy: of that agent; by default the built-in one.
        events: where the run tells what happens in it.
        review: where it keeps what it asks a person.

    Raises:
        ConfigurationError: the environment holds no key.
        InvalidInputError: goal or subject cannot be used.
    """
    chat = ChatClient.from_environment()
    means: dict[str, Any] = {"chat": chat, "policy": policy, "events": events, "review": review}
    match agent:
        case "self-critique":
            context = build_incident_context() if subject is None else subject
            return run_self_critique_agent(goal=goal, incident_context=context, **means)
        case "reflection":
            context = build_incident_context(example="reflection") if subject is None else subject
            return run_reflection_agent(goal=goal, incident_context=context, **means)
        case "guarded-policy":
            request = build_request() if subject is None else subject
            return run_guarded_policy_agent(goal=goal, request=request, **means)
        case _:
            assert_never(agent)


def as_json(result: Mapping[str, Any]) -> str:
    """Return a result as the text that the command prints."""
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False)


def exit_code(result: Mapping[str, Any]) -> int:
    """Return 0 for a run that published, 1 for one that stopped."""
    return EXIT_OK if result["status"] == "ok" else EXIT_STOPPED
