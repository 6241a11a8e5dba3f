"""The journal of a run: the answers of all its external calls in order, so that the run can be replayed.

To resume a run, the same function is called again. Up to the question where it stopped, its external calls
are answered from the journal; the question is answered by the reviewer's decision, and later calls are made
live. No other state is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from redpen.databases import DatabaseError
from redpen.errors import ConfigurationError, Stop
from redpen.policy.model import digest
from redpen.review.errors import StaleRunError
from redpen.review.model import Decision, EntryKind, JournalEntry, Question, Review, RunStart
from redpen.review.queue import Claim, ReviewQueue
from redpen.text.json_values import copy_json
from redpen.types import JsonObject, JsonValue

UNAVAILABLE: Final = "review_unavailable"
"""Stop reason of a run that cannot store its question for a reviewer."""

Reviewer: TypeAlias = Callable[[Question], Decision]
"""Answers a question at once, in the process of the run."""

_PART_NAMES: Final[Mapping[str, str]] = {
    "prompt": "the prompt of",
    "payload": "the payload of",
    "args": "the arguments of",
}
_RESTART_HINT: Final = "start the run again"


class DryRunEnded(Exception):  # noqa: N818 - not an error
    """A dry run has reached a call that it must not make."""


class OutcomeUnknown(Exception):  # noqa: N818 - not an error
    """A call was started, but it is unknown whether it was made.

    Attributes:
        number: number of the call's journal entry.
        attempts: number of times the call was started.
    """

    def __init__(self, number: int, attempts: int) -> None:
        super().__init__(number)
        self.number = number
        self.attempts = attempts


class CallRecorder(Protocol):
    """Records statistics of model calls; ``redpen.chat.CallBudget`` implements it."""

    @property
    def calls(self) -> int:
        """Number of recorded calls."""

    def stats_after(self, calls: int) -> list[JsonObject]:
        """Return the statistics recorded after the first ``calls`` calls."""

    def replay(self, stats: Mapping[str, JsonValue], /) -> None:
        """Record statistics that ``stats_after`` returned."""


@dataclass(slots=True, kw_only=True)
class Journal:
    """The journal of one run.

    Attributes:
        run_id: id of the run.
        start: inputs of the run.
        queue: the review queue; None if a reviewer decides in process.
        reviewer: callable that decides in process.
        claim: claim of a resumed run; None for a new run.
        entries: stored entries, by number.
        reviews: reviews of the run, by number and attempt.
        dry_run_calls: kinds of calls that a dry run may make; None if the run is not a dry run.
        current: the review after which the run is resumed; None for a new run.
        recorder: records statistics of model calls.
        decided: called with the question, the review (None if decided in process) and the decision, for each
            decision that the run reaches.
        reached: whether the run has reached the point where it stopped.
        closes_queue: whether ``close`` closes the queue.
    """

    run_id: str
    start: RunStart
    queue: ReviewQueue | None = None
    reviewer: Reviewer | None = None
    claim: Claim | None = None
    entries: Mapping[int, JournalEntry] = field(default_factory=dict)
    reviews: Mapping[tuple[int, int], Review] = field(default_factory=dict)
    current: Review | None = None
    dry_run_calls: frozenset[EntryKind] | None = None
    recorder: CallRecorder | None = None
    decided: Callable[[Question, Review | None, Decision], None] = lambda *_: None
    reached: bool = False
    closes_queue: bool = False
    _number: int = 0
    _kept: list[JournalEntry] = field(default_factory=list)

    @property
    def is_replaying(self) -> bool:
        """Whether this is a resumed run that has not yet reached the point where it stopped."""
        return self.current is not None and not self.reached

    def close(self) -> None:
        """Close the queue if it was opened for this run."""
        if self.closes_queue and self.queue is not None:
            self.queue.close()

    def call(
        self,
        kind: EntryKind,
        name: str,
        request: Mapping[str, JsonValue],
        do: Callable[[str], JsonValue],
        *,
        has_effects: bool = False,
        is_repeatable: bool = True,
    ) -> JsonValue:
        """Return the answer of an external call, from the journal or by making the call.

        Args:
            kind: kind of call.
            name: name of the callee.
            request: everything that the answer depends on, by part; error messages name a part that changed.
            do: makes the call; it gets the idempotency key, which is the same on each replay.
            has_effects: whether the call has side effects; such a call is stored before it is made.
            is_repeatable: whether a started call may be made again, because the callee recognises its key.

        Raises:
            Stop: the stop of the call.
            OutcomeUnknown: the call was started and may have been made, but is not repeatable.
            StaleRunError: the call differs from the recorded one.
            BusyRunError, DatabaseError: the call cannot be stored.
        """
        self._number += 1
        number = self._number
        parts = {part: digest(value) for part, value in request.items()}
        known = self.entries.get(number)
        if known is not None:
            self._compare(known, kind, name, parts)
            self._mark_reviews_passed(number)
            if known.state == "finished":
                return self._replay(known)
            if not is_repeatable:
                raise OutcomeUnknown(number, known.attempts)
            return self._execute(known, do)
        if self.is_replaying:
            raise StaleRunError(
                f"the run calls `{name}` where it made no call before it stopped; {_RESTART_HINT}"
            )
        if self.dry_run_calls is not None and kind not in self.dry_run_calls:
            raise DryRunEnded(name)
        entry = JournalEntry(
            number=number,
            kind=kind,
            name=name,
            request=parts,
            request_hash=digest(parts),
            state="started",
        )
        if has_effects and self.queue is not None and self.claim is not None:
            self.queue.start_entry(self.claim, entry)
            return self._execute(entry, do)
        return self._execute(entry, do, is_new=True)

    def resolve(
        self, unknown: OutcomeUnknown, decision: Decision, do: Callable[[str], JsonValue]
    ) -> JsonValue:
        """Return the answer of a call whose outcome was unknown, after a reviewer's decision.

        Args:
            unknown: the call.
            decision: ``approve`` if the call was not made and has to be repeated; the repetition is stored
                first. ``edit`` if it was made, with its answer.
            do: makes the call.

        Raises:
            Stop, BusyRunError, DatabaseError: as for ``call``.
        """
        entry = self.entries[unknown.number]
        if decision.kind == "approve":
            entry = entry.model_copy(update={"attempts": unknown.attempts + 1})
            if self.dry_run_calls is not None:
                raise DryRunEnded(entry.name)
            if self.queue is not None and self.claim is not None:
                self.queue.restart_entry(self.claim, entry)
            return self._execute(entry, do)
        answer: JsonObject = decision.answer or {}
        if self.dry_run_calls is None:
            self._finish(entry.model_copy(update={"state": "finished", "answer": answer}), is_new=False)
        return answer

    def ask(
        self, question: Question, *, events_after: int = 0, about: OutcomeUnknown | None = None
    ) -> Decision:
        """Return the decision of a reviewer.

        Args:
            question: the question.
            events_after: number of the run's last event before the stop.
            about: the tool call in question, if the question is about one.

        Raises:
            Stop: ``pending_review`` if there is no decision yet, or ``review_unavailable``.
            StaleRunError: the question differs from the recorded one.
            BusyRunError, DatabaseError: a resumed run cannot store its question.
        """
        if about is None:
            self._number += 1
        number, attempt = (self._number, 1) if about is None else (about.number, about.attempts)
        asked = self.reviews.get((number, attempt))
        if asked is not None:
            _compare_questions(asked, question)
            if asked.decision is None:
                raise Stop("pending_review", phase=question.phase, review_id=asked.id)
            self._mark_passed(asked)
            return asked.decision
        if self.is_replaying or (number in self.entries and about is None):
            raise StaleRunError(
                f"the run asks a reviewer where it asked none before it stopped; {_RESTART_HINT}"
            )
        if self.dry_run_calls is not None:
            raise DryRunEnded(question.phase)
        if self.reviewer is not None:
            decision = self.reviewer(question)
            self.decided(question, None, decision)
            return decision
        raise self._store_question(question, number, attempt, events_after)

    def _store_question(self, question: Question, number: int, attempt: int, events_after: int) -> Stop:
        if self.queue is None:
            return Stop(UNAVAILABLE, phase=question.phase)
        try:
            review = self.queue.add(
                question,
                start=self.start,
                run_id=self.run_id,
                step=number,
                attempt=attempt,
                events_after=events_after,
                entries=self._kept,
                claim=self.claim,
            )
        except (DatabaseError, ConfigurationError) as error:
            if self.claim is not None:
                raise
            error_fields = {"type": type(error).__name__, "message": str(error)}
            return Stop(UNAVAILABLE, phase=question.phase, error=error_fields)
        return Stop("pending_review", phase=question.phase, review_id=review.id)

    def _execute(
        self, entry: JournalEntry, do: Callable[[str], JsonValue], *, is_new: bool = False
    ) -> JsonValue:
        calls = self.recorder.calls if self.recorder is not None else 0
        finished: dict[str, object] = {"state": "finished"}
        failed: Stop | None = None
        answer: JsonValue = None
        # Nested calls are part of this call, and get no entries of their own.
        token = _CURRENT.set(None)
        try:
            answer = do(f"{self.run_id}:{entry.number}")
            finished["answer"] = answer
        except Stop as stop:
            failed = stop
            finished["failure"] = {
                "reason": stop.reason,
                "phase": stop.phase,
                "details": copy_json(stop.details),
            }
        finally:
            _CURRENT.reset(token)
        if self.recorder is not None:
            finished["efforts"] = tuple(self.recorder.stats_after(calls))
        if self.queue is not None and self.dry_run_calls is None:
            self._finish(entry.model_copy(update=finished), is_new=is_new)
        if failed is not None:
            raise failed
        return answer

    def _finish(self, entry: JournalEntry, *, is_new: bool) -> None:
        if self.queue is None:
            return
        if self.claim is None:
            # The entries are stored together with the run's first question; a run without one stores none.
            self._kept.append(entry.model_copy(update={"answer": copy_json(entry.answer)}))
        elif is_new:
            self.queue.start_entry(self.claim, entry)
        else:
            self.queue.finish_entry(self.claim, entry)

    def _replay(self, entry: JournalEntry) -> JsonValue:
        if self.recorder is not None:
            for stats in entry.efforts:
                self.recorder.replay(stats)
        failure = entry.failure
        if failure is not None:
            phase, details = failure.get("phase"), failure.get("details")
            raise Stop(
                str(failure.get("reason")),
                phase=phase if isinstance(phase, str) else None,
                **(details if isinstance(details, dict) else {}),
            )
        return entry.answer

    def _mark_passed(self, review: Review) -> None:
        if review.decision is None:
            return
        self.reached = self.reached or (self.current is not None and review.id == self.current.id)
        self.decided(review, review, review.decision)

    def _mark_reviews_passed(self, number: int) -> None:
        """Mark the reviews about a call as passed, if later attempts of the call were stored."""
        known = self.entries[number]
        for (step, attempt), review in sorted(self.reviews.items()):
            if step == number and (known.state == "finished" or attempt < known.attempts):
                self._mark_passed(review)

    def _compare(self, known: JournalEntry, kind: EntryKind, name: str, parts: Mapping[str, str]) -> None:
        if (known.kind, known.name) != (kind, name):
            raise StaleRunError(
                f"the run calls `{name}` where it called `{known.name}` before it stopped; {_RESTART_HINT}"
            )
        for part, now in parts.items():
            before = known.request.get(part, "")
            if before != now:
                what = _PART_NAMES.get(part, f"the {part} of")
                changed = f"{before or 'none'} -> {now}"
                raise StaleRunError(
                    f"{what} `{name}` has changed since the run stopped ({changed}); {_RESTART_HINT}"
                )
        if known.request_hash != digest(dict(parts)):
            raise StaleRunError(f"the request of `{name}` has changed since the run stopped; {_RESTART_HINT}")


def journal_of(
    queue: ReviewQueue,
    review: Review,
    *,
    claim: Claim | None = None,
    dry_run_calls: Iterable[EntryKind] | None = None,
) -> Journal:
    """Return the journal with which a run is resumed after a review.

    Args:
        queue: the review queue.
        review: the review, with its decision.
        claim: claim of the run; None for a dry run.
        dry_run_calls: for a dry run, the kinds of calls that it may make.

    Raises:
        ReviewError, DatabaseError: the journal cannot be read.
    """
    asked = {(one.step, one.attempt): one for one in queue.reviews(run_id=review.run_id)}
    return Journal(
        run_id=review.run_id,
        start=review.start,
        queue=queue,
        claim=claim,
        entries={entry.number: entry for entry in queue.journal(review.run_id)},
        reviews={**asked, (review.step, review.attempt): review},
        current=review,
        dry_run_calls=None if dry_run_calls is None else frozenset(dry_run_calls),
    )


def unknown_call_question(name: str, *, phase: str, original: JsonValue) -> Question:
    """Return the question whether a call was made that was interrupted; ``original`` is the call."""
    return Question(
        phase=phase,
        code=f"tool_outcome_unknown:{name}",
        reason=f"the run was killed while it called {name}; it is unknown whether the call was made",
        kind="call",
        original=original,
    )


def _compare_questions(asked: Review, question: Question) -> None:
    before, now = (
        digest(one.model_dump(include={"kind", "original", "proposed", "code"})) for one in (asked, question)
    )
    if before != now:
        raise StaleRunError(
            f"the question for the reviewer has changed since the run stopped ({before} -> {now}); "
            f"{_RESTART_HINT}"
        )


# A context variable, so that code that calls a model needs no parameter for the journal.
_CURRENT: ContextVar[Journal | None] = ContextVar("redpen_journal", default=None)


def current_journal() -> Journal | None:
    """Return the journal of the current run, if it has one."""
    return _CURRENT.get()


@contextmanager
def use_journal(journal: Journal | None) -> Iterator[None]:
    """Record the model calls inside the block in a journal, or answer them from it."""
    if journal is None:
        yield
        return
    token = _CURRENT.set(journal)
    try:
        yield
    finally:
        _CURRENT.reset(token)
