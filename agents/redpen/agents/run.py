"""The common part of all agents' runs: id, clock, trace, history, result."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from redpen.agents.run_events import write_stop
from redpen.chat.budget import CallBudget, use_budget
from redpen.errors import InvalidInputError, Stop
from redpen.events import EventStream, telling
from redpen.review.journal import Journal, OutcomeUnknown, journaling
from redpen.review.model import Decision, Question, Review
from redpen.text.json_values import copy_object, printable
from redpen.text.normal import plain_hash
from redpen.types import JsonObject, JsonValue

Clock = Callable[[], float]
"""A monotonic clock, in seconds."""

ResultT = TypeVar("ResultT", bound="AgentResult")


class AgentResult(BaseModel):
    """Base of the agents' results; each agent adds fields.

    Attributes:
        run_id: UUID4 of the run.
        status: ``ok`` or ``stopped``.
        stop_reason: ``success``, or why the run stopped (see ``redpen.stop_reasons``).
        phase: the phase that stopped; only when stopped.
        outcome: kind of success of a run that did not stop.
        answer: the text to publish; only when ``status`` is ``ok``.
        escalation_reason: why a reviewer has to decide, at most 120 characters.
        policy_code: code of a policy decision that went beyond the judgement's own decision.
        error: ``{type, message}`` of a model failure.
        violations: the guards' findings in the draft or revision that stopped the run.
        ungrounded: statements of the draft that the context does not support; only recorded.
        concerns: statements of the revision that no rule allows or forbids.
        raw_judgement: a judge's unmodified answer, if it broke the contract.
        trace: one entry for each step, with hashes, counts and ``ok``.
        history: one entry for each step, with the texts.
        events_lost: number of events that could not be stored; absent if none.
        review_id: id of the review that the run waits for.
        reviews: the reviewers' decisions: ``review_id``, ``decision``, ``by``, ``time``, ``reason`` and
            ``overrides`` of each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    status: Literal["ok", "stopped"]
    stop_reason: str
    phase: str | None = None
    outcome: str | None = None
    answer: str | None = None
    escalation_reason: str | None = None
    policy_code: str | None = None
    error: dict[str, Any] | None = None
    violations: list[dict[str, Any]] | None = None
    ungrounded: list[dict[str, Any]] | None = None
    concerns: list[dict[str, Any]] | None = None
    raw_judgement: Any = None
    trace: list[dict[str, Any]]
    history: list[dict[str, Any]]
    events_lost: int | None = None
    review_id: str | None = None
    reviews: list[dict[str, Any]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as standard JSON values, with only the keys that apply."""
        fields = (name for name in type(self).model_fields if name in self.model_fields_set)
        return {name: printable(getattr(self, name)) for name in fields}


class Run:
    """One run in progress.

    Args:
        max_seconds: time budget, in seconds; it limits calls of models, tools and reviewers.
        clock: monotonic clock.
        events: event stream of the run; by default a stream that drops all events.
    """

    def __init__(
        self, *, max_seconds: float, clock: Clock = time.monotonic, events: EventStream | None = None
    ) -> None:
        self.events = events or EventStream()
        self.journal: Journal | None = None
        self._clock = clock
        self._started = clock()
        self._max_seconds = max_seconds
        # Socket timeouts use real time, even if the checks use another clock.
        self._budget = CallBudget(deadline=time.monotonic() + max_seconds)
        self.trace: list[JsonObject] = []
        self.history: list[JsonObject] = []
        self.notes: dict[str, object] = {}
        self._reviews: list[dict[str, object]] = []

    def use_journal(self, journal: Journal) -> None:
        """Store external answers in a journal, and ask reviewers through it."""
        self.journal = journal
        journal.recorder = self._budget
        journal.decided = self._record_decision
        if journal.is_replaying:
            self.events.mute()

    def check_time(self, phase: str) -> None:
        """Raise the stop ``max_seconds`` if the budget is used up; ``phase`` is the one about to start."""
        if self.journal is not None and self.journal.is_replaying:
            return
        if self._clock() - self._started > self._max_seconds:
            raise Stop("max_seconds", phase=phase)

    def ask_person(
        self,
        question: Question,
        *,
        details: Mapping[str, object],
        about: OutcomeUnknown | None = None,
        action: str | None = None,
        tool: str | None = None,
    ) -> Decision:
        """Return the decision of a reviewer, unless it ends the run.

        Args:
            question: the question for the reviewer.
            details: further fields of the result if the run stops.
            about: the tool call in question, if it is one.
            action: id of the action in question, for events.
            tool: tool of that action.

        Raises:
            Stop: ``pending_review``, ``review_rejected``, ``review_expired``, ``review_unavailable``.
        """
        if self.journal is None:
            raise Stop("policy_escalation", phase=question.phase, **details)
        self.events.write(
            "review_asked",
            phase=question.phase,
            code=question.code or None,
            action=action,
            tool=tool,
            texts={"reason": question.reason, "shown": question.shown},
        )
        # The stop has its own event, before the event of the resumption.
        after = self.events.last_number + 1 if self.events.is_on else 0
        try:
            decision = self.journal.ask(question, events_after=after, about=about)
        except Stop as stop:
            stop.details = {**details, **stop.details}
            raise
        if decision.kind == "reject":
            raise Stop("review_rejected", phase=question.phase, **details)
        if decision.kind == "expire":
            raise Stop("review_expired", phase=question.phase, **details)
        return decision

    def _record_decision(self, question: Question, review: Review | None, decision: Decision) -> None:
        """Write the event of a decision, and restart the time budget, because a review takes any time."""
        overrides = [override.model_dump() for override in decision.overrides]
        note = {"decision": decision.kind, "by": decision.by, "reason": decision.reason}
        if review is not None:
            note = {"review_id": review.id, **note, "time": decision.time or ""}
        self._reviews.append({**note, "overrides": overrides})
        self._started = self._clock()
        self._budget.restart(self._max_seconds)
        journal = self.journal
        if review is not None and journal is not None and journal.current is not None:
            if review.id != journal.current.id:
                return
            self.events.resume(review.events_after)
        self.events.write(
            "decided",
            phase=question.phase,
            code=question.code or None,
            by=decision.by,
            decision=decision.kind,
            codes=[override.code for override in decision.overrides],
            texts=decision.model_dump(include={"reason", "text", "action", "answer", "overrides"}),
        )

    def log(self, step: int, *, trace: Mapping[str, JsonValue], history: Mapping[str, JsonValue]) -> None:
        """Add a step's entries to trace and history."""
        self.trace.append({"step": step, **trace, **self.call_notes()})
        self.history.append({"step": step, **history})

    def left_s(self) -> float:
        """Return the time limit for a tool or a reviewer from now, in seconds."""
        return self._budget.left_s()

    def call_notes(self) -> JsonObject:
        """Return the trace fields on the model calls since the last step.

        Returns:
            Empty if each call took one clean HTTP try; else ``attempts``, the HTTP tries, and ``waited_s``,
            the pauses between them; ``breaker: half_open`` if one was admitted as a probe.
        """
        return self._budget.take_trace_fields()

    def finish(
        self, kind: type[ResultT], work: Callable[[], Mapping[str, object]], *, given: Mapping[str, object]
    ) -> ResultT:
        """Do the work of the run and return its result.

        Args:
            kind: the agent's result type.
            work: returns the result fields of a successful run; may raise ``Stop``.
            given: inputs of the run, for its events.
        """
        try:
            with use_budget(self._budget), telling(self.events), journaling(self.journal):
                self.events.start(**given)
                fields = {"status": "ok", "stop_reason": "success", **work()}
                self._write_published(fields)
        except Stop as stop:
            fields = {"status": "stopped", "stop_reason": stop.reason, "phase": stop.phase, **stop.details}
            # A failure to store the event of the stop itself must not replace the stop.
            with suppress(Stop):
                write_stop(self.events, stop)
        finally:
            if self.journal is not None:
                self.journal.close()
        if self.events.lost:
            fields["events_lost"] = self.events.lost
        if self._reviews:
            fields["reviews"] = self._reviews
        steps = {"trace": self.trace, "history": self.history}
        return kind.model_validate({"run_id": self.events.run_id, **self.notes, **fields, **steps})

    def _write_published(self, fields: Mapping[str, object]) -> None:
        if not self.events.is_on:
            return
        answer = str(fields["answer"])
        self.events.write(
            "published",
            outcome=fields["outcome"],
            code="success",
            answer_hash=plain_hash(answer),
            chars=len(answer),
            texts={"answer": answer},
        )


def read_goal(goal: object) -> str:
    """Return the goal; raises InvalidInputError unless it is a non-blank string."""
    if not isinstance(goal, str) or not goal.strip():
        raise InvalidInputError("goal: has to be a text that is not blank")
    try:
        goal.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError("goal: holds a lone surrogate") from error
    return goal


def read_object(value: object, *, name: str) -> JsonObject:
    """Return a deep copy of a JSON object given as a mapping or as a typed model.

    Args:
        value: the caller's argument.
        name: name of the argument, for the error.

    Raises:
        InvalidInputError: it is not an object, or contains a value that is not JSON.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_unset=True)
    try:
        copy = copy_object(value)
        json.dumps(copy, allow_nan=False)
    except ValueError as error:
        raise InvalidInputError(f"{name}: {error}") from error
    return copy
