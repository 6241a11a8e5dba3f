"""Runs of the built-in agents, with the model, tools, reviewer and clock of a scenario."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
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
from redpen.review import ReviewQueue
from redpen_evals.scenario_library.loading import Case
from redpen_evals.targets.run import Run
from redpen_evals.targets.scripted_reviews import ScriptedReviews, open_scripted_reviews
from redpen_evals.targets.tools import ToolSettings, open_gate, open_tools, scripted_approver

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
        case: the scenario.
        chat: the model; None only for a scenario that calls none.
        prompts: of the agent; by default the base.
        policy: limits in place of the scenario's own.
        tools: the source of guarded-policy's tools; by default they are canned.
        judge: of revisions.
        pack: with a gate that decides on actions as well.
        events: log of the run's events.

    Raises:
        RedpenError: the scenario's goal, context, request, policy or decisions cannot be used.
    """
    scenario: Any = case.scenario
    resources = _Resources(
        chat=chat,
        prompts=prompts,
        limits=scenario.limits if policy is None else policy,
        clock=_clock(scenario.seconds_a_look),
        tools=tools or ToolSettings(),
        judge=judge,
        pack=pack,
        events=events,
    )
    with _with_reviews(case, resources) as reviewed:
        return _BUILT_IN[scenario.agent](case, reviewed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resources:
    chat: Chat | None
    prompts: PromptSet | None
    limits: Any
    clock: Callable[[], float]
    tools: ToolSettings
    judge: Judge | None
    pack: PolicyPack
    events: EventLog | None
    reviews: ScriptedReviews | None = None

    @property
    def queue(self) -> ReviewQueue | None:
        """The review queue of the run, if the scenario has reviews."""
        return None if self.reviews is None else self.reviews.queue

    def finish(self, result: AgentResult, **own: Any) -> Run:
        """Resume a run until all of its reviews are decided, and return it.

        Args:
            result: of the run until it ended, or stopped for a reviewer.
            own: further arguments to resume it with.
        """
        reviews = self.reviews
        if reviews is None:
            return Run(result=result.to_dict())
        arguments: dict[str, Any] = {
            "policy": self.limits,
            "prompts": self.prompts,
            "judge": self.judge,
            **{name: own[name] for name in ("gate", "now") if name in own},
        }
        while result.stop_reason == _PENDING and result.review_id is not None:
            if not reviews.decide(result.review_id, **arguments):
                break
            result = resume_run(
                reviews.queue,
                result.review_id,
                chat=self.chat,
                events=self.events,
                clock=self.clock,
                **{**arguments, **own},
            )
        return Run(result=reviews.with_refused(result.to_dict()), decisions_left=len(reviews.unused))


@contextmanager
def _with_reviews(case: Case, resources: _Resources) -> Iterator[_Resources]:
    script = case.built_in.review
    if script is None:
        yield resources
        return
    with open_scripted_reviews(script) as reviews:
        yield replace(resources, reviews=reviews)


def _text_agent(run_agent: Callable[..., AgentResult]) -> Callable[[Case, _Resources], Run]:
    def run(case: Case, resources: _Resources) -> Run:
        scenario: Any = case.scenario
        result = run_agent(
            goal=scenario.goal,
            incident_context=case.subject,
            policy=resources.limits,
            chat=resources.chat,
            prompts=resources.prompts,
            judge=resources.judge,
            events=resources.events,
            review=resources.queue,
            clock=resources.clock,
        )
        return resources.finish(result)

    return run


def _action_agent(case: Case, resources: _Resources) -> Run:
    scenario: Any = case.scenario
    moment = datetime.fromisoformat(scenario.now)
    approver = scripted_approver(scenario.approver) if scenario.review is None else None
    with open_tools(scenario, resources.tools) as box, open_gate(resources.pack, resources.tools) as gate:
        own: dict[str, Any] = {"tools": box.tools, "gate": gate, "now": lambda: moment}
        result = run_guarded_policy_agent(
            goal=scenario.goal,
            request=case.subject or {},
            policy=resources.limits,
            chat=resources.chat,
            prompts=resources.prompts,
            planner=_planner(case.plan),
            approver=approver,
            events=resources.events,
            review=resources.queue,
            clock=resources.clock,
            **own,
        )
        run = resources.finish(result, **own)
    return replace(run, tool_calls=tuple(box.calls), canned=box.canned_calls)


def _planner(plan: dict[str, Any] | None) -> Planner | None:
    if plan is None:
        return None
    return lambda _goal, _request: plan


def _clock(seconds_a_look: float) -> Callable[[], float]:
    if not seconds_a_look:
        return time.monotonic
    readings = itertools.count()
    return lambda: next(readings) * seconds_a_look


_BUILT_IN: Final[Mapping[str, Callable[[Case, _Resources], Run]]] = {
    "self-critique": _text_agent(run_self_critique_agent),
    "reflection": _text_agent(run_reflection_agent),
    "guarded-policy": _action_agent,
}
