"""Self-critique: draft → critique → revise → audit."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from redpen.errors import Stop
from redpen.gateway.critique import Critique, read_critique
from redpen.gateway.required_changes import apply_changes, required_phrases, unquoted_changes
from redpen.guards import RevisionRules
from redpen.judges import Judge
from redpen.policy import SelfCritiquePolicy, load_policy
from redpen.prompts import PromptName, PromptSet
from redpen.text.diff import diff_excerpt
from redpen.text.normal import collapse, plain_hash, text_hash
from redpen.text.similarity import length_increase_pct, similarity
from redpen.types import JsonObject, JsonValue

MAX_REVISE_CALLS = 3
_NOT_APPLIED = "required_changes_not_applied"


class SelfCritiqueResult(AgentResult):
    """Result of a self-critique run.

    Attributes:
        critique_decision: ``approve`` or ``revise``.
        severity: severity of the critique.
        risks: the risks of the critique, each ``{type, note}``.
        required_changes: the changes that the critique requires.
        audit: the difference between draft and answer: hashes, counts and an excerpt of the diff.
        critique: the whole critique, if it escalated.
        raw_critique: the model's unmodified answer, if it violated the contract of a critique.
    """

    critique_decision: str | None = None
    severity: str | None = None
    risks: list[dict[str, Any]] | None = None
    required_changes: list[str] | None = None
    audit: dict[str, Any] | None = None
    critique: dict[str, Any] | None = None
    raw_critique: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Revision:
    text: str
    attempts_used: int


def run_self_critique_agent(
    *,
    goal: str,
    incident_context: Mapping[str, Any] | BaseModel,
    policy: SelfCritiquePolicy | Mapping[str, Any] | None = None,
    chat: Chat | None = None,
    prompts: PromptSet | None = None,
    judge: Judge | None = None,
    events: Events | None = None,
    review: ReviewArgument | None = None,
    clock: Clock = time.monotonic,
) -> SelfCritiqueResult:
    """Write an update, critique it, and revise it as the critique requires.

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
    limits = load_policy(SelfCritiquePolicy, policy)
    task = start_task(
        goal=goal,
        incident_context=incident_context,
        policy=limits,
        chat=chat,
        prompts=prompts,
        judge=judge,
        clock=clock,
        agent="self-critique",
        events=events,
        review=review,
    )
    given = {"goal": task.goal, "incident_context": task.context}
    return task.run.finish(SelfCritiqueResult, lambda: _work(task, limits), given=given)


def _work(task: Task, policy: SelfCritiquePolicy) -> Mapping[str, object]:
    draft = write_draft(task, may_shorten=True, claims="hint")
    critique, escalated = _critique(task, policy, draft)
    if escalated is None and critique.decision != "revise":
        accepted = Accepted(text=draft, outcome="approved_direct")
        return _finalize(task, draft, critique, accepted, step=3)
    # Required changes of a critique that escalates are ignored.
    changes = critique.required_changes if critique.decision == "revise" else None
    rules = replace(
        revision_rules(task, changes, required_phrases, claims="hint"),
        max_length_increase_pct=_length_budget(policy, task.context),
    )
    try:
        if escalated is not None:
            raise escalated
        accepted = Accepted(text=_revise(task, draft, critique, rules), outcome="revised_once")
    except Escalation as escalation:
        accepted = reviewed_text(task, escalation, draft=draft, rules=rules, phrases_reason=_NOT_APPLIED)
    return _finalize(task, draft, critique, accepted, step=4)


def _critique(task: Task, policy: SelfCritiquePolicy, draft: str) -> tuple[Critique, Escalation | None]:
    raw = judge_draft(task, "critique", draft, allowed_key="allowed_risk_types")
    critique = read_critique(raw, policy)
    counts: JsonObject = {
        "severity": critique.severity,
        "risks": len(critique.risks),
        "required_changes": len(critique.required_changes),
    }
    return critique, log_judgement(task, "critique", critique, counts=counts)


