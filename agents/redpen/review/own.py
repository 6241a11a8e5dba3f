"""Runs of agents of your own that a person may stop, and that go on from their journal.

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
from redpen.review.journal import Journal, OutcomeUnknown, journal_of
from redpen.review.model import Decision, EntryKind, Question, ReviewKind, RunStart
from redpen.review.queue import Claim, ReviewQueue
from redpen.text.json_values import copy_json, copy_object
from redpen.types import JsonObject, JsonValue


class PendingReview(Exception):  # noqa: N818 - says what happened
    """A run waits for a person.

    Attributes:
        review_id: of the review.
    """

    def __init__(self, review_id: str) -> None:
        super().__init__(f"review {review_id[:8]} is pending")
        self.review_id = review_id


class ReviewedRun:
    """One run of an agent of your own: a new one, or the one of a decided review.

    The code of the agent is called again for a run that goes on, and has to ask the same in the same order:
    whatever comes from outside, and time and chance too, goes through ``step``. An exception that a step
    raises ends the run.

    Args:
        queue: where its questions go.
        agent: name of the agent; of a new run.
        given: what it works on, a JSON object; of a new run.
        review: id of the review that was decided, or its beginning; of a run that goes on.

    Attributes:
        id: of the run, the same when it goes on.
        given: what it works on.

    Raises:
        InvalidInputError: neither an agent nor a review is named, or both.
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
            raise InvalidInputError("name an agent for a new run, or a review for one that goes on")
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
        """Return what comes of a call to the outside, made once in the life of the run.

        Args:
            kind: what is called: ``model``, ``tool`` (which has effects), ``clock``, ``step`` for all else …
            name: which of its kind.
            request: all that the answer depends on, a JSON object.
            do: makes the call and returns a JSON value; it gets an idempotency key.
            is_repeatable: whether a tool knows a call that is made again, by its key.

        Raises:
            PendingReview: nobody knows whether a tool was called, as the run was killed then.
            StaleRunError: the run does not ask what it asked before.
            BusyRunError, DatabaseError: what is done cannot be kept.
            InvalidInputError: request or answer are no JSON.
        """
        asked = _json_object(request, name)

        def call(key: str) -> JsonValue:
            try:
                return copy_json(do(key))
            except ValueError as error:
                raise InvalidInputError(f"{name}: what came back is no JSON: {error}") from error

        has_effects = kind == "tool"
        try:
            return self._journal.call(
                kind,
                name,
                {"request": asked},
                call,
                has_effects=has_effects,
                is_repeatable=is_repeatable or not has_effects,
            )
        except OutcomeUnknown as unknown:
            said = f"the run was killed while it called {name}: nobody knows whether the call was made"
            question = Question(
                phase=name, code=f"tool_outcome_unknown:{name}", reason=said, kind="call", original=asked
            )
            decision = self._decision(question, about=unknown)
            if decision.kind == "approve":
                return self._journal.call_again(unknown, call)
            if decision.kind == "edit":
                answer: JsonObject = decision.answer or {}
                self._journal.settle(unknown, answer)
                return answer
            raise ReviewError(
                f"{name}: {decision.by} has rejected the call of which nobody knows whether it was made"
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
        """Return what a person decides.

        Args:
            original: the text, or the action ``{id, tool, args}``, that is in question.
            proposed: what takes its place where the person approves; the original itself by default.
            reason: why a person is asked.
            findings: what was found, each with ``code`` and, where it has a place, ``span``.
            context: the facts.
            code: name of the reason.
            phase: of the run.

        Raises:
            PendingReview: nobody has decided yet.
            StaleRunError, BusyRunError, DatabaseError: as for ``step``.
            InvalidInputError: something is no JSON.
        """
        asked = {"original": original, "proposed": proposed, "findings": list(findings), "context": context}
        content: Any = _json_object(asked, "question")
        kind: ReviewKind = "text" if isinstance(original, str) else "action"
        return self._decision(Question(phase=phase, code=code, reason=reason, kind=kind, **content))

    def finish(self, result: Mapping[str, Any]) -> None:
        """Note that the run has ended, and with what; raises BusyRunError or DatabaseError.

        Raises:
            StaleRunError: it did not come to where it stopped.
        """
        if self._claim is not None:
            if not self._journal.reached:
                raise StaleRunError("the run does not come to where it stopped any more; start it again")
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
        """Give a run back that has not ended, so that it can be resumed again."""
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
            said = error.get("message") if isinstance(error, dict) else stop.reason
            raise DatabaseError(str(said)) from None


def _json_object(value: Mapping[str, Any], name: str) -> JsonObject:
    try:
        return copy_object(value)
    except ValueError as error:
        raise InvalidInputError(f"{name}: {error}") from error
