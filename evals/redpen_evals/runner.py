"""One run of one scenario: by its agent, with the model, the tools and the clock it asks for."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.planners import Planner
from redpen.agents.reflection import run_reflection_agent
from redpen.agents.run import AgentResult
from redpen.agents.self_critique import run_self_critique_agent
from redpen.chat import Chat
from redpen.prompts import PromptSet
from redpen.types import JsonObject
from redpen_evals.doubles import scripted_approver, scripted_tools
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.scenario import (
    GuardedPolicyScenario,
    ReflectionScenario,
    SelfCritiqueScenario,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a run left behind.

    Attributes:
        result: the agent's result as JSON values.
        tool_calls: tool and arguments of every call that reached a tool.
    """

    result: dict[str, Any]
    tool_calls: tuple[tuple[str, JsonObject], ...]


def run_case(case: Case, chat: Chat | None, *, prompts: PromptSet | None = None, policy: Any = None) -> Run:
    """Run a scenario's agent once.

    Args:
        case: the scenario.
        chat: the model; None only for a scenario that asks none.
        prompts: what the model is asked with; by default the base.
        policy: limits in place of the scenario's own.

    Raises:
        RedpenError: the scenario's goal, context, request or policy cannot be used.
    """
    scenario = case.scenario
    limits: Any = scenario.limits if policy is None else policy
    clock = _clock(scenario.seconds_a_look)
    match scenario:
        case SelfCritiqueScenario():
            return _text_run(
                run_self_critique_agent(
                    goal=scenario.goal,
                    incident_context=case.subject,
                    policy=limits,
                    chat=chat,
                    prompts=prompts,
                    clock=clock,
                )
            )
        case ReflectionScenario():
            return _text_run(
                run_reflection_agent(
                    goal=scenario.goal,
                    incident_context=case.subject,
                    policy=limits,
                    chat=chat,
                    prompts=prompts,
                    clock=clock,
                )
            )
        case GuardedPolicyScenario():
            return _action_run(case, scenario, _Means(chat=chat, prompts=prompts, limits=limits, clock=clock))
        case _:
            assert_never(scenario)


def _text_run(result: AgentResult) -> Run:
    return Run(result=result.to_dict(), tool_calls=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    chat: Chat | None
    prompts: PromptSet | None
    limits: Any
    clock: Callable[[], float]


def _action_run(case: Case, scenario: GuardedPolicyScenario, means: _Means) -> Run:
    box = scripted_tools(scenario.tools)
    try:
        result = run_guarded_policy_agent(
            goal=scenario.goal,
            request=case.subject,
            policy=means.limits,
            chat=means.chat,
            prompts=means.prompts,
            planner=_planner(case.plan),
            tools=box.tools,
            approver=scripted_approver(scenario.approver),
            clock=means.clock,
        )
    finally:
        box.release()
    return Run(result=result.to_dict(), tool_calls=tuple(box.calls))


def _planner(plan: JsonObject | None) -> Planner | None:
    if plan is None:
        return None
    return lambda _goal, _request: plan


def _clock(seconds_a_look: float) -> Callable[[], float]:
    if not seconds_a_look:
        return time.monotonic
    looks = itertools.count()
    return lambda: next(looks) * seconds_a_look
