"""The built-in agents, with the model, tools, person and clock that a scenario asks for."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.planners import Planner
from redpen.agents.reflection import run_reflection_agent
from redpen.agents.run import AgentResult
from redpen.agents.self_critique import run_self_critique_agent
from redpen.chat import Chat
from redpen.events import EventLog
from redpen.judges import Judge
from redpen.policy.packs import DEFAULT_PACK, PolicyPack
from redpen.prompts import PromptSet
from redpen_evals.scenario_library.loading import Case
from redpen_evals.targets.run import Run
from redpen_evals.targets.tools import ToolSettings, open_gate, open_tools, scripted_approver


def run_built_in(
    case: Case,
    chat: Chat | None,
    *,
    prompts: PromptSet | None = None,
    policy: Any = None,
    tools: ToolSettings | None = None,
    judge: Judge | None = None,
    pack: PolicyPack = DEFAULT_PACK,
    events: EventLog | None = None,
) -> Run:
    """Run the built-in agent of a scenario once.

    Args:
        case: the scenario.
        chat: the model; None only for a scenario that asks none.
        prompts: what the model is asked with; by default the base.
        policy: limits in place of the scenario's own.
        tools: where those of guarded-policy come from; by default they are canned.
        judge: that a revision is put to.
        pack: whose gate decides on actions as well.
        events: where the run tells what happens in it.

    Raises:
        RedpenError: the scenario's goal, context, request or policy cannot be used.
    """
    scenario: Any = case.scenario
    means = _Means(
        chat=chat,
        prompts=prompts,
        limits=scenario.limits if policy is None else policy,
        clock=_clock(scenario.seconds_a_look),
        tools=tools or ToolSettings(),
        judge=judge,
        pack=pack,
        events=events,
    )
    return _BUILT_IN[scenario.agent](case, means)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    chat: Chat | None
    prompts: PromptSet | None
    limits: Any
    clock: Callable[[], float]
    tools: ToolSettings
    judge: Judge | None
    pack: PolicyPack
    events: EventLog | None


def _text_agent(run_agent: Callable[..., AgentResult]) -> Callable[[Case, _Means], Run]:
    def run(case: Case, means: _Means) -> Run:
        scenario: Any = case.scenario
        result = run_agent(
            goal=scenario.goal,
            incident_context=case.subject,
            policy=means.limits,
            chat=means.chat,
            prompts=means.prompts,
            judge=means.judge,
            events=means.events,
            clock=means.clock,
        )
        return Run(result=result.to_dict())

    return run


def _action_agent(case: Case, means: _Means) -> Run:
    scenario: Any = case.scenario
    moment = datetime.fromisoformat(scenario.now)
    with open_tools(scenario, means.tools) as box, open_gate(means.pack, means.tools) as gate:
        result = run_guarded_policy_agent(
            goal=scenario.goal,
            request=case.subject or {},
            policy=means.limits,
            chat=means.chat,
            prompts=means.prompts,
            planner=_planner(case.plan),
            tools=box.tools,
            approver=scripted_approver(scenario.approver),
            gate=gate,
            events=means.events,
            clock=means.clock,
            now=lambda: moment,
        )
    return Run(result=result.to_dict(), tool_calls=tuple(box.calls), canned=box.canned_calls)


def _planner(plan: dict[str, Any] | None) -> Planner | None:
    if plan is None:
        return None
    return lambda _goal, _request: plan


def _clock(seconds_a_look: float) -> Callable[[], float]:
    if not seconds_a_look:
        return time.monotonic
    looks = itertools.count()
    return lambda: next(looks) * seconds_a_look


_BUILT_IN: Final[Mapping[str, Callable[[Case, _Means], Run]]] = {
    "self-critique": _text_agent(run_self_critique_agent),
    "reflection": _text_agent(run_reflection_agent),
    "guarded-policy": _action_agent,
}
