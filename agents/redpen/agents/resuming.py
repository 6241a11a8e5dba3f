"""Deciding on what a run asks, and having it go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from redpen.agents.consulting import Gate
from redpen.agents.guarded_policy import GuardedPolicyResult, run_guarded_policy_agent
from redpen.agents.planners import Planner
from redpen.agents.reflection import ReflectionResult, run_reflection_agent
from redpen.agents.run import AgentResult, Clock
from redpen.agents.self_critique import SelfCritiqueResult, run_self_critique_agent
from redpen.agents.telling import Events
from redpen.chat import Chat
from redpen.chat.failures import model_stop
from redpen.chat.replies import Phase
from redpen.databases import DatabaseError
from redpen.errors import ConfigurationError, InvalidInputError
from redpen.gateway.execution import Tool
from redpen.judges import Judge, load_judge
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy
from redpen.prompts import PromptSet
from redpen.review.errors import BusyRunError, RefusedDecisionError, StaleRunError
from redpen.review.journal import Journal, RehearsalEnded, journal_of
from redpen.review.model import Decision, EntryKind, Review, RunStart, utc_now
from redpen.review.queue import Outcome, ReviewQueue
from redpen.types import JsonObject, JsonValue

Policy = SelfCritiquePolicy | ReflectionPolicy | GuardedPolicy | Mapping[str, Any]
"""What a run was held to, or the limits in it that differ from the defaults."""

_RESULTS: Final[Mapping[str, type[AgentResult]]] = {
    "self-critique": SelfCritiqueResult,
    "reflection": ReflectionResult,
    "guarded-policy": GuardedPolicyResult,
}
_CONTENT_OF: Final = {"text": "text", "action": "action", "call": "answer"}
"""What an edit of each kind of review has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """What a run goes on with."""

    policy: Policy | None = None
    prompts: PromptSet | None = None
    chat: Chat | None = None
    judge: Judge | None = None
    tools: Mapping[str, Tool] | None = None
    planner: Planner | None = None
    gate: Gate | None = None
    events: Events | None = None
    clock: Clock = time.monotonic
    now: Callable[[], datetime] = utc_now


def decide_review(
    queue: ReviewQueue,
    id: str,  # noqa: A002 - as the command calls it
    decision: Decision,
    *,
    policy: Policy | None = None,
    prompts: PromptSet | None = None,
    judge: Judge | None = None,
    gate: Gate | None = None,
    now: Callable[[], datetime] = utc_now,
) -> Outcome:
    """Decide on a pending review, after a look at what the decision would let through.

    The run is gone through again up to the decision, without a model, a tool or an event: a text is held to
    what a revision of the draft is held to, an action is put to the gate. The same happens once more when
    the run goes on. Of an agent of your own nothing is known that a decision could be held to.

    Args:
        queue: of the review.
        id: of the review, or a beginning that no other has.
        decision: of a person; its time is filled in.
        policy: that the run was started with, to be compared; by default what is stored of it.
        prompts: as for ``resume_run``.
        judge: as for ``resume_run``.
        gate: of the team's own, where the run had one: without it, it is asked only when the run goes on.
        now: the time of day that rules read.

    Returns:
        What came of it; a decision on a review that is decided changes nothing.

    Raises:
        RefusedDecisionError: the run would stop with what was decided; the review stays pending.
        StaleRunError: what the run was started with has changed.
        UnknownReviewError: there is no such review.
        InvalidInputError: the decision does not fit the review.
        ReviewError, DatabaseError: it cannot be read or kept.
    """
    review = queue.get(id)
    if review.status != "pending" or decision.kind in {"reject", "expire"}:
        return queue.decide(review.id, decision)
    _check_fit(review, decision)
    if review.agent in _RESULTS and review.kind != "call":
        means = _Means(policy=policy, prompts=prompts, judge=judge, gate=gate, now=now)
        _rehearse(queue, review, decision, means)
    return queue.decide(review.id, decision)


