"""Reflection: draft → review → revise → finalise."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from redpen.agents.run import AgentResult, Clock
from redpen.agents.telling import Events, tell_judgement
from redpen.agents.writing import (
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
from redpen.judges import Judge
from redpen.policy import ReflectionPolicy, load_policy
from redpen.prompts import PromptSet
from redpen.text.normal import text_hash
from redpen.text.similarity import similarity
from redpen.types import JsonValue


class ReflectionResult(AgentResult):
    """Result of a reflection run.

    Attributes:
        review_decision: ``approve`` or ``revise``.
        issues: ``{type, note}`` each.
        fix_plan: the instructions that were carried out; empty for an approved draft.
        review: the review that escalated.
        raw_review: the model's object, unmodified, where it broke the contract.
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
    clock: Clock = time.monotonic,
) -> ReflectionResult:
    """Write an update, have it reviewed once, revise it at most once.

    Args:
        goal: what the update is for.
        incident_context: the incident context, a mapping or an ``IncidentContext``.
        policy: limits and allowlists, or the ones that differ from the defaults.
        chat: the model; by default what ``OPENAI_*`` says when the run starts.
        prompts: what the model is asked with (``redpen.prompts.load_prompts``); by default the base.
        judge: asked about a revision in which the guards found nothing (``redpen.judges.load_judge``).
        events: where the run tells what happens in it (``redpen.events.open_events``, or a sink of your
            own); by default nowhere.
        clock: monotonic clock, in seconds.

    Returns:
        A result; whatever model and gateway do, the run ends with a stop reason and never raises.

    Raises:
        ConfigurationError: no chat client was given and the environment holds no key.
        InvalidInputError: goal, context or policy cannot be used.
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
    )
    given = {"goal": task.goal, "incident_context": task.context}
    return task.run.finish(ReflectionResult, lambda: _work(task, limits), given=given)


def _work(task: Task, policy: ReflectionPolicy) -> Mapping[str, object]:
    draft = _draft(task)
    review = _review(task, policy, draft)
    if review.decision == "revise":
        return _finalize(task, policy, review, _revise(task, policy, draft, review), step=4)
    return _finalize(task, policy, review, draft, step=3)


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


def _review(task: Task, policy: ReflectionPolicy, draft: str) -> Review:
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
    tell_judgement(
        task.run.events, "review", review.to_dict(), severity=review.severity, findings=len(review.issues)
    )
    if review.decision == "escalate":
        raise escalation("review", review.reason, review.to_dict())
    if over_budget:
        raise over_budget
    return review


def _revise(task: Task, policy: ReflectionPolicy, draft: str, review: Review) -> str:
    fix_plan: list[JsonValue] = list(review.fix_plan)
    phrases = required_phrases(review.fix_plan)
    revised = revise_draft(task, "revise_fix_plan", draft, fix_plan=fix_plan)
    stop = judge_revision(
        task,
        draft,
        revised,
        rules=revision_rules(
            task, phrases, lines=changed_lines(policy, review.fix_plan, required_phrases), claims="inherit"
        ),
        phrases_reason="fix_plan_not_applied",
        unquoted=unquoted_items(review.fix_plan),
    )
    if stop:
        raise stop
    task.run.log(
        3,
        trace={
            "phase": "revise",
            "patch_similarity": round(similarity(draft, revised), 3),
            "fix_plan_quoted_checks": phrases.phrases,
            "revised_hash": text_hash(revised),
            **noted_judge(task),
            **noted_concerns(task),
            "ok": True,
        },
        history={"action": "revise_once", "fix_plan": fix_plan, "revised_answer": revised},
    )
    return revised


def _finalize(
    task: Task, policy: ReflectionPolicy, review: Review, answer: str, *, step: int
) -> Mapping[str, object]:
    check_answer(answer, max_chars=policy.max_answer_chars, policy=policy, context=task.context)
    task.run.log(
        step,
        trace={"phase": "finalize", "final_hash": text_hash(answer), "ok": True},
        history={"action": "finalize", "status": "final"},
    )
    return {
        "outcome": "revised_once" if review.decision == "revise" else "approved_direct",
        "answer": answer,
        "review_decision": review.decision,
        "issues": [issue.to_dict() for issue in review.issues],
        "fix_plan": list(review.fix_plan),
    }
