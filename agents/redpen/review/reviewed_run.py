"""Runs of your own agents that can wait for a reviewer and resume from their journal.

queue = open_reviews("sqlite:///reviews.db")

def answer(run: ReviewedRun) -> None:
    order = run.given["order"]
    draft = run.step("model", "draft", {"order": order}, lambda _key: ask_model(order))
    decision = run.ask_person(original=draft, reason="a refund is promised")
    if decision.kind == "approve":
        mail = {"text": draft, "order": order}
        run.step("tool", "send", mail, lambda key: send(**mail, idempotency_key=key), is_repeatable=True)
    run.finish({"decision": decision.kind})

try:
    with ReviewedRun(queue, agent="support", given={"order": 81}) as run:
        answer(run)
except PendingReview as pending:
    print(pending.review_id)

# When it is decided, in any process:
with ReviewedRun(queue, review=review_id) as run:
    answer(run)
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from redpen.databases import DatabaseError
from redpen.errors import ConfigurationError, InvalidInputError, Stop
from redpen.review.errors import ReviewError, StaleRunError
from redpen.review.journal import Journal, OutcomeUnknown, journal_of, unknown_call_question
from redpen.review.model import Decision, EntryKind, Question, ReviewKind, RunStart
from redpen.review.queue import Claim, ReviewQueue
from redpen.text.json_values import copy_json, copy_object
from redpen.types import JsonObject, JsonValue


class PendingReview(Exception):  # noqa: N818 - not an error
    """A run waits for a reviewer.

    Attributes:
        review_id: id of the review.
    """

    def __init__(self, review_id: str) -> None:
        super().__init__(f"review {review_id[:8]} is pending")
        self.review_id = review_id


class ReviewedRun:
    """One run of your own agent: a new run, or the resumed run of a decided review.

    To resume a run, the agent's code is called again and has to make the same calls in the same order.
    Therefore all external calls, and everything that depends on time or chance, have to go through ``step``.
    An exception in a step ends the run.

    Args:
        queue: the review queue.
        agent: for a new run, the name of the agent.
        given: for a new run, its inputs, a JSON object.
        review: for a resumed run, the id of the decided review, or a unique prefix.

    Attributes:
        id: id of the run; a resumed run keeps it.
        given: inputs of the run.

    Raises:
        InvalidInputError: neither or both of ``agent`` and ``review`` are given.
        NotDecidedError, BusyRunError, UnknownReviewError, ReviewError, DatabaseError: as for
            ``redpen.resume_run``.
    """

    def __init__(
        self,
        queue: ReviewQueue,
        *,
        agent: str | None = None,
        given: Mapping[str, Any] | None = None,
        review: str | None = None,
    ) -> None:
        if (agent is None) == (review is None):
            raise InvalidInputError("give an agent for a new run, or a review to resume its run")
        self._queue = queue
        self._claim: Claim | None = None
        self._is_finished = False
        if review is not None:
            self._claim = queue.claim(review)
            self._journal = journal_of(queue, self._claim.review, claim=self._claim)
        else:
            start = RunStart(agent=str(agent), given=_json_object(given or {}, "given"))
            self._journal = Journal(run_id=str(uuid.uuid4()), start=start, queue=queue)
        self.id = self._journal.run_id
        self.given: JsonObject = copy_object(self._journal.start.given)

    def step(
        self,
        kind: EntryKind,
        name: str,
        request: Mapping[str, Any],
        do: Callable[[str], Any],
        *,
        is_repeatable: bool = False,
    ) -> Any:
        """Return the answer of an external call, which is made once, even if the run is resumed.

        Args:
            kind: ``model``, ``tool`` (a call with side effects), ``clock``, or ``step`` for anything else.
            name: name of the callee.
            request: everything that the answer depends on, a JSON object.
            do: makes the call and returns a JSON value; it gets an idempotency key.
            is_repeatable: whether a tool recognises a repeated call by its key.

        Raises:
            PendingReview: the run was killed during a tool call, which may have been made.
            StaleRunError: the call differs from the recorded one.
            BusyRunError, DatabaseError: the call cannot be stored.
            InvalidInputError: request or answer are not JSON.
        """
        request_copy = _json_object(request, name)

        def call(key: str) -> JsonValue:
            try:
                return copy_json(do(key))
            except ValueError as error:
                raise InvalidInputError(f"{name}: the answer is not valid JSON: {error}") from error

        has_effects = kind == "tool"
        try:
            return self._journal.call(
                kind,
                name,
                {"request": request_copy},
                call,
                has_effects=has_effects,
                is_repeatable=is_repeatable or not has_effects,
            )
        except OutcomeUnknown as unknown:
            question = unknown_call_question(name, phase=name, original=request_copy)
            decision = self._decision(question, about=unknown)
            if decision.kind in {"approve", "edit"}:
                return self._journal.resolve(unknown, decision, call)
            raise ReviewError(
                f"{name}: {decision.by} rejected the call; it is unknown whether it was made"
            ) from None

    def ask_person(
        self,
        *,
        original: Any,
        proposed: Any = None,
        reason: str,
        findings: Sequence[Mapping[str, Any]] = (),
        context: Mapping[str, Any] | None = None,
        code: str = "",
        phase: str = "review",
    ) -> Decision:
        """Return the decision of a reviewer.

        Args:
            original: the text or the action ``{id, tool, args}`` in question.
            proposed: the content that replaces it on approval; by default the original itself.
            reason: why a decision is needed.
            findings: the findings, each with ``code`` and optionally ``span``, its start and end in the text.
            context: the known facts, a JSON object.
            code: code of the reason.
            phase: phase of the run.

        Raises:
            PendingReview: there is no decision yet.
            StaleRunError, BusyRunError, DatabaseError: as for ``step``.
            InvalidInputError: an argument is not JSON.
        """
        parts = {"original": original, "proposed": proposed, "findings": list(findings), "context": context}
        content: Any = _json_object(parts, "question")
        kind: ReviewKind = "text" if isinstance(original, str) else "action"
        return self._decision(Question(phase=phase, code=code, reason=reason, kind=kind, **content))

    def finish(self, result: Mapping[str, Any]) -> None:
        """Store the result of the run, a JSON object.

        Raises:
            StaleRunError: the resumed run did not reach the point where it had stopped.
            BusyRunError: another process has taken over the run.
            DatabaseError: the result cannot be stored.
            InvalidInputError: the result is not JSON.
        """
        if self._claim is not None:
            if not self._journal.reached:
                raise StaleRunError("the run no longer reaches the point where it stopped; start it again")
            self._queue.complete(self._claim, _json_object(result, "result"))
        self._is_finished = True

    def __enter__(self) -> Self:
        """Return the run."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Release the claim of a run that was not finished, so that it can be resumed again."""
        if self._claim is not None and not self._is_finished:
            with suppress(DatabaseError, ConfigurationError):
                self._queue.release(self._claim)

    def _decision(self, question: Question, about: OutcomeUnknown | None = None) -> Decision:
        try:
            return self._journal.ask(question, about=about)
        except Stop as stop:
            review_id = stop.details.get("review_id")
            if isinstance(review_id, str):
                raise PendingReview(review_id) from None
            error = stop.details.get("error")
            message = error.get("message") if isinstance(error, dict) else stop.reason
            raise DatabaseError(str(message)) from None


def _json_object(value: Mapping[str, Any], name: str) -> JsonObject:
    try:
        return copy_object(value)
    except ValueError as error:
        raise InvalidInputError(f"{name}: {error}") from error