def _revise(task: Task, draft: str, critique: Critique, rules: RevisionRules) -> str:
    phrases = rules.phrases
    revision = _accepted_revision(task, draft, critique, rules)
    changes: list[JsonValue] = list(critique.required_changes)
    task.run.log(
        3,
        trace={
            "phase": "revise",
            "patch_similarity": round(similarity(draft, revision.text), 3),
            "length_increase_pct": round(length_increase_pct(collapse(draft), collapse(revision.text)), 2),
            "required_changes_total": len(changes),
            "required_changes_enforced": phrases.checks,
            "required_changes_unenforced": len(changes) - phrases.checks,
            "attempts_used": revision.attempts_used,
            "retried": revision.attempts_used > 1,
            "revised_hash": text_hash(revision.text),
            **judge_fields(task),
            **concern_fields(task),
            "ok": True,
        },
        history={"action": "revise_once", "required_changes": changes, "revised_answer": revision.text},
    )
    return revision.text


def _accepted_revision(task: Task, draft: str, critique: Critique, rules: RevisionRules) -> _Revision:
    unquoted = unquoted_changes(critique.required_changes)

    def judge(candidate: str) -> Stop | None:
        return judge_revision(
            task, draft, candidate, rules=rules, phrases_reason=_NOT_APPLIED, unquoted=unquoted
        )

    changes: list[JsonValue] = list(critique.required_changes)
    candidate = draft
    for attempt in range(1, MAX_REVISE_CALLS + 1):
        # Every attempt starts from the accepted draft, not from the failed candidate.
        prompt: PromptName = "revise" if attempt == 1 else "revise_strict"
        candidate = revise_draft(task, prompt, draft, required_changes=changes)
        stop = judge(candidate)
        if stop is None:
            return _Revision(text=candidate, attempts_used=attempt)
        if stop.reason != f"patch_violation:{_NOT_APPLIED}":
            raise stop
    edited = apply_changes(candidate, critique.required_changes)
    # A candidate that needed no edit has already been judged.
    if stop := stop if edited == candidate else judge(edited):
        raise stop
    return _Revision(text=edited.strip(), attempts_used=MAX_REVISE_CALLS + 1)


def _length_budget(policy: SelfCritiquePolicy, context: JsonObject) -> float:
    hints = context.get("policy_hints")
    hint = hints.get("max_length_increase_pct") if isinstance(hints, dict) else None
    if isinstance(hint, bool) or not isinstance(hint, int | float):
        return policy.max_length_increase_pct
    return min(policy.max_length_increase_pct, hint)


def _finalize(
    task: Task, draft: str, critique: Critique, accepted: Accepted, *, step: int
) -> Mapping[str, object]:
    answer = accepted.text
    check_accepted(task, accepted)
    audit = _audit(draft, answer, critique)
    excerpt = audit["diff_excerpt"]
    changed = audit["changed"]
    task.run.log(
        step,
        trace={
            "phase": "audit_finalize",
            "final_hash": text_hash(answer),
            "changed": changed,
            "diff_lines": len(excerpt) if isinstance(excerpt, list) else 0,
            "ok": True,
        },
        history={"action": "audit_finalize", "status": "final", "changed": changed},
    )
    return {
        "outcome": accepted.outcome,
        "answer": answer,
        "critique_decision": critique.decision,
        "severity": critique.severity,
        "risks": [risk.to_dict() for risk in critique.risks],
        "required_changes": list(critique.required_changes),
        "audit": audit,
    }


def _audit(draft: str, answer: str, critique: Critique) -> JsonObject:
    before, after = draft.strip(), answer.strip()
    return {
        "changed": before != after,
        "before_hash": plain_hash(before),
        "after_hash": plain_hash(after),
        "before_chars": len(before),
        "after_chars": len(after),
        "delta_chars": len(after) - len(before),
        "length_increase_pct": round(length_increase_pct(before, after), 2),
        "risks_count": len(critique.risks),
        "required_changes_count": len(critique.required_changes),
        "diff_excerpt": list[JsonValue](diff_excerpt(before, after)),
    }
