"""The steps that the two text agents share: draft, judgement, revision and answer."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from redpen.agents.reviewing import ReviewPlace, open_journal, run_id_of, run_start
from redpen.agents.run import Clock, Run, read_goal, read_object
from redpen.agents.telling import Events, open_stream, tell_findings, tell_judge
from redpen.chat import Chat, ChatClient
from redpen.chat.asking import ask
from redpen.chat.replies import DraftReply, Phase, RevisedReply, read_text
from redpen.errors import InvalidInputError, Stop
from redpen.gateway.contract import ESCALATION_REASON_CHARS
from redpen.gateway.text_policy import with_policy
from redpen.gateway.texts import check_draft, concern_stop, revision_stop, ungrounded_findings
from redpen.guards import Report, RequiredPhrases, RevisionRules, check_revision
from redpen.guards.changed_lines import ChangedLines
from redpen.guards.revision import ClaimRule
from redpen.judges import Judge
from redpen.judges.changes import unfulfilled_changes
from redpen.policy import TextPolicy
from redpen.policy.model import Measure
from redpen.prompts import PromptName, PromptSet, base_prompts
from redpen.types import AgentName, JsonObject, JsonValue

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
    """What one run of a text agent works on.

    Attributes:
        goal: what the update is for.
        context: the incident context, a copy of the caller's.
        chat: the model.
        policy: limits and allowlists.
        prompts: what the model is asked with.
        run: trace, history and clock.
        judge: asked about a revision in which the guards found nothing; None for none.
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
        """Ask the model once; a stop of the call carries the phase of the run, by default the call's."""
        text = self.prompts[prompt].text
        try:
            return ask(self.chat, phase=call, prompt=text, payload=payload)
        except Stop as stop:
            stop.phase = stop.phase or phase or call
            raise

    def about(self, **rest: JsonValue) -> JsonObject:
        """Return the payload of a call: goal and context first, then the rest in order."""
        return {"goal": self.goal, "incident_context": self.context, **rest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An accepted draft, and how many model calls it took (1 or 2)."""

    text: str
    attempts_used: int


class Escalation(Stop):
    """The stop with which a person is asked to decide; a run with a queue of reviews may go on from it.

    Attributes:
        revised: the revision that is in question; None for the draft.
    """

    def __init__(self, *, phase: str, revised: str | None = None, **details: object) -> None:
        super().__init__("policy_escalation", phase=phase, **details)
        self.revised = revised


def start_task(  # noqa: PLR0913 - one parameter for each thing that may be replaced
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
    review: ReviewPlace | None = None,
) -> Task:
    """Check what the caller gave and start the clock.

    Args:
        goal: what the update is for.
        incident_context: the incident context.
        policy: limits and allowlists.
        chat: the model; by default what the environment says.
        prompts: what the model is asked with; by default the base.
        judge: asked about a revision in which the guards found nothing.
        clock: monotonic clock, in seconds.
        agent: whose run it is.
        events: where the run tells what happens in it.
        review: where it asks a person.

    Raises:
        ConfigurationError: no chat client was given and the environment holds no key; the database of
            reviews cannot be used.
        InvalidInputError: goal, context or review cannot be used.
    """
    goal, context = read_goal(goal), _read_context(incident_context)
    chat, prompts = chat or ChatClient.from_environment(), prompts or base_prompts()
    stream = open_stream(
        events, agent=agent, policy=policy, prompts=prompts, chat=chat, run_id=run_id_of(review)
    )
    run = Run(max_seconds=policy.max_seconds, clock=clock, events=stream)
    if review is not None:
        given: JsonObject = {"goal": goal, "incident_context": context}
        start = run_start(agent, given=given, policy=policy, prompts=prompts, chat=chat, judge=judge)
        open_journal(review, start, run)
    return Task(
        goal=goal,
        context=context,
        chat=chat,
        policy=policy,
        prompts=prompts,
        run=run,
        judge=judge,
    )


def write_draft(task: Task, *, may_shorten: bool) -> Draft:
    """Have the model write a draft that keeps the length limit.

    Args:
        task: the run.
        may_shorten: whether one call to shorten a draft that is too long is allowed.
    """
    limit = task.policy.max_draft_chars
    text = _ask_for_draft(task, "draft", task.about())
    attempts = 1
    if may_shorten and len(text) > limit:
        text = _ask_for_draft(task, "shorten", {"draft": text, "max_chars": limit})
        attempts = 2
    check_draft(text, max_chars=limit)
    return Draft(text=text, attempts_used=attempts)


def ground_draft(task: Task, draft: str, *, claims: ClaimRule) -> JsonObject:
    """Hold a draft against the context alone; what is found is noted, or stops the run.

    Returns:
        What the trace says of it: ``{"ungrounded": count}``, or nothing where nothing was found.

    Raises:
        Stop: ``invalid_draft:restricted_phrase``, ``invalid_draft:ungrounded`` and
            ``invalid_draft:unread_language``, where the policy enforces them.
    """
    found = ungrounded_findings(draft, task.context, claims=claims, policy=task.policy)
    if not found:
        return {}
    tell_findings(task.run.events, "draft", "ungrounded", found)
    enforced = task.policy.draft_grounding == "enforce"
    if enforced and found[0]["code"] == "restricted_phrase":
        raise Stop("invalid_draft:restricted_phrase", phase="draft", violations=found)
    unread = [finding for finding in found if finding["code"] == "unread_language"]
    if unread and task.policy.unread_language == "block":
        raise Stop("invalid_draft:unread_language", phase="draft", violations=unread)
    if len(found) > len(unread) and enforced:
        raise Stop("invalid_draft:ungrounded", phase="draft", violations=found)
    task.run.notes["ungrounded"] = found
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
    """Return the stop of the first check that a revision of a draft fails, or None; concerns are noted.

    Args:
        task: the run.
        draft: the accepted draft.
        revised: the revision.
        rules: that the guards hold it to.
        phrases_reason: what a required change that is not applied is called.
        unquoted: required changes without a phrase, about which a model is asked where the policy says so.
    """
    report = check_revision(original=draft, revised=revised, context=task.context, rules=rules)
    stop = revision_stop(report, phrases_reason=phrases_reason) or concern_stop(report, task.policy)
    if stop is None:
        report = _with_judgements(task, draft, revised, report, unquoted)
        stop = revision_stop(report, phrases_reason=phrases_reason) or concern_stop(report, task.policy)
    _tell_report(task, report)
    if stop is None and report.concerns:
        task.run.notes["concerns"] = report.to_dict()["concerns"]
    if stop is not None and stop.reason == "policy_escalation":
        return Escalation(phase="revise", revised=revised, **stop.details)
    return stop


def _tell_report(task: Task, report: Report) -> None:
    if not task.run.events.is_on or not (report.violations or report.concerns):
        return
    found = report.to_dict()
    tell_findings(task.run.events, "revise", "violation", found["violations"])
    tell_findings(task.run.events, "revise", "concern", found["concerns"])


def _with_judgements(task: Task, draft: str, revised: str, report: Report, unquoted: Sequence[str]) -> Report:
    """Return a report without violations with what models found besides; concerns spare no text a judge."""
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
    tell_judge(task.run.events, task.judge, violations=len(judged.violations), concerns=len(judged.concerns))
    return Report(violations=judged.violations, concerns=(*report.concerns, *judged.concerns))


def noted_judge(task: Task) -> JsonObject:
    """Return what the trace says of the judge that was asked, if any: which one, and whether it may block."""
    if task.judge is None:
        return {}
    judge = task.judge
    return {"judge": f"{judge.name} {judge.version}", "judge_may_block": judge.may_block}


def noted_concerns(task: Task) -> JsonObject:
    """Return what the trace says of the concerns that were noted, if any."""
    concerns = task.run.notes.get("concerns")
    return {"concerns": len(concerns)} if isinstance(concerns, list) else {}


def judge_draft(task: Task, call: Phase, draft: str, *, allowed_key: str) -> JsonObject:
    """Have the model judge a draft, if there is time; ``call`` names the judgement and its prompt."""
    task.run.check_time(call)
    allowed: list[JsonValue] = list[JsonValue](sorted(task.policy.allowed_types))
    prompt: PromptName = "critique" if call == "critique" else "review"
    return task.ask(call, prompt, task.about(draft=draft, **{allowed_key: allowed}))


def revise_draft(task: Task, prompt: PromptName, draft: str, **instructions: JsonValue) -> str:
    """Have the model revise a draft, if there is time; returns the revised text, trimmed."""
    task.run.check_time("revise")
    reply = task.ask("revise", prompt, task.about(draft=draft, **instructions))
    return _read_in_phase("revise", RevisedReply, reply)


def revision_rules(
    task: Task, phrases: RequiredPhrases, *, lines: ChangedLines | None, claims: ClaimRule
) -> RevisionRules:
    """Return the rules that every revision is held to."""
    policy = task.policy
    rules = RevisionRules(
        max_chars=policy.max_answer_chars,
        must_differ=True,
        min_similarity=policy.min_patch_similarity,
        phrases=phrases,
        unread_language=policy.unread_language,
        claims=claims,
        lines=lines,
    )
    return with_policy(rules, policy, task.context)


def escalation(phase: Phase, reason: str, judgement: JsonObject) -> Escalation:
    """Return the stop with which a person is asked to decide."""
    details: dict[str, Any] = {"escalation_reason": reason[:ESCALATION_REASON_CHARS], phase: judgement}
    return Escalation(phase=phase, **details)


SEVERITY_BUDGET = "policy.severity_budget"


def severity_stop(
    policy: TextPolicy, phase: Phase, decision: str, severity: str | None, judgement: JsonObject
) -> Stop | None:
    """Return the stop that the severity of a judgement calls for beyond its decision, or None.

    Args:
        policy: whose budget it is.
        phase: the judgement, ``critique`` or ``review``.
        decision: what it decides; one that escalates needs no other reason to.
        severity: what it says; None where it says none.
        judgement: the judgement itself, for the result.
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


def policy_code(stop: Stop | None) -> JsonObject:
    """Return what the trace says of a stop that the policy alone calls for."""
    return {"policy_code": SEVERITY_BUDGET} if stop else {}


def _read_context(value: Mapping[str, Any] | BaseModel) -> JsonObject:
    context = read_object(value, name="incident_context")
    # Any key may be missing and any may be added, but one that the agents know has its type.
    for key, kind in _KEY_TYPES.items():
        if key in context and not isinstance(context[key], kind):
            found = type(context[key]).__name__
            raise InvalidInputError(f"incident_context: {key}: has to be a {kind.__name__}, not {found}")
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
