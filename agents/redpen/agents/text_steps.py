"""The steps that both text agents share: draft, judgement and revision."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel

from redpen.agents.run import Clock, Run, read_goal, read_object
from redpen.agents.run_events import Events, write_findings, write_judge, write_judgement
from redpen.agents.run_journal import ReviewArgument, start_run
from redpen.chat import Chat, ChatClient
from redpen.chat.model_call import ask
from redpen.chat.replies import DraftReply, Phase, RevisedReply, read_text
from redpen.errors import InvalidInputError, Stop
from redpen.gateway.contract import ESCALATION_REASON_CHARS
from redpen.gateway.critique import Critique
from redpen.gateway.review import Review
from redpen.gateway.text_policy import changed_lines, with_policy
from redpen.gateway.texts import check_draft, concern_stop, revision_stop, ungrounded_findings
from redpen.guards import Report, RequiredPhrases, RevisionRules, check_revision
from redpen.guards.revision import ClaimRule
from redpen.judges import Judge
from redpen.judges.changes import unfulfilled_changes
from redpen.policy import TextPolicy
from redpen.policy.model import Measure
from redpen.prompts import PromptName, PromptSet, base_prompts
from redpen.text.normal import text_hash
from redpen.types import AgentName, JsonObject, JsonValue

SEVERITY_BUDGET = "policy.severity_budget"
"""Code of a decision by the policy's severity budget."""