def resume_run(  # noqa: PLR0913 - one parameter for each thing that cannot be stored
    queue: ReviewQueue,
    id: str,  # noqa: A002 - as the command calls it
    *,
    policy: Policy | None = None,
    prompts: PromptSet | None = None,
    chat: Chat | None = None,
    judge: Judge | None = None,
    tools: Mapping[str, Tool] | None = None,
    planner: Planner | None = None,
    gate: Gate | None = None,
    events: Events | None = None,
    clock: Clock = time.monotonic,
    now: Callable[[], datetime] = utc_now,
) -> AgentResult:
    """Have the run of a decided review go on, in any process, any number of times: it has one effect.

    What it was answered before it stopped is taken from its journal, and no model or tool is asked for it
    again; then the decision goes in, and the run goes on live with a new budget of time. One that is killed
    on the way can be resumed again, and makes no call twice whose answer was kept.

    Args:
        queue: of the review.
        id: of the review, or a beginning that no other has.
        policy: that the run was started with, to be compared; by default what is stored of it.
        prompts: that the run was started with; by default the base.
        chat: the model, where the run may ask one yet; none of the agents does after a decision.
        judge: that the run was started with; by default the shipped one of its name.
        tools: of the run, where it had its own.
        planner: is not asked again.
        gate: of the run, where it had its own.
        events: where the run tells what happens in it, from the decision on.
        clock: monotonic clock, in seconds.
        now: the time of day that rules read.

    Returns:
        The result of the agent, with the id of the run that stopped; the stored one where it has ended.

    Raises:
        NotDecidedError: the review is pending.
        BusyRunError: another process resumes the run, or it went on to another review.
        StaleRunError: what the run was started with has changed.
        UnknownReviewError: there is no such review.
        InvalidInputError: the run had tools or a gate of its own, and none is given; or it is one of an
            agent of your own, which resumes it by ``redpen.review.ReviewedRun``.
        ReviewError, DatabaseError: what is stored cannot be read, or what the run does cannot be kept. It
            can be resumed again.
    """
    review = queue.get(id)
    kind = _RESULTS.get(review.agent)
    if kind is None:
        raise InvalidInputError(
            f"review {review.id[:8]} is of {review.agent}, an agent of your own: call it again, with "
            "redpen.review.ReviewedRun"
        )
    if review.resumed == "done":
        return _stored_result(queue, review, kind)
    means = _Means(
        policy=policy,
        prompts=prompts,
        chat=chat,
        judge=judge,
        tools=tools,
        planner=planner,
        gate=gate,
        events=events,
        clock=clock,
        now=now,
    )
    _check_means(review, means)
    claim = queue.claim(review.id)
    try:
        journal = journal_of(queue, claim.review, claim=claim)
        result = _run(claim.review.start, journal, means)
        _check_reached(journal, result)
        queue.complete(claim, result.to_dict())
    except BaseException:
        with suppress(DatabaseError, ConfigurationError):
            queue.release(claim)
        raise
    return result


def _stored_result(queue: ReviewQueue, review: Review, kind: type[AgentResult]) -> AgentResult:
    stored = queue.result(review.id)
    if stored is None:
        later = [one for one in queue.reviews(run_id=review.run_id) if one.id != review.id]
        last = f": review {later[-1].id[:8]} ({later[-1].status})" if later else ""
        raise BusyRunError(f"review {review.id[:8]}: its run has gone on, and has asked again{last}")
    return kind.model_validate(stored)


def _check_fit(review: Review, decision: Decision) -> None:
    content = _CONTENT_OF[review.kind]
    if decision.kind == "edit" and getattr(decision, content) is None:
        raise InvalidInputError(f"review {review.id[:8]}: an edit of this one has {content!r}")
    if decision.action is None or not isinstance(review.shown, dict):
        return
    action = decision.action
    if (action.get("id"), action.get("tool")) != (review.shown.get("id"), review.shown.get("tool")):
        raise InvalidInputError(
            f"review {review.id[:8]}: the action keeps its id {review.shown.get('id')!r} and its tool "
            f"{review.shown.get('tool')!r}"
        )


