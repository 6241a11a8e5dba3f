"""The journal of a run: every answer from outside, in order, so that the run can be gone through again.

A run that goes on is the same function called again: what it asks is answered from the journal up to the
question where it stopped, then by the person's decision, then live. Nothing of its state is stored.
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
"""Stop reason of a run that needs a person and cannot store what it asks."""

Reviewer: TypeAlias = Callable[[Question], Decision]
"""Decides at once, in the process of the run."""

_PARTS: Final[Mapping[str, str]] = {
    "prompt": "the prompt of",
    "payload": "what is asked with",
    "args": "the arguments of",
}
_AGAIN: Final = "start the run again"


class RehearsalEnded(Exception):  # noqa: N818 - says what happened
    """A run that is only tried comes to a call that it must not make."""


class OutcomeUnknown(Exception):  # noqa: N818 - says what happened
    """A call was started, and nobody knows whether it was made.

    Attributes:
        number: of its entry.
        attempts: how often it was started.
    """

    def __init__(self, number: int, attempts: int) -> None:
        super().__init__(number)
        self.number = number
        self.attempts = attempts


class Efforts(Protocol):
    """Notes what model calls took."""

    @property
    def calls(self) -> int:
        """How many were noted."""

    def efforts_after(self, calls: int) -> list[JsonObject]:
        """Return those noted after so many."""

    def replay(self, effort: Mapping[str, JsonValue], /) -> None:
        """Note one again."""


@dataclass(slots=True, kw_only=True)
class Journal:
    """The answers that one run gets from outside.

    Attributes:
        run_id: of the run.
        start: what it is started with.
        queue: where its questions go; None where a reviewer is asked in process.
        reviewer: asked in process.
        claim: of a run that goes on; None for one that has never stopped.
        entries: what is known of it, by number.
        reviews: what people were asked, by number and attempt.
        rehearsed: kinds of calls that a rehearsal makes; None where it is none.
        current: the review whose decision the run goes on with; None for one that has never stopped.
        efforts: notes what model calls took.
        decided: called with every decision that the run comes to, with its question and its review.
        reached: whether the run has come to where it stopped.
        closes_queue: whether the queue was opened for this run alone.
    """

    run_id: str
    start: RunStart
    queue: ReviewQueue | None = None
    reviewer: Reviewer | None = None
    claim: Claim | None = None
    entries: Mapping[int, JournalEntry] = field(default_factory=dict)
    reviews: Mapping[tuple[int, int], Review] = field(default_factory=dict)
    current: Review | None = None
    rehearsed: frozenset[EntryKind] | None = None
    efforts: Efforts | None = None
    decided: Callable[[Question, Review | None, Decision], None] = lambda *_: None
    reached: bool = False
    closes_queue: bool = False
    _number: int = 0
    _kept: list[JournalEntry] = field(default_factory=list)

    @property
    def is_replaying(self) -> bool:
        """Whether the run is still on its way to where it stopped."""
        return self.current is not None and not self.reached

    def close(self) -> None:
        """Let go of a queue that was opened for this run."""
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
        """Return what came of a call, from the journal or live.

        Args:
            kind: what is called.
            name: which of its kind.
            request: all that the answer depends on, by parts that are told apart where one has changed.
            do: makes the call; gets its idempotency key, the same however often the run comes to it.
            has_effects: whether it is noted before it is made.
            is_repeatable: whether one that was started may be made again, as its key tells who is called.

        Raises:
            Stop: the call ended so.
            OutcomeUnknown: it was started, is not repeatable, and nobody knows whether it was made.
            StaleRunError: the run does not ask what it asked before.
            BusyRunError, DatabaseError: what is done cannot be kept.
        """
        self._number += 1
        number = self._number
        parts = {part: digest(value) for part, value in request.items()}
        known = self.entries.get(number)
        if known is not None:
            self._compare(known, kind, name, parts)
            self._pass_reviews(number)
            if known.state == "finished":
                return self._replay(known)
            if not is_repeatable:
                raise OutcomeUnknown(number, known.attempts)
            return self._make(known, do)
        if self.is_replaying:
            raise StaleRunError(f"the run asks `{name}` where it asked nothing before it stopped; {_AGAIN}")
        if self.rehearsed is not None and kind not in self.rehearsed:
            raise RehearsalEnded(name)
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
            return self._make(entry, do)
        return self._make(entry, do, is_new=True)

    def call_again(self, unknown: OutcomeUnknown, do: Callable[[str], JsonValue]) -> JsonValue:
        """Make a call that a person says was not made; noted first, so that it is made once for each word."""
        entry = self.entries[unknown.number].model_copy(update={"attempts": unknown.attempts + 1})
        if self.rehearsed is not None:
            raise RehearsalEnded(entry.name)
        if self.queue is not None and self.claim is not None:
            self.queue.restart_entry(self.claim, entry)
        return self._make(entry, do)

    def settle(self, unknown: OutcomeUnknown, answer: JsonObject) -> None:
        """Keep what a person says that a call was answered."""
        entry = self.entries[unknown.number]
        if self.rehearsed is None:
            self._finish(entry.model_copy(update={"state": "finished", "answer": answer}), is_new=False)

    def ask(
        self, question: Question, *, events_after: int = 0, about: OutcomeUnknown | None = None
    ) -> Decision:
        """Return what a person decides.

        Args:
            question: what is asked.
            events_after: number of the run's last event before it goes on.
            about: the call that is asked about, if it is one.

        Raises:
            Stop: ``pending_review`` where nobody has decided yet, or ``review_unavailable``.
            StaleRunError: the run does not ask what it asked before.
            BusyRunError, DatabaseError: a run that goes on cannot store what it asks.
        """
        if about is None:
            self._number += 1
        number, attempt = (self._number, 1) if about is None else (about.number, about.attempts)
        asked = self.reviews.get((number, attempt))
        if asked is not None:
            _compare_questions(asked, question)
            if asked.decision is None:
                raise Stop("pending_review", phase=question.phase, review_id=asked.id)
            self._pass(asked)
            return asked.decision
        if self.is_replaying or (number in self.entries and about is None):
            raise StaleRunError(f"the run asks a person where it asked nobody before it stopped; {_AGAIN}")
        if self.rehearsed is not None:
            raise RehearsalEnded(question.phase)
        if self.reviewer is not None:
            decision = self.reviewer(question)
            self.decided(question, None, decision)
            return decision
        raise self._stored(question, number, attempt, events_after)

    def _stored(self, question: Question, number: int, attempt: int, events_after: int) -> Stop:
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
            told = {"type": type(error).__name__, "message": str(error)}
            return Stop(UNAVAILABLE, phase=question.phase, error=told)
        return Stop("pending_review", phase=question.phase, review_id=review.id)

    def _make(
        self, entry: JournalEntry, do: Callable[[str], JsonValue], *, is_new: bool = False
    ) -> JsonValue:
        calls = self.efforts.calls if self.efforts is not None else 0
        finished: dict[str, object] = {"state": "finished"}
        failed: Stop | None = None
        answer: JsonValue = None
        # What is called may ask on: what comes of it is part of this answer.
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
        if self.efforts is not None:
            finished["efforts"] = tuple(self.efforts.efforts_after(calls))
        if self.queue is not None and self.rehearsed is None:
            self._finish(entry.model_copy(update=finished), is_new=is_new)
        if failed is not None:
            raise failed
        return answer

    def _finish(self, entry: JournalEntry, *, is_new: bool) -> None:
        if self.queue is None:
            return
        if self.claim is None:
            # Nothing is stored of a run that needs nobody: what it asks is stored with all before it.
            self._kept.append(entry.model_copy(update={"answer": copy_json(entry.answer)}))
        elif is_new:
            self.queue.start_entry(self.claim, entry)
        else:
            self.queue.finish_entry(self.claim, entry)

    def _replay(self, entry: JournalEntry) -> JsonValue:
        if self.efforts is not None:
            for effort in entry.efforts:
                self.efforts.replay(effort)
        failure = entry.failure
        if failure is not None:
            phase, details = failure.get("phase"), failure.get("details")
            raise Stop(
                str(failure.get("reason")),
                phase=phase if isinstance(phase, str) else None,
                **(details if isinstance(details, dict) else {}),
            )
        return entry.answer

    def _pass(self, review: Review) -> None:
        if review.decision is None:
            return
        self.reached = self.reached or (self.current is not None and review.id == self.current.id)
        self.decided(review, review, review.decision)

    def _pass_reviews(self, number: int) -> None:
        """Pass the questions about a call that were settled before."""
        known = self.entries[number]
        for (step, attempt), review in sorted(self.reviews.items()):
            if step == number and (known.state == "finished" or attempt < known.attempts):
                self._pass(review)

    def _compare(self, known: JournalEntry, kind: EntryKind, name: str, parts: Mapping[str, str]) -> None:
        if (known.kind, known.name) != (kind, name):
            raise StaleRunError(
                f"the run asks `{name}` where it asked `{known.name}` before it stopped; {_AGAIN}"
            )
        for part, now in parts.items():
            before = known.request.get(part, "")
            if before != now:
                what = _PARTS.get(part, f"the {part} of")
                changed = f"{before or 'none'} -> {now}"
                raise StaleRunError(
                    f"{what} `{name}` has changed since the run stopped ({changed}); {_AGAIN}"
                )
        if known.request_hash != digest(dict(parts)):
            raise StaleRunError(f"what `{name}` is asked has changed since the run stopped; {_AGAIN}")


def journal_of(
    queue: ReviewQueue,
    review: Review,
    *,
    claim: Claim | None = None,
    rehearsed: Iterable[EntryKind] | None = None,
) -> Journal:
    """Return the journal of a run that goes on, or is only tried with the decision of a review.

    Raises:
        ReviewError, DatabaseError: it cannot be read.
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
        rehearsed=None if rehearsed is None else frozenset(rehearsed),
    )


def _compare_questions(asked: Review, question: Question) -> None:
    before, now = (
        digest(one.model_dump(include={"kind", "original", "proposed", "code"})) for one in (asked, question)
    )
    if before != now:
        raise StaleRunError(
            f"the run asks a person something else than when it stopped ({before} -> {now}); {_AGAIN}"
        )


# As with the events of a run: what asks a model for a run need not be told of the run.
_CURRENT: ContextVar[Journal | None] = ContextVar("redpen_journal", default=None)


def current_journal() -> Journal | None:
    """Return the journal of the run that this code works for, if it has one."""
    return _CURRENT.get()


@contextmanager
def journaling(journal: Journal | None) -> Iterator[None]:
    """Have the model calls inside kept in a journal, or answered from it."""
    if journal is None:
        yield
        return
    token = _CURRENT.set(journal)
    try:
        yield
    finally:
        _CURRENT.reset(token)
