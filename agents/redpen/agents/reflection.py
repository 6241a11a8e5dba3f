"""Reflection: draft → review → revise → finalise."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from redpen.agents.run import AgentResult, Clock
from redpen.agents.run_events import Events, write_judgement
from redpen.agents.run_journal import ReviewPlace
from redpen.agents.text_decision import Accepted, decided_text
from redpen.agents.text_steps import (
    Escalation,
    Task,
    escalation,
    ground_draft,
    judge_draft,
    judge_revision,
    noted_concerns,
    noted_judge,
    policy_code,
    revise_draft,
    revision_rules,
    severity_stop,
    start_task,
    write_draft,
)
from redpen.chat import Chat
from redpen.gateway.fix_plan import required_phrases, unquoted_items
from redpen.gateway.review import Review, read_review
from redpen.gateway.text_policy import changed_lines
from redpen.gateway.texts import check_answer
from redpen.guards import RevisionRules
from redpen.judges import Judge
from redpen.policy import ReflectionPolicy, load_policy
from redpen.prompts import PromptSet
from redpen.text.normal import text_hash
from redpen.text.similarity import similarity
from redpen.types import JsonValue

_NOT_APPLIED = "fix_plan_not_applied"


class ReflectionResult(AgentResult):
    """Result of a reflection run.

    Attributes:
        review_decision: ``approve`` or ``revise``.
        issues: ``{type, note}`` each.
        fix_plan: the instructions that were carried out; empty for an approved draft.
        review: the review, if it escalated.
        raw_review: the model's unmodified answer, if it broke the contract.
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
    review: ReviewPlace | None = None,
    clock: Clock = time.monotonic,
) -> ReflectionResult:
    """Write an update, review it once, and revise it at most once.

    Args:
        goal: purpose of the update.
        incident_context: the incident context, a mapping or an ``IncidentContext``.
        policy: limits and allowlists, or those that differ from the defaults.
        chat: the model; by default a client configured by ``OPENAI_*`` when the run starts.
        prompts: the model's prompts (``redpen.prompts.load_prompts``); by default the base prompts.
        judge: checks a revision in which the guards found nothing (``redpen.judges.load_judge``).
        events: event log of the run (``redpen.events.open_events``, or a sink of your own); by default none.
        review: the review queue for escalations (``redpen.review.open_reviews``, or an address such as
            ``sqlite:///reviews.db``). The run stops with ``pending_review`` and can be resumed after the
            decision (``redpen.decide_review``, ``redpen.resume_run``). Or a callable that takes the question
            and decides at once, within the run's time. Without it an escalation ends the run.
        clock: monotonic clock, in seconds.

    Returns:
        A result with a stop reason; failures of model and gateway are not raised.

    Raises:
        ConfigurationError: no chat client was given and the environment holds no key.
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
    draft = _draft(task)
    review, escalated = _review(task, policy, draft)
    if escalated is None and review.decision != "revise":
        return _finalize(task, policy, review, Accepted(text=draft, outcome="approved_direct"), step=3)
    rules = _revision_rules(task, policy, review)
    try:
        if escalated is not None:
            raise escalated
        accepted = Accepted(text=_revise(task, draft, review, rules), outcome="revised_once")
    except Escalation as escalation:
        accepted = decided_text(task, escalation, draft=draft, rules=rules, phrases_reason=_NOT_APPLIED)
    return _finalize(task, policy, review, accepted, step=4)


def _draft(task: Task) -> str:
    draft = write_draft(task, may_shorten=False).text
    grounding = ground_draft(task, draft, claims="inherit")
    task.run.log(
        1,
        trace={
            "phase": "draft",
            "draft_hash": text_hash(draft),
            "chars": len(draft),
            **grounding,
            "ok": True,
        },
        history={"action": "draft_once", "draft": draft},
    )
    return draft


def _review(task: Task, policy: ReflectionPolicy, draft: str) -> tuple[Review, Escalation | None]:
    review = read_review(judge_draft(task, "review", draft, allowed_key="allowed_issue_types"), policy)
    over_budget = severity_stop(policy, "review", review.decision, review.severity, review.to_dict())
    task.run.log(
        2,
        trace={
            "phase": "review",
            "decision": review.decision,
            "issues": len(review.issues),
            "fix_items": len(review.fix_plan),
            **policy_code(over_budget),
            "ok": True,
        },
        history={"action": "review_once", "review": review.to_dict()},
    )
    write_judgement(
        task.run.events, "review", review.to_dict(), severity=review.severity, findings=len(review.issues)
    )
    if review.decision == "escalate":
        return review, escalation("review", review.reason, review.to_dict())
    if isinstance(over_budget, Escalation):
        return review, over_budget
    if over_budget:
        raise over_budget
    return review, None


def _revision_rules(task: Task, policy: ReflectionPolicy, review: Review) -> RevisionRules:
    """Return the rules for a revision; the fix plan is empty unless the review decided to revise."""
    asks = review.decision == "revise"
    phrases = required_phrases(review.fix_plan if asks else ())
    lines = changed_lines(policy, review.fix_plan, required_phrases) if asks else None
    return revision_rules(task, phrases, lines=lines, claims="inherit")


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
            **noted_judge(task),
            **noted_concerns(task),
            "ok": True,
        },
        history={"action": "revise_once", "fix_plan": fix_plan, "revised_answer": revised},
    )
    return revised


def _finalize(
    task: Task, policy: ReflectionPolicy, review: Review, accepted: Accepted, *, step: int
) -> Mapping[str, object]:
    answer = accepted.text
    check_answer(
        answer,
        max_chars=policy.max_answer_chars,
        policy=policy,
        context=task.context,
        waived=accepted.waived,
    )
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
