"""Runs of the built-in agents, with the model, tools, reviewer and clock of a scenario."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import Any, Final

from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.planners import Planner
from redpen.agents.reflection import run_reflection_agent
from redpen.agents.resume import resume_run
from redpen.agents.run import AgentResult
from redpen.agents.self_critique import run_self_critique_agent
from redpen.chat import Chat
from redpen.events import EventLog
from redpen.judges import Judge
from redpen.policy.packs import DEFAULT_PACK, PolicyPack
from redpen.prompts import PromptSet
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.scenario import GuardedPolicyScenario
from redpen_evals.targets.run import Run
from redpen_evals.targets.scripted_reviews import open_scripted_reviews
from redpen_evals.targets.tools import ToolBox, ToolSettings, open_gate, open_tools, scripted_approver

_PENDING: Final = "pending_review"


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
    """Run the built-in agent of a scenario once, with the scenario's review decisions.

    Args:
        chat: the model; None only for a scenario that calls none.
        policy: limits in place of the scenario's own.
        tools: the source of guarded-policy's tools; by default they are canned.
        pack: with a gate that decides on actions as well.

    Raises:
        RedpenError: the scenario's goal, context, request, policy or decisions cannot be used.
    """
    with ExitStack() as stack:
        scenario, script = case.built_in, case.built_in.review
        reviews = None if script is None else stack.enter_context(open_scripted_reviews(script))
        limits = scenario.limits if policy is None else policy
        # What the run, a decision on its reviews, and its continuation have in common.
        checks: dict[str, Any] = {"policy": limits, "prompts": prompts}
        parts: dict[str, Any] = {"chat": chat, "events": events, "clock": _clock(scenario.seconds_a_look)}
        box = ToolBox()
        agent: Callable[..., AgentResult]
        if isinstance(scenario, GuardedPolicyScenario):
            settings, moment = tools or ToolSettings(), datetime.fromisoformat(scenario.now)
            plan: Any = case.plan
            planner: Planner | None = None if plan is None else lambda _goal, _request: plan
            box = stack.enter_context(open_tools(scenario, settings))
            checks |= {"gate": stack.enter_context(open_gate(pack, settings)), "now": lambda: moment}
            parts["tools"] = box.tools
            agent = partial(
                run_guarded_policy_agent,
                request=case.subject or {},
                planner=planner,
                approver=scripted_approver(scenario.approver) if script is None else None,
            )
        else:
            checks["judge"] = judge
            agent = partial(_TEXT_AGENTS[scenario.agent], incident_context=case.subject)
        result = agent(
            goal=scenario.goal, review=None if reviews is None else reviews.queue, **checks, **parts
        )
        while (
            reviews is not None
            and result.stop_reason == _PENDING
            and result.review_id is not None
            and reviews.decide(result.review_id, **checks)
        ):
            result = resume_run(reviews.queue, result.review_id, **checks, **parts)
        return Run(
            result={**result.to_dict(), **(reviews.refusals() if reviews else {})},
            decisions_left=len(reviews.unused) if reviews else 0,
            tool_calls=tuple(box.calls),
            canned=box.canned_calls,
        )


def _clock(seconds_a_look: float) -> Callable[[], float]:
    if not seconds_a_look:
        return time.monotonic
    readings = itertools.count()
    return lambda: next(readings) * seconds_a_look


_TEXT_AGENTS: Final[Mapping[str, Callable[..., AgentResult]]] = {
    "self-critique": run_self_critique_agent,
    "reflection": run_reflection_agent,
}