_KEY_TYPES: Mapping[str, type] = {
    "report_date": str,
    "region": str,
    "incident": dict,
    "policy_hints": dict,
    "approved_actions": list,
    "severities": list,
    "standing": dict,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Inputs and state of one run of a text agent.

    Attributes:
        goal: purpose of the update.
        context: a copy of the incident context.
        chat: the model.
        policy: limits and allowlists.
        prompts: the model's prompts.
        run: trace, history and clock.
        judge: checks a revision in which the guards found nothing; None for no judge.
    """

    goal: str
    context: JsonObject
    chat: Chat
    policy: TextPolicy
    prompts: PromptSet
    run: Run
    judge: Judge | None = None

    def ask(
        self,
        call: Phase,
        prompt: PromptName,
        payload: Mapping[str, JsonValue],
        *,
        phase: str | None = None,
    ) -> JsonObject:
        """Call the model once; ``phase`` is the phase of the stop if the call fails, by default ``call``."""
        text = self.prompts[prompt].text
        try:
            return ask(self.chat, phase=call, prompt=text, payload=payload)
        except Stop as stop:
            stop.phase = stop.phase or phase or call
            raise

    def payload(self, **rest: JsonValue) -> JsonObject:
        """Return the payload of a model call: goal and context first, then the rest in order."""
        return {"goal": self.goal, "incident_context": self.context, **rest}


class Escalation(Stop):
    """A stop that requires a reviewer's decision.

    Attributes:
        revised: the revision in question; None if the draft is in question.
    """

    def __init__(self, *, phase: str, revised: str | None = None, **details: object) -> None:
        super().__init__("policy_escalation", phase=phase, **details)
        self.revised = revised


def start_task(  # noqa: PLR0913 - one parameter for each replaceable part
    *,
    goal: object,
    incident_context: Mapping[str, Any] | BaseModel,
    policy: TextPolicy,
    chat: Chat | None,
    prompts: PromptSet | None,
    judge: Judge | None = None,
    clock: Clock = time.monotonic,
    agent: AgentName,
    events: Events | None = None,
    review: ReviewArgument | None = None,
) -> Task:
    """Validate the caller's arguments and start the clock.

    Args:
        goal: purpose of the update.
        incident_context: the incident context.
        policy: limits and allowlists.
        chat: the model; by default a client configured by ``OPENAI_*``.
        prompts: the model's prompts; by default the base prompts.
        judge: checks a revision in which the guards found nothing.
        clock: monotonic clock, in seconds.
        agent: name of the agent.
        events: event log of the run.
        review: the review queue of the run.

    Raises:
        ConfigurationError: no chat client was given and the environment has no API key, or the database of
            reviews cannot be used.
        InvalidInputError: goal, context or review are invalid.
    """
    goal, context = read_goal(goal), _read_context(incident_context)
    chat, prompts = chat or ChatClient.from_environment(), prompts or base_prompts()
    run = start_run(
        agent,
        given={"goal": goal, "incident_context": context},
        policy=policy,
        prompts=prompts,
        chat=chat,
        judge=judge,
        clock=clock,
        events=events,
        review=review,
    )
    return Task(
        goal=goal,
        context=context,
        chat=chat,
        policy=policy,
        prompts=prompts,
        run=run,
        judge=judge,
    )


def write_draft(task: Task, *, may_shorten: bool, claims: ClaimRule) -> str:
    """Ask the model for a draft, and check it; this is the first step of the run.

    Args:
        task: the run.
        may_shorten: whether the model may be asked once to shorten a draft that is too long.
        claims: which claims the draft may make.

    Raises:
        Stop: ``invalid_draft:*``, or a failed model call.
    """
    limit = task.policy.max_draft_chars
    draft = _ask_for_draft(task, "draft", task.payload())
    attempts = 1
    if may_shorten and len(draft) > limit:
        draft = _ask_for_draft(task, "shorten", {"draft": draft, "max_chars": limit})
        attempts = 2
    check_draft(draft, max_chars=limit)
    fields: JsonObject = {"attempts_used": attempts, "retried": attempts > 1} if may_shorten else {}
    fields |= _check_grounding(task, draft, claims=claims)
    task.run.log(
        1,
        trace={"phase": "draft", "draft_hash": text_hash(draft), "chars": len(draft), **fields, "ok": True},
        history={"action": "draft_once", "draft": draft},
    )
    return draft


def _check_grounding(task: Task, draft: str, *, claims: ClaimRule) -> JsonObject:
    """Check a draft against the context, and return the trace fields for what was found."""
    found = ungrounded_findings(draft, task.context, claims=claims, policy=task.policy)
    if not found:
        return {}
    write_findings(task.run.events, "draft", "ungrounded", found)
    enforced = task.policy.draft_grounding == "enforce"
    if enforced and found[0]["code"] == "restricted_phrase":
        raise Stop("invalid_draft:restricted_phrase", phase="draft", violations=found)
    unread = [finding for finding in found if finding["code"] == "unread_language"]
    if unread and task.policy.unread_language == "block":
        raise Stop("invalid_draft:unread_language", phase="draft", violations=unread)
    if len(found) > len(unread) and enforced:
        raise Stop("invalid_draft:ungrounded", phase="draft", violations=found)
    task.run.result_fields["ungrounded"] = found
    return {"ungrounded": len(found)}


def judge_revision(
    task: Task,
    draft: str,
    revised: str,
    *,
    rules: RevisionRules,
    phrases_reason: str,
    unquoted: Sequence[str] = (),
) -> Stop | None:
    """Return the stop of the first check that a revision fails, or None; concerns are recorded.

    Args:
        task: the run.
        draft: the accepted draft.
        revised: the revision.
        rules: rules for the guards.
        phrases_reason: stop reason if a required change is not applied.
        unquoted: required changes without an enforceable phrase; a model checks them if the policy's
            ``semantic_changes`` is ``judge``.
    """
    report = check_revision(original=draft, revised=revised, context=task.context, rules=rules)
    stop = revision_stop(report, phrases_reason=phrases_reason) or concern_stop(report, task.policy)
    if stop is None:
        report = _with_judgements(task, draft, revised, report, unquoted)
        stop = revision_stop(report, phrases_reason=phrases_reason) or concern_stop(report, task.policy)
    _write_finding_events(task, report)
    if stop is None and report.concerns:
        task.run.result_fields["concerns"] = report.to_dict()["concerns"]
    if stop is not None and stop.reason == "policy_escalation":
        return Escalation(phase="revise", revised=revised, **stop.details)
    return stop


def _write_finding_events(task: Task, report: Report) -> None:
    if not task.run.events.is_on or not (report.violations or report.concerns):
        return
    found = report.to_dict()
    write_findings(task.run.events, "revise", "violation", found["violations"])
    write_findings(task.run.events, "revise", "concern", found["concerns"])


def _with_judgements(task: Task, draft: str, revised: str, report: Report, unquoted: Sequence[str]) -> Report:
    """Return a report without violations with the findings of model checks added."""
    if unquoted and task.policy.semantic_changes == "judge":
        task.run.check_time("check")
        found = unfulfilled_changes(
            unquoted,
            original=draft,
            revised=revised,
            ask=lambda payload: task.ask("check", "check_changes", payload),
        )
        if not found.ok:
            return replace(report, violations=found.violations)
    if task.judge is None:
        return report
    task.run.check_time("judge")
    judged = task.judge.judge(original=draft, revised=revised, context=task.context, chat=task.chat)
    write_judge(task.run.events, task.judge, violations=len(judged.violations), concerns=len(judged.concerns))
    return Report(violations=judged.violations, concerns=(*report.concerns, *judged.concerns))


def judge_fields(task: Task) -> JsonObject:
    """Return the trace fields for the judge, if any: its name and version, and whether it may block."""
    if task.judge is None:
        return {}
    judge = task.judge
    return {"judge": f"{judge.name} {judge.version}", "judge_may_block": judge.may_block}


def concern_fields(task: Task) -> JsonObject:
    """Return the trace fields for the recorded concerns, if any: their number."""
    concerns = task.run.result_fields.get("concerns")
    return {"concerns": len(concerns)} if isinstance(concerns, list) else {}


def judge_draft(task: Task, call: Phase, draft: str, *, allowed_key: str) -> JsonObject:
    """Ask the model for a ``critique`` or ``review`` of a draft; raises ``Stop`` if the time is up."""
    task.run.check_time(call)
    allowed: list[JsonValue] = list[JsonValue](sorted(task.policy.allowed_types))
    prompt: PromptName = "critique" if call == "critique" else "review"
    return task.ask(call, prompt, task.payload(draft=draft, **{allowed_key: allowed}))


def log_judgement(
    task: Task, phase: Literal["critique", "review"], judgement: Critique | Review, *, counts: JsonObject
) -> Escalation | None:
    """Log a judgement as the second step of the run, and return the escalation that it causes, if any.

    Args:
        task: the run.
        phase: kind of judgement.
        judgement: the judgement.
        counts: trace fields of this kind of judgement.

    Raises:
        Stop: ``policy_denied:severity_budget`` if the policy blocks this severity.
    """
    content, severity = judgement.to_dict(), judgement.severity
    over_budget = severity_stop(task.policy, phase, judgement.decision, severity, content)
    policy_code: JsonObject = {"policy_code": SEVERITY_BUDGET} if over_budget else {}
    task.run.log(
        2,
        trace={"phase": phase, "decision": judgement.decision, **counts, **policy_code, "ok": True},
        history={"action": f"{phase}_once", phase: content},
    )
    write_judgement(task.run.events, phase, content, severity=severity, findings=len(judgement.findings))
    if judgement.decision == "escalate":
        reason = judgement.reason[:ESCALATION_REASON_CHARS]
        details: dict[str, Any] = {"escalation_reason": reason, phase: content}
        return Escalation(phase=phase, **details)
    if over_budget is None or isinstance(over_budget, Escalation):
        return over_budget
    raise over_budget


def revise_draft(task: Task, prompt: PromptName, draft: str, **instructions: JsonValue) -> str:
    """Ask the model to revise a draft, and return the trimmed text; raises ``Stop`` if the time is up."""
    task.run.check_time("revise")
    reply = task.ask("revise", prompt, task.payload(draft=draft, **instructions))
    return _read_in_phase("revise", RevisedReply, reply)


def revision_rules(
    task: Task,
    changes: Sequence[str] | None,
    required_phrases: Callable[[tuple[str, ...]], RequiredPhrases],
    *,
    claims: ClaimRule,
) -> RevisionRules:
    """Return the guards' rules for revisions.

    Args:
        task: the run.
        changes: the changes that the judgement requests; None if it does not ask for a revision.
        required_phrases: returns the phrases that the given changes enforce.
        claims: which claims a revision may make.
    """
    policy = task.policy
    rules = RevisionRules(
        max_chars=policy.max_answer_chars,
        must_differ=True,
        min_similarity=policy.min_patch_similarity,
        phrases=required_phrases(tuple(changes or ())),
        unread_language=policy.unread_language,
        claims=claims,
        lines=None if changes is None else changed_lines(policy, changes, required_phrases),
    )
    return with_policy(rules, policy, task.context)


def severity_stop(
    policy: TextPolicy, phase: Phase, decision: str, severity: str | None, judgement: JsonObject
) -> Stop | None:
    """Return the stop that the policy's severity budget prescribes for a judgement, or None.

    Args:
        policy: the policy with the budget.
        phase: kind of judgement, ``critique`` or ``review``.
        decision: decision of the judgement; if it escalates anyway, None is returned.
        severity: severity of the judgement; None if it has none.
        judgement: the judgement as JSON, for the result.
    """
    if severity is None or decision == "escalate":
        return None
    measure: Measure = getattr(policy.severity_budget, severity)
    if measure == "record":
        return None
    details: dict[str, Any] = {"policy_code": SEVERITY_BUDGET, phase: judgement}
    if measure == "block":
        return Stop("policy_denied:severity_budget", phase=phase, **details)
    reason = f"severity {severity} is beyond the budget of the policy ({SEVERITY_BUDGET})"
    return Escalation(phase=phase, escalation_reason=reason, **details)


def _read_context(value: Mapping[str, Any] | BaseModel) -> JsonObject:
    context = read_object(value, name="incident_context")
    # All keys are optional and unknown ones are allowed; a key that the agents use must have its type.
    for key, kind in _KEY_TYPES.items():
        if key in context and not isinstance(context[key], kind):
            found = type(context[key]).__name__
            raise InvalidInputError(f"incident_context: {key}: must be a {kind.__name__}, not {found}")
    return context


def _ask_for_draft(task: Task, call: PromptName, payload: Mapping[str, JsonValue]) -> str:
    phase: Phase = "shorten" if call == "shorten" else "draft"
    return _read_in_phase("draft", DraftReply, task.ask(phase, call, payload, phase="draft"))


def _read_in_phase(
    phase: str, kind: type[DraftReply] | type[RevisedReply], reply: Mapping[str, JsonValue]
) -> str:
    try:
        return read_text(kind, reply)
    except Stop as stop:
        stop.phase = phase
        raise
