"""Decides pending reviews, and resumes their runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from redpen.agents.callbacks import Gate
from redpen.agents.guarded_policy import GuardedPolicyResult, run_guarded_policy_agent
from redpen.agents.planners import Planner
from redpen.agents.reflection import ReflectionResult, run_reflection_agent
from redpen.agents.run import AgentResult, Clock
from redpen.agents.run_events import Events
from redpen.agents.self_critique import SelfCritiqueResult, run_self_critique_agent
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
from redpen.review.journal import DryRunEnded, Journal, journal_of
from redpen.review.model import Decision, EntryKind, Review, RunStart, utc_now
from redpen.review.queue import Outcome, ReviewQueue
from redpen.types import JsonObject, JsonValue

Policy = SelfCritiquePolicy | ReflectionPolicy | GuardedPolicy | Mapping[str, Any]
"""The policy of a run, or a mapping of the limits that differ from the defaults."""

_RESULTS: Final[Mapping[str, type[AgentResult]]] = {
    "self-critique": SelfCritiqueResult,
    "reflection": ReflectionResult,
    "guarded-policy": GuardedPolicyResult,
}
_EDITED_FIELD: Final = {"text": "text", "action": "action", "call": "answer"}
"""Field of ``Decision`` with the content of an edit, by kind of review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ResumeInputs:
    """The arguments with which a run is resumed."""

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
    id: str,  # noqa: A002 - the name in the command line
    decision: Decision,
    *,
    policy: Policy | None = None,
    prompts: PromptSet | None = None,
    judge: Judge | None = None,
    gate: Gate | None = None,
    now: Callable[[], datetime] = utc_now,
) -> Outcome:
    """Decide on a pending review, after checking the content that the decision would approve.

    A dry run replays the run with the decision, without calling models or tools or writing events: a text has
    to pass the checks of a revision, an action has to pass the gate. The checks are repeated when the run is
    resumed. Decisions on runs of your own agents are not checked.

    Args:
        queue: the review queue.
        id: id of the review, or a unique prefix.
        decision: the reviewer's decision; its time is filled in.
        policy: the policy that the run was started with, to check that it has not changed; by default the
            stored one.
        prompts: as for ``resume_run``.
        judge: as for ``resume_run``.
        gate: the custom gate of the run, if it had one; without it, the gate is only called on resuming.
        now: returns the current time, for rules that depend on it.

    Returns:
        The outcome; a decision on a review that is already decided has no effect.

    Raises:
        RefusedDecisionError: the content fails its checks, so that the run would stop; the review stays
            pending.
        StaleRunError: an input that the run was started with has changed.
        UnknownReviewError: there is no such review.
        InvalidInputError: the decision does not fit the review.
        ReviewError, DatabaseError: the review cannot be read or stored.
    """
    review = queue.get(id)
    if review.status != "pending" or decision.kind in {"reject", "expire"}:
        return queue.decide(review.id, decision)
    _check_fit(review, decision)
    if review.agent in _RESULTS and review.kind != "call":
        inputs = _ResumeInputs(policy=policy, prompts=prompts, judge=judge, gate=gate, now=now)
        _check_by_dry_run(queue, review, decision, inputs)
    return queue.decide(review.id, decision)


