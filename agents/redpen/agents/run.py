"""The parts that the runs of all agents share: time budget, trace, history, reviews, result."""

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
from redpen.events import EventStream, use_stream
from redpen.review.journal import Journal, OutcomeUnknown, use_journal
from redpen.review.model import Decision, Question, Review
from redpen.text.json_values import copy_object, printable
from redpen.text.normal import plain_hash
from redpen.types import JsonObject, JsonValue

Clock = Callable[[], float]
"""A monotonic clock, in seconds."""

ResultT = TypeVar("ResultT", bound="AgentResult")


class AgentResult(BaseModel):
    """Base class of the agents' results; each agent adds fields. Fields that do not apply are None.

    Attributes:
        run_id: UUID4 of the run.
        status: ``ok`` or ``stopped``.
        stop_reason: ``success``, or why the run stopped (see ``redpen.stop_reasons``).
        phase: the phase in which the run stopped.
        outcome: kind of success of a run with status ``ok``.
        answer: the text to publish of a run with status ``ok``.
        escalation_reason: why a reviewer has to decide, at most 120 characters.
        policy_code: code of a policy decision that is stricter than the judgement's decision.
        error: ``{type, message}`` of a failed model call.
        violations: the guards' findings that stopped the run.
        ungrounded: findings in the draft that the context does not support; they are only recorded.
        concerns: findings in the revision that a person should look at.
        raw_judgement: a judge's unmodified answer, if it violated the contract of a judge.
        trace: one entry for each step, with hashes, counts and ``ok``.
        history: one entry for each step, with the texts.
        events_lost: number of events that could not be stored; None if there was none.
        review_id: id of the review that the run waits for.
        reviews: the reviewers' decisions, each with ``review_id``, ``decision``, ``by``, ``time``, ``reason``
            and ``overrides``.
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
        """Return the result as a JSON object, without fields that do not apply."""
        fields = (name for name in type(self).model_fields if name in self.model_fields_set)
        return {name: printable(getattr(self, name)) for name in fields}


class Run:
    """One run in progress.

    Args:
        max_seconds: time budget, in seconds; it limits calls of models, tools and reviewers.
        clock: monotonic clock, in seconds.
        events: event stream of the run; by default a stream that discards all events.
    """

    def __init__(
        self, *, max_seconds: float, clock: Clock = time.monotonic, events: EventStream | None = None
    ) -> None:
        self.events = events or EventStream()
        self.journal: Journal | None = None
        self._clock = clock
        self._started = clock()
        self._max_seconds = max_seconds
        # Socket timeouts use real time, even if `clock` does not.
        self._budget = CallBudget(deadline=time.monotonic() + max_seconds)
        self.trace: list[JsonObject] = []
        self.history: list[JsonObject] = []
        self.result_fields: dict[str, object] = {}
        self._reviews: list[dict[str, object]] = []

    def attach_journal(self, journal: Journal) -> None:
        """Record the answers of external calls in a journal, and ask reviewers through it."""
        self.journal = journal
        journal.recorder = self._budget
        journal.decided = self._record_decision
        if journal.is_replaying:
            self.events.mute()

    def check_time(self, phase: str) -> None:
        """Raise ``Stop`` with ``max_seconds`` if the time budget is used up before ``phase`` starts."""
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
        """Ask a reviewer, and return the decision if the run continues after it.

        Args:
            question: the question for the reviewer.
            details: further fields of the result if the run stops.
            about: the tool call in question, if the question is about one.
            action: id of the action in question, for events.
            tool: tool of that action.

        Raises:
            Stop: ``pending_review``, ``review_rejected``, ``review_expired`` or ``review_unavailable``;
                ``policy_escalation`` if the run has no review queue.
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
        # The event of the stop comes before the event of the resumption.
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
        """Write the event of a decision, and restart the time budget, because a review may take days."""
        overrides = [override.model_dump() for override in decision.overrides]
        entry = {"decision": decision.kind, "by": decision.by, "reason": decision.reason}
        if review is not None:
            entry = {"review_id": review.id, **entry, "time": decision.time or ""}
        self._reviews.append({**entry, "overrides": overrides})
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
        """Add the entries of a step to trace and history."""
        self.trace.append({"step": step, **trace, **self.take_call_fields()})
        self.history.append({"step": step, **history})

    def left_s(self) -> float:
        """Return the time limit of a call that starts now, in seconds."""
        return self._budget.left_s()

    def take_call_fields(self) -> JsonObject:
        """Return the trace fields for the model calls since the last step.

        Returns:
            ``attempts``, the number of HTTP attempts, and ``waited_s``, the total of the pauses between them,
            if a call was retried; ``breaker: half_open`` if an attempt was admitted as a probe.
        """
        return self._budget.take_trace_fields()

    def finish(
        self, kind: type[ResultT], work: Callable[[], Mapping[str, object]], *, given: Mapping[str, object]
    ) -> ResultT:
        """Do the work of the run and return its result.

        Args:
            kind: the agent's result type.
            work: returns the result fields of a successful run; may raise ``Stop``.
            given: inputs of the run, for the event of its start.
        """
        try:
            with use_budget(self._budget), use_stream(self.events), use_journal(self.journal):
                self.events.start(**given)
                fields = {"status": "ok", "stop_reason": "success", **work()}
                self._write_published(fields)
        except Stop as stop:
            fields = {"status": "stopped", "stop_reason": stop.reason, "phase": stop.phase, **stop.details}
            # If the event of the stop cannot be stored, the stop must still be reported.
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
        return kind.model_validate({"run_id": self.events.run_id, **self.result_fields, **fields, **steps})

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
        raise InvalidInputError("goal: must be a non-blank string")
    try:
        goal.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError("goal: contains a lone surrogate") from error
    return goal


def read_object(value: object, *, name: str) -> JsonObject:
    """Return a deep copy of a JSON object given as a mapping or as a typed model.

    Args:
        value: the caller's argument.
        name: name of the argument, for the error.

    Raises:
        InvalidInputError: the value is not an object, or contains something that is not JSON.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_unset=True)
    try:
        copy = copy_object(value)
        json.dumps(copy, allow_nan=False)
    except ValueError as error:
        raise InvalidInputError(f"{name}: {error}") from error
    return copy
