"""Guarded policy: propose → policy gate → execute → brief."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel

from redpen.agents.brief import write_brief
from redpen.agents.callbacks import Approver, Gate, ask_planner, call_in_run
from redpen.agents.planners import Planner, fixed_plan, model_planner
from redpen.agents.run import AgentResult, Clock, Run, read_goal, read_object
from redpen.agents.run_events import Events, write_ruling
from redpen.agents.run_journal import ReviewArgument, start_run
from redpen.agents.tools import builtin_tools
from redpen.chat import Chat
from redpen.errors import InvalidInputError, Stop
from redpen.gateway.action_policy import MASS_BROADCAST, Ruling
from redpen.gateway.execution import Tool, call_tool, takes_idempotency_key
from redpen.gateway.gate import CustomGate, decide
from redpen.gateway.plan import Action, read_action, read_plan
from redpen.gateway.situation import Situation
from redpen.gateway.texts import check_brief
from redpen.policy import FETCH, SEND, TICKET, GuardedPolicy, load_policy
from redpen.prompts import PromptSet
from redpen.review.journal import OutcomeUnknown, unknown_call_question
from redpen.review.model import Decision, Question
from redpen.text.json_values import copy_object
from redpen.types import JsonObject, JsonValue

ExecutedFrom = Literal["none", "original", "policy_rewrite", "human_approved"]


class GuardedPolicyResult(AgentResult):
    """Result of a guarded-policy run.

    Attributes:
        proposed_plan: the validated plan, before the gate.
        executed_plan: the executed actions in the form in which they ran, without tickets.
        aggregate: ``report_date`` and ``region`` of the request, the last ``incident`` snapshot and the last
            ``delivery``.
        policy_summary: number of the gate's decisions by kind, and the tools of the denied, rewritten and
            escalated actions.
    """

    proposed_plan: list[dict[str, Any]] | None = None
    executed_plan: list[dict[str, Any]] | None = None
    aggregate: dict[str, Any] | None = None
    policy_summary: dict[str, Any] | None = None


def _utc_now() -> datetime:
    return datetime.now(UTC)


def approve_safe_broadcast(action: JsonObject, reason: str) -> JsonObject:
    """Approve the safe form of a mass broadcast, and reject everything else; the built-in approver."""
    approved = reason == MASS_BROADCAST
    return {
        "approved": approved,
        "action": action,
        "reason": "approved_with_safe_scope" if approved else "human_rejected",
    }


def run_guarded_policy_agent(  # noqa: PLR0913 - one parameter for each replaceable part
    *,
    goal: str,
    request: Mapping[str, Any] | BaseModel,
    policy: GuardedPolicy | Mapping[str, Any] | None = None,
    chat: Chat | None = None,
    prompts: PromptSet | None = None,
    planner: Planner | None = None,
    tools: Mapping[str, Tool] | None = None,
    approver: Approver | None = None,
    gate: Gate | None = None,
    events: Events | None = None,
    review: ReviewArgument | None = None,
    clock: Clock = time.monotonic,
    now: Callable[[], datetime] = _utc_now,
) -> GuardedPolicyResult:
    """Get a plan from a planner, and execute those of its actions that the policy gate allows.

    Args:
        goal: goal of the run.
        request: ``{"request": {report_date, region, incident_id}, "policy_hints": {…}}``; only the planner
            reads the hints, not the gate.
        policy: limits and allowlists, or a mapping of those that differ from the defaults.
        chat: the model that proposes a plan if no ``planner`` is given.
        prompts: the model's prompts (``redpen.prompts.load_prompts``); by default the base prompts.
        planner: returns a plan for goal and request; by default the model's plan if ``chat`` is given, else
            a fixed plan.
        tools: all tools by name; by default the built-in ones.
        approver: decides on escalated actions; the gate checks the action that it returns. Approver, planner
            and gate run in a thread, with the run's remaining time as their limit.
        gate: a custom gate for every action that is not already denied; it can only make the decision
            stricter. An exception or an invalid answer denies the action.
        events: event log of the run (``redpen.events.open_events``, or a sink of your own); by default none.
        review: the review queue for escalated actions, instead of an ``approver``
            (``redpen.review.open_reviews``, or an address such as ``sqlite:///reviews.db``). The run stops
            with ``pending_review`` and can be resumed after the decision (``redpen.decide_review``,
            ``redpen.resume_run``). A tool that takes an ``idempotency_key`` gets the same key again for a
            call that may have been made. Alternatively a callable that takes the question and decides at
            once.
        clock: monotonic clock, in seconds.
        now: returns the current time, for rules that depend on it.

    Returns:
        A result with a stop reason; exceptions of planner, model, approver, gate and tools are not raised.

    Raises:
        InvalidInputError: goal, request, policy, tools or review are invalid, or both ``approver`` and
            ``review`` are given.
        ConfigurationError: the database of reviews cannot be used.
    """
    if approver is not None and review is not None:
        raise InvalidInputError("approver: cannot be combined with `review`, which replaces it")
    limits = load_policy(GuardedPolicy, policy)
    custom = {"tools": tools, "planner": planner, "gate": gate}
    given: JsonObject = {"goal": read_goal(goal), "request": _read_request(request)}
    all_tools = builtin_tools() if tools is None else _read_tools(tools)
    run = start_run(
        "guarded-policy",
        given=given,
        policy=limits,
        prompts=prompts,
        chat=chat,
        own=tuple(name for name, part in custom.items() if part is not None),
        clock=clock,
        events=events,
        review=review,
    )
    execution = _Execution(
        goal=goal,
        request=copy_object(given["request"]),
        policy=limits,
        planner=planner,
        chat=chat,
        prompts=prompts,
        tools=all_tools,
        approver=approver or approve_safe_broadcast,
        gate=gate,
        now=now,
        run=run,
        has_builtin_tools=tools is None,
    )
    return run.finish(GuardedPolicyResult, execution.work, given=given)


def _read_request(request: Mapping[str, Any] | BaseModel) -> JsonObject:
    copy = read_object(request, name="request")
    if not isinstance(copy.get("request"), dict):
        raise InvalidInputError(
            "request: must have an object `request` with report_date, region and incident_id"
        )
    return copy


def _read_tools(tools: Mapping[str, Tool]) -> dict[str, Tool]:
    # A plain dict, because a user-defined mapping could fail or change during the run.
    try:
        return dict(tools)
    except Exception as error:
        raise InvalidInputError("tools: must be a mapping of names to tools") from error


@dataclass(slots=True, kw_only=True)
class _Execution:
    """The parts and the state of one run."""

    goal: str
    request: JsonObject
    policy: GuardedPolicy
    planner: Planner | None
    chat: Chat | None
    prompts: PromptSet | None
    tools: Mapping[str, Tool]
    approver: Approver
    gate: Gate | None
    now: Callable[[], datetime]
    run: Run
    has_builtin_tools: bool
    rulings: list[tuple[Action, Ruling]] = field(default_factory=list)
    executed: list[Action] = field(default_factory=list)
    observations: dict[str, JsonObject] = field(default_factory=dict)

    def work(self) -> Mapping[str, object]:
        self.run.check_time("plan")
        plan = self._plan()
        for step, action in enumerate(plan, start=1):
            self.run.check_time("execute")
            self._process_action(step, action)
        return self._finalize(plan)

    def _plan(self) -> tuple[Action, ...]:
        limit = self.policy.max_actions
        if self.planner is not None:
            return ask_planner(self.planner, self.goal, self.request, max_actions=limit, run=self.run)
        propose = model_planner(self.chat, self.policy, self.prompts) if self.chat else fixed_plan
        try:
            return read_plan(propose(self.goal, copy_object(self.request)), max_actions=limit)
        except Stop as stop:
            stop.phase = "plan"
            raise

    def _process_action(self, step: int, action: Action) -> None:
        ruling = self._decide(action)
        self.rulings.append((action, ruling))
        write_ruling(self.run.events, action, ruling)
        decided = {"decision": ruling.decision, "reason": ruling.reason, "code": ruling.code}
        entry: dict[str, JsonValue] = {
            "proposed_action": action.to_dict(),
            "policy": {**decided, **ruling.trace_fields()},
        }
        if ruling.action is None:
            self._log(step, action, ruling, "none", entry, ok=False)
            return
        executed_from: ExecutedFrom = "original" if ruling.decision == "allow" else "policy_rewrite"
        to_run = ruling.action
        if ruling.decision == "escalate":
            executed_from = "human_approved"
            to_run = self._escalate(ruling.action, ruling, entry)
        self._execute(to_run, executed_from, entry, step=step, action=action, ruling=ruling)

    def _decide(
        self, action: Action, *, approved: Ruling | None = None, waived: frozenset[str] = frozenset()
    ) -> Ruling:
        request = self.request["request"]
        situation = Situation(
            request=request if isinstance(request, dict) else {},
            snapshot=self.observations.get(FETCH, {}),
            now=self._current_time(),
            sends=sum(done.tool == SEND for done in self.executed),
            denied=sum(ruling.decision == "deny" for _, ruling in self.rulings),
        )
        return decide(
            action, self.policy, situation, gate=self._custom_gate(), approved=approved, waived=waived
        )

    def _current_time(self) -> datetime:
        journal = self.run.journal
        if journal is None:
            return self.now()
        answer = journal.call("clock", "now", {}, lambda _key: self.now().isoformat())
        return datetime.fromisoformat(str(answer))

    def _custom_gate(self) -> CustomGate | None:
        gate, journal = self.gate, self.run.journal
        if gate is None:
            return None

        def ask(action: JsonObject, situation: JsonObject) -> object:
            def call(_key: str = "") -> JsonObject | None:
                return call_in_run("gate", gate, action, situation, run=self.run)

            if journal is None:
                return call()
            return journal.call("gate", "gate", {"action": action, "situation": situation}, call)

        return ask

    def _escalate(self, safe: Action, ruling: Ruling, entry: dict[str, JsonValue]) -> Action:
        ticket: JsonObject = {"reason": ruling.reason, "payload": safe.to_dict()}
        entry["escalation_ticket"] = self._call(TICKET, ticket, action=safe.id)
        if self.run.journal is not None:
            return self._review(safe, ruling, entry)
        events, about = self.run.events, {"phase": "execute", "action": safe.id, "tool": safe.tool}
        question = {"reason": ruling.reason, "action": safe.to_dict()}
        events.write("review_asked", code=ruling.code, texts=question, **about)
        answer = call_in_run("approver", self.approver, safe.to_dict(), ruling.reason, run=self.run) or {}
        decision = "approve" if answer.get("approved") is True else "reject"
        events.write("decided", by="approver", decision=decision, texts={"answer": answer}, **about)
        checked = None
        if decision == "approve":
            checked = self._check_approved_action(safe, answer.get("action"), ruling)
        if checked is None or checked.action is None:
            raise Stop("policy_escalation_rejected", phase="execute")
        human_reason = answer.get("reason")
        entry["human"] = {"approved": True, "reason": human_reason if isinstance(human_reason, str) else ""}
        return checked.action

    def _review(self, safe: Action, ruling: Ruling, entry: dict[str, JsonValue]) -> Action:
        """Ask a reviewer about an action; raises ``Stop`` as ``Run.ask_person`` does."""
        proposed = entry["proposed_action"]
        details: dict[str, object] = {"escalation_reason": ruling.reason, "policy_code": ruling.code}
        question = Question(
            phase="execute",
            code=ruling.code,
            reason=ruling.reason,
            kind="action",
            original=proposed,
            proposed=safe.to_dict(),
            context={"request": self.request["request"], "snapshot": self.observations.get(FETCH, {})},
            risk=None if ruling.risk is None else ruling.risk.to_dict(),
            rules=ruling.rules,
        )
        decision = self.run.ask_person(question, details=details, action=safe.id, tool=safe.tool)
        waived = frozenset(override.code for override in decision.overrides)
        approved = safe.to_dict() if decision.kind == "approve" else decision.action
        checked = self._check_approved_action(safe, approved, ruling, waived=waived)
        if checked is None or checked.action is None:
            if checked is not None:
                details |= {"escalation_reason": checked.reason, "policy_code": checked.code}
            raise Stop("policy_escalation_rejected", phase="execute", **details)
        entry["human"] = {
            "approved": True,
            "decision": decision.kind,
            "by": decision.by,
            "reason": decision.reason,
            "overrides": list[JsonValue](sorted(waived)),
        }
        return checked.action

    def _check_approved_action(
        self, safe: Action, approved: object, escalated: Ruling, *, waived: frozenset[str] = frozenset()
    ) -> Ruling | None:
        """Return the gate's ruling on an approved action; the ruling has no action if it may not run.

        Returns None for an invalid action, or one with another id or tool.
        """
        # A reviewer may change the action but cannot bypass the gate, so the gate decides again.
        try:
            action = read_action(approved)
        except Stop:
            return None
        ruling = self._decide(action, approved=escalated, waived=waived)
        write_ruling(self.run.events, action, ruling)
        if (action.id, action.tool) != (safe.id, safe.tool):
            return None
        return ruling if ruling.decision in {"allow", "rewrite"} else replace(ruling, action=None)

    def _execute(
        self,
        to_run: Action,
        executed_from: ExecutedFrom,
        entry: dict[str, JsonValue],
        *,
        step: int,
        action: Action,
        ruling: Ruling,
    ) -> None:
        try:
            data = self._call(to_run.tool, to_run.args, action=to_run.id)
        except Stop as stop:
            if not stop.reason.startswith("tool_unmapped:"):
                self._add_trace(_trace(step, action, ruling, "none", ok=False))
            raise
        self.executed.append(to_run)
        self.observations[to_run.tool] = data
        entry |= {"executed_action": to_run.to_dict(), "executed_from": executed_from, "observation": data}
        self._log(step, action, ruling, executed_from, entry, ok=True)

    def _call(self, tool: str, args: JsonObject, *, action: str) -> JsonObject:
        events, about = self.run.events, {"phase": "execute", "action": action, "tool": tool}
        try:
            data = self._journaled_call(tool, args, action=action)
        except Stop as stop:
            events.write("tool_called", ok=False, code=stop.reason, texts={"args": args}, **about)
            raise
        events.write("tool_called", ok=True, texts={"args": args, "data": data}, **about)
        return data

    def _journaled_call(self, tool: str, args: JsonObject, *, action: str) -> JsonObject:
        def call(key: str | None = None) -> JsonObject:
            # The remaining time is read when the call is made, because a review restarts the time budget.
            timeout_s = min(self.policy.action_timeout_s, self.run.left_s())
            return call_tool(self.tools, tool, args, timeout_s=timeout_s, key=key)

        journal = self.run.journal
        if journal is None:
            return call()
        try:
            data = journal.call(
                "tool",
                tool,
                {"args": args},
                call,
                has_effects=True,
                is_repeatable=self.has_builtin_tools or takes_idempotency_key(self.tools.get(tool)),
            )
        except OutcomeUnknown as unknown:
            original: JsonObject = {"id": action, "tool": tool, "args": args}
            decision = self._ask_about_call(unknown, original, action=action, tool=tool)
            data = journal.resolve(unknown, decision, call)
        return copy_object(data)

    def _ask_about_call(
        self, unknown: OutcomeUnknown, original: JsonObject, *, action: str, tool: str
    ) -> Decision:
        """Ask a reviewer whether a call was made; raises ``Stop`` as ``Run.ask_person`` does."""
        question = unknown_call_question(tool, phase="execute", original=original)
        details = {"escalation_reason": question.reason}
        try:
            return self.run.ask_person(question, details=details, about=unknown, action=action, tool=tool)
        except Stop as stop:
            stop.reason = question.code if stop.reason == "pending_review" else stop.reason
            raise

    def _log(
        self,
        step: int,
        action: Action,
        ruling: Ruling,
        executed_from: ExecutedFrom,
        entry: JsonObject,
        *,
        ok: bool,
    ) -> None:
        self._add_trace(_trace(step, action, ruling, executed_from, ok=ok))
        self.run.history.append({"step": step, **entry})

    def _add_trace(self, entry: JsonObject) -> None:
        # Planning has no trace entry, so the fields of its model call go into the entry of the first action.
        self.run.trace.append(entry | self.run.take_call_fields())

    def _finalize(self, plan: tuple[Action, ...]) -> Mapping[str, object]:
        incident, delivery = self.observations.get(FETCH), self.observations.get(SEND)
        if incident is None:
            raise Stop("missing_required_observation:snapshot", phase="finalize")
        if delivery is None:
            raise Stop("missing_required_observation:send_status_update", phase="finalize")
        request = copy_object(self.request["request"])
        denied = self._tools_with_decision("deny")
        answer = write_brief(request=request, incident=incident, delivery=delivery, denied=denied)
        # Values of the request and tool names are left out, because `inc_resolved_1` is no claim.
        frame = write_brief(request={}, incident={}, delivery={}, denied=())
        observed = write_brief(request={}, incident=incident, delivery={}, denied=())
        check_brief(observed, incident, frame=frame)
        self.run.log(len(plan) + 1, trace={"phase": "finalize", "ok": True}, history={"action": "finalize"})
        return {
            "outcome": "policy_guarded_success",
            "answer": answer,
            "proposed_plan": [action.to_dict() for action in plan],
            "executed_plan": [action.to_dict() for action in self.executed],
            "aggregate": {
                "report_date": request.get("report_date"),
                "region": request.get("region"),
                "incident": incident,
                "delivery": delivery,
            },
            "policy_summary": {
                "decisions": {
                    decision: sum(ruling.decision == decision for _, ruling in self.rulings)
                    for decision in ("allow", "rewrite", "deny", "escalate")
                },
                "denied_tools": denied,
                "rewritten_tools": self._tools_with_decision("rewrite"),
                "escalated_tools": self._tools_with_decision("escalate"),
            },
        }

    def _tools_with_decision(self, decision: str) -> list[str]:
        return sorted({action.tool for action, ruling in self.rulings if ruling.decision == decision})


def _trace(step: int, action: Action, ruling: Ruling, executed_from: ExecutedFrom, *, ok: bool) -> JsonObject:
    return {
        "step": step,
        "action_id": action.id,
        "tool": action.tool,
        "policy_decision": ruling.decision,
        "policy_reason": ruling.reason,
        "policy_code": ruling.code,
        **ruling.trace_fields(),
        "executed_from": executed_from,
        "ok": ok,
    }
