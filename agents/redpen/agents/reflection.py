"""Reflection: draft → review → revise → finalise."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from redpen.agents.run import AgentResult, Clock
from redpen.agents.run_events import Events
from redpen.agents.run_journal import ReviewArgument
from redpen.agents.text_decision import Accepted, check_accepted, reviewed_text
from redpen.agents.text_steps import (
    Escalation,
    Task,
    concern_fields,
    judge_draft,
    judge_fields,
    judge_revision,
    log_judgement,
    revise_draft,
    revision_rules,
    start_task,
    write_draft,
)
from redpen.chat import Chat
from redpen.gateway.fix_plan import required_phrases, unquoted_items
from redpen.gateway.review import Review, read_review
from redpen.guards import RevisionRules
from redpen.judges import Judge
from redpen.policy import ReflectionPolicy, load_policy
from redpen.prompts import PromptSet
from redpen.text.normal import text_hash
from redpen.text.similarity import similarity
from redpen.types import JsonObject, JsonValue

_NOT_APPLIED = "fix_plan_not_applied"


class ReflectionResult(AgentResult):
    """Result of a reflection run.

    Attributes:
        review_decision: ``approve`` or ``revise``.
        issues: the issues of the review, each ``{type, note}``.
        fix_plan: the instructions of the review; empty for an approved draft.
        review: the whole review, if it escalated.
        raw_review: the model's unmodified answer, if it violated the contract of a review.
    """

    review_decision: str | None = None
    issues: list[dict[str, Any]] | None = None
    fix_plan: list[str] | None = None
    review: dict[str, Any] | None = None
    raw_review: Any = None


def run_reflection_agent(
    *,
    goal: str,
    incident_context: Mapping[str, Any] | BaseModel,
    policy: ReflectionPolicy | Mapping[str, Any] | None = None,
    chat: Chat | None = None,
    prompts: PromptSet | None = None,
    judge: Judge | None = None,
    events: Events | None = None,
    review: ReviewArgument | None = None,
    clock: Clock = time.monotonic,
) -> ReflectionResult:
    """Write an update, review it once, and revise it at most once before it is published.

    Args:
        goal: purpose of the update.
        incident_context: the incident context, a mapping or an ``IncidentContext``.
        policy: limits and allowlists, or a mapping of those that differ from the defaults.
        chat: the model; by default a client configured by ``OPENAI_*`` when the run starts.
        prompts: the model's prompts (``redpen.prompts.load_prompts``); by default the base prompts.
        judge: checks a revision in which the guards found nothing (``redpen.judges.load_judge``).
        events: event log of the run (``redpen.events.open_events``, or a sink of your own); by default none.
        review: the review queue for escalations (``redpen.review.open_reviews``, or an address such as
            ``sqlite:///reviews.db``). The run stops with ``pending_review`` and can be resumed after the
            decision (``redpen.decide_review``, ``redpen.resume_run``). Alternatively a callable that takes
            the question and decides at once, within the run's time. Without it, an escalation ends the run.
        clock: monotonic clock, in seconds.

    Returns:
        A result with a stop reason; failures of the model and rejections by the gateway are not raised.

    Raises:
        ConfigurationError: no chat client was given and the environment has no API key.
        InvalidInputError: goal, context, policy or review are invalid.
    """
    limits = load_policy(ReflectionPolicy, policy)
    task = start_task(
        goal=goal,
        incident_context=incident_context,
        policy=limits,
        chat=chat,
        prompts=prompts,
        judge=judge,
        clock=clock,
        agent="reflection",
        events=events,
        review=review,
    )
    given = {"goal": task.goal, "incident_context": task.context}
    return task.run.finish(ReflectionResult, lambda: _work(task, limits), given=given)


def _work(task: Task, policy: ReflectionPolicy) -> Mapping[str, object]:
    draft = write_draft(task, may_shorten=False, claims="inherit")
    review, escalated = _review(task, policy, draft)
    if escalated is None and review.decision != "revise":
        return _finalize(task, review, Accepted(text=draft, outcome="approved_direct"), step=3)
    plan = review.fix_plan if review.decision == "revise" else None
    rules = revision_rules(task, plan, required_phrases, claims="inherit")
    try:
        if escalated is not None:
            raise escalated
        accepted = Accepted(text=_revise(task, draft, review, rules), outcome="revised_once")
    except Escalation as escalation:
        accepted = reviewed_text(task, escalation, draft=draft, rules=rules, phrases_reason=_NOT_APPLIED)
    return _finalize(task, review, accepted, step=4)


def _review(task: Task, policy: ReflectionPolicy, draft: str) -> tuple[Review, Escalation | None]:
    review = read_review(judge_draft(task, "review", draft, allowed_key="allowed_issue_types"), policy)
    counts: JsonObject = {"issues": len(review.issues), "fix_items": len(review.fix_plan)}
    return review, log_judgement(task, "review", review, counts=counts)


def _revise(task: Task, draft: str, review: Review, rules: RevisionRules) -> str:
    fix_plan: list[JsonValue] = list(review.fix_plan)
    revised = revise_draft(task, "revise_fix_plan", draft, fix_plan=fix_plan)
    stop = judge_revision(
        task,
        draft,
        revised,
        rules=rules,
        phrases_reason=_NOT_APPLIED,
        unquoted=unquoted_items(review.fix_plan),
    )
    if stop:
        raise stop
    task.run.log(
        3,
        trace={
            "phase": "revise",
            "patch_similarity": round(similarity(draft, revised), 3),
            "fix_plan_quoted_checks": rules.phrases.phrases,
            "revised_hash": text_hash(revised),
            **judge_fields(task),
            **concern_fields(task),
            "ok": True,
        },
        history={"action": "revise_once", "fix_plan": fix_plan, "revised_answer": revised},
    )
    return revised


def _finalize(task: Task, review: Review, accepted: Accepted, *, step: int) -> Mapping[str, object]:
    answer = accepted.text
    check_accepted(task, accepted)
    task.run.log(
        step,
        trace={"phase": "finalize", "final_hash": text_hash(answer), "ok": True},
        history={"action": "finalize", "status": "final"},
    )
    return {
        "outcome": accepted.outcome,
        "answer": answer,
        "review_decision": review.decision,
        "issues": [issue.to_dict() for issue in review.issues],
        "fix_plan": list(review.fix_plan),
    }