def resume_run(  # noqa: PLR0913 - one parameter for each input that cannot be stored
    queue: ReviewQueue,
    id: str,  # noqa: A002 - the name in the command line
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
    """Resume the run of a decided review, in any process; repeated calls have no further effect.

    The run is replayed from its journal up to the stop, without calls to models or tools. Then the decision
    is applied, and the run continues live with a new time budget. A run that is killed while it continues can
    be resumed again; a call whose answer was stored is not repeated.

    Args:
        queue: the review queue.
        id: id of the review, or a unique prefix.
        policy: the policy that the run was started with, to check that it has not changed; by default the
            stored one.
        prompts: the prompts that the run was started with; by default the base prompts.
        chat: the model, if the run may still call one; the built-in agents call none after a decision.
        judge: the judge that the run was started with; by default the shipped one with its name.
        tools: the tools of the run, if it had custom ones.
        planner: the custom planner of the run; it is not called again.
        gate: the custom gate of the run, if it had one.
        events: log for the events after the stop.
        clock: monotonic clock, in seconds.
        now: returns the current time, for rules that depend on it.

    Returns:
        The result of the agent, with the id of the stopped run; the stored result if the run has ended.

    Raises:
        NotDecidedError: the review is pending.
        BusyRunError: another process resumes the run, or the run has continued and waits for another review.
        StaleRunError: an input that the run was started with has changed.
        UnknownReviewError: there is no such review.
        InvalidInputError: the run had custom tools or a custom gate, and none is given; or it is a run of
            your own agent, to be resumed with ``redpen.review.ReviewedRun``.
        ReviewError, DatabaseError: the stored run cannot be read, or its progress cannot be stored; the run
            can be resumed again.
    """
    review = queue.get(id)
    kind = _RESULTS.get(review.agent)
    if kind is None:
        raise InvalidInputError(
            f"review {review.id[:8]} belongs to {review.agent}, an agent of your own: call the agent again, "
            "with redpen.review.ReviewedRun"
        )
    if review.resumed == "done":
        return _stored_result(queue, review, kind)
    inputs = _ResumeInputs(
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
    _check_inputs(review, inputs)
    claim = queue.claim(review.id)
    try:
        journal = journal_of(queue, claim.review, claim=claim)
        result = _run(claim.review.start, journal, inputs)
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
        raise BusyRunError(
            f"review {review.id[:8]}: its run has continued and waits for another review{last}"
        )
    return kind.model_validate(stored)


def _check_fit(review: Review, decision: Decision) -> None:
    content = _EDITED_FIELD[review.kind]
    if decision.kind == "edit" and getattr(decision, content) is None:
        raise InvalidInputError(f"review {review.id[:8]}: an edit of this {review.kind} needs {content!r}")
    if decision.action is None or not isinstance(review.shown, dict):
        return
    action = decision.action
    if (action.get("id"), action.get("tool")) != (review.shown.get("id"), review.shown.get("tool")):
        raise InvalidInputError(
            f"review {review.id[:8]}: an edited action must keep its id {review.shown.get('id')!r} and its "
            f"tool {review.shown.get('tool')!r}"
        )


def _check_by_dry_run(queue: ReviewQueue, review: Review, decision: Decision, inputs: _ResumeInputs) -> None:
    """Replay a run with a decision that is not stored yet; raises RefusedDecisionError."""
    # Of the run's external calls only the gate is called, with the action that the reviewer wrote.
    callable_kinds: set[EntryKind] = {"clock", "gate"} if inputs.gate is not None else {"clock"}
    decided = review.model_copy(update={"decision": decision})
    journal = journal_of(queue, decided, dry_run_calls=callable_kinds)
    try:
        result = _run(review.start, journal, inputs)
    except DryRunEnded:
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
            "the run no longer reaches the point where it stopped: it ends with "
            f"{result.stop_reason}; start the run again"
        )


def _check_inputs(review: Review, inputs: _ResumeInputs) -> None:
    needed = (
        ("tools", inputs.tools, "`tools=`, or --tools module:factory"),
        ("gate", inputs.gate, "`gate=`, or --policy with the pack that names it"),
    )
    for name, given, how in needed:
        if name in review.start.own and given is None:
            raise InvalidInputError(
                f"review {review.id[:8]}: the run was started with a custom `{name}`: pass it again ({how})"
            )


def _run(start: RunStart, journal: Journal, inputs: _ResumeInputs) -> AgentResult:
    given = start.given
    common: dict[str, Any] = {
        "goal": given.get("goal"),
        "policy": start.policy if inputs.policy is None else inputs.policy,
        "prompts": inputs.prompts,
        "events": inputs.events,
        "review": journal,
        "clock": inputs.clock,
    }
    match start.agent:
        case "self-critique" | "reflection":
            run = run_self_critique_agent if start.agent == "self-critique" else run_reflection_agent
            return run(
                incident_context=_object(given.get("incident_context")),
                chat=inputs.chat or _UnusedChat(),
                judge=_judge(start, inputs.judge),
                **common,
            )
        case _:
            return run_guarded_policy_agent(
                request=_object(given.get("request")),
                chat=inputs.chat or (_UnusedChat() if start.prompts is not None else None),
                planner=inputs.planner or (_unused_planner if "planner" in start.own else None),
                tools=inputs.tools if inputs.tools is not None else _unused_tools(start),
                gate=inputs.gate or (_unused_gate if "gate" in start.own else None),
                now=inputs.now,
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


class _UnusedChat:
    """Placeholder for the model of a resumed run, which takes the model's answers from its journal."""

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        del phase, prompt, payload
        raise model_stop("llm_server_error", "NoChat", "the run was resumed without a model")


def _unused_planner(_goal: str, _request: JsonObject) -> JsonObject:
    return {}


def _unused_gate(_action: JsonObject, _situation: JsonObject) -> JsonObject:
    return {"decision": "deny"}


def _unused_tools(start: RunStart) -> Mapping[str, Tool] | None:
    return {} if "tools" in start.own else None