def _rehearse(queue: ReviewQueue, review: Review, decision: Decision, means: _Means) -> None:
    """Go through a run with a decision that is not made yet; raises RefusedDecisionError."""
    # The gate is asked about what a person proposes; nothing else is asked anything.
    rehearsed: set[EntryKind] = {"clock", "gate"} if means.gate is not None else {"clock"}
    tried = review.model_copy(update={"decision": decision})
    journal = journal_of(queue, tried, rehearsed=rehearsed)
    try:
        result = _run(review.start, journal, means)
    except RehearsalEnded:
        return
    _check_reached(journal, result)
    if result.status == "ok" or result.stop_reason == "events_unavailable":
        return
    findings = result.violations or result.concerns or ()
    code = f" ({result.policy_code})" if result.policy_code else ""
    raise RefusedDecisionError(
        f"review {review.id[:8]}: with this decision the run would stop: {result.stop_reason}{code}",
        stop_reason=result.stop_reason,
        findings=findings,
        policy_code=result.policy_code,
    )


def _check_reached(journal: Journal, result: AgentResult) -> None:
    if not journal.reached:
        raise StaleRunError(
            "the run does not come to where it stopped any more: it ends with "
            f"{result.stop_reason}; start the run again"
        )


def _check_means(review: Review, means: _Means) -> None:
    needed = (
        ("tools", means.tools, "`tools=`, or --tools module:factory"),
        ("gate", means.gate, "`gate=`, or --policy with the pack that names it"),
    )
    for name, given, how in needed:
        if name in review.start.own and given is None:
            raise InvalidInputError(
                f"review {review.id[:8]}: the run was started with {name} of its own: give them again ({how})"
            )


def _run(start: RunStart, journal: Journal, means: _Means) -> AgentResult:
    given = start.given
    common: dict[str, Any] = {
        "goal": given.get("goal"),
        "policy": start.policy if means.policy is None else means.policy,
        "prompts": means.prompts,
        "events": means.events,
        "review": journal,
        "clock": means.clock,
    }
    match start.agent:
        case "self-critique" | "reflection":
            run = run_self_critique_agent if start.agent == "self-critique" else run_reflection_agent
            return run(
                incident_context=_object(given.get("incident_context")),
                chat=means.chat or _NoChat(),
                judge=_judge(start, means.judge),
                **common,
            )
        case _:
            return run_guarded_policy_agent(
                request=_object(given.get("request")),
                chat=means.chat or (_NoChat() if start.prompts is not None else None),
                planner=means.planner or (_no_plan if "planner" in start.own else None),
                tools=means.tools if means.tools is not None else _no_tools(start),
                gate=means.gate or (_no_gate if "gate" in start.own else None),
                now=means.now,
                **common,
            )


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _judge(start: RunStart, judge: Judge | None) -> Judge | None:
    if judge is not None or start.judge is None:
        return judge
    try:
        return load_judge(start.judge["name"], model=start.model or "")
    except ConfigurationError as error:
        raise InvalidInputError(f"judge: the run was started with one: {error}") from error


class _NoChat:
    """Stands for the model where a run goes on: what it answered is in the journal."""

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        del phase, prompt, payload
        raise model_stop("llm_server_error", "NoChat", "the run was resumed without a model")


def _no_plan(_goal: str, _request: JsonObject) -> JsonObject:
    return {}


def _no_gate(_action: JsonObject, _situation: JsonObject) -> JsonObject:
    return {"decision": "deny"}


def _no_tools(start: RunStart) -> Mapping[str, Tool] | None:
    return {} if "tools" in start.own else None
