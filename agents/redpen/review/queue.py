"""The review queue: questions of runs, decisions of reviewers, and the journals from which runs are resumed.

A decision is a compare-and-set on the status ``pending``, so that only one of several concurrent decisions
takes effect. An expiry is also such a decision, made by the first process that reads the review afterwards;
setting a clock back does not undo it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

from redpen.databases import Database, Transaction, open_database
from redpen.errors import InvalidInputError
from redpen.events.store import time_text
from redpen.review.errors import BusyRunError, NotDecidedError, ReviewError, UnknownReviewError
from redpen.review.model import (
    STATUS_OF,
    Decision,
    JournalEntry,
    Question,
    Review,
    ReviewStatus,
    RunStart,
    utc_now,
)
from redpen.review.owner import is_alive, new_owner
from redpen.review.tables import REVIEW_COLUMNS, TABLES, as_text, read_entry, read_review, review_id

LEASE_S: Final = 600.0
"""Time after the last update by a process on another machine until its run can be taken over, in seconds."""
EXPIRY: Final = "expiry"
"""``Decision.by`` of an expiry."""
_SHOWN_CHARS: Final = 60

_DECIDE: Final = (
    "UPDATE redpen_reviews SET status = :status, decision = :decision"
    " WHERE id = :id AND status = 'pending' AND (expires IS NULL OR expires > :now)"
)
_EXPIRE: Final = (
    "UPDATE redpen_reviews SET status = 'expired', decision = :decision"
    " WHERE status = 'pending' AND expires IS NOT NULL AND expires <= :now"
)
_CLAIM: Final = (
    "UPDATE redpen_reviews SET resumed = 'running', owner = :owner, lease = :lease"
    " WHERE id = :id AND status <> 'pending' AND (resumed = 'no' OR (resumed = 'running' AND owner = :held))"
)
_RENEW: Final = (
    "UPDATE redpen_reviews SET lease = :lease WHERE id = :id AND resumed = 'running' AND owner = :owner"
)
_RELEASE: Final = (
    "UPDATE redpen_reviews SET resumed = 'no', owner = NULL, lease = NULL"
    " WHERE id = :id AND resumed = 'running' AND owner = :owner"
)
_COMPLETE: Final = (
    "UPDATE redpen_reviews SET resumed = 'done', result = :result, owner = NULL, lease = NULL"
    " WHERE id = :id AND owner = :owner"
)
_CONTINUED: Final = "UPDATE redpen_reviews SET resumed = 'done' WHERE run_id = :run AND id <> :id"
_ADD: Final = (
    "INSERT INTO redpen_reviews (id, run_id, step, attempt, agent, status, resumed, created, expires, review)"
    " VALUES (:id, :run, :step, :attempt, :agent, 'pending', 'no', :created, :expires, :review)"
    " ON CONFLICT (run_id, step, attempt) DO NOTHING"
)
_ADD_ENTRY: Final = (
    "INSERT INTO redpen_reviews_journal (run_id, step, state, entry) VALUES (:run, :step, :state, :entry)"
)
_RESTART_ENTRY: Final = (
    "UPDATE redpen_reviews_journal SET entry = :entry"
    " WHERE run_id = :run AND step = :step AND state = 'started'"
)
_FINISH_ENTRY: Final = (
    "UPDATE redpen_reviews_journal SET state = 'finished', entry = :entry"
    " WHERE run_id = :run AND step = :step AND state = 'started'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The effect of a decision.

    Attributes:
        state: ``decided`` if this decision was stored; ``repeated`` if the same decision had been stored
            before, ``refused`` if another one had.
        review: the current state of the review.
    """

    state: Literal["decided", "repeated", "refused"]
    review: Review

    @property
    def message(self) -> str:
        """A sentence that describes the effect."""
        decision = self.review.decision
        if decision is None:
            return f"review {self.review.id[:8]} is pending"
        text = f"review {self.review.id[:8]} was {self.review.status} by {decision.by} at {decision.time}"
        return f"{text}; a review can only be decided once" if self.state == "refused" else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to resume a run, which only one process can have at a time."""

    review: Review
    owner: str


class ReviewQueue:
    """Reviews in a database, which threads, processes and (with PostgreSQL) machines can share.

    Args:
        database: a database with ``TABLES``.
        expire_after_s: time after which a new review counts as rejected, in seconds; None for never.
        now: returns the current time.
    """

    def __init__(
        self,
        database: Database,
        *,
        expire_after_s: float | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        if expire_after_s is not None and not expire_after_s >= 0:
            raise InvalidInputError(f"expire_after_s: must be a number of at least 0, not {expire_after_s!r}")
        self._database = database
        self._expire_after_s = expire_after_s
        self._now = now

    @property
    def shown(self) -> str:
        """The address for messages."""
        return self._database.shown

    def reviews(
        self,
        status: ReviewStatus | None = None,
        *,
        agent: str | None = None,
        run_id: str | None = None,
    ) -> list[Review]:
        """Return reviews, oldest first, without damaged ones (see ``damaged``).

        Args:
            status: only reviews with this status.
            agent: only reviews of this agent.
            run_id: only reviews of this run.

        Raises:
            DatabaseError: the reviews cannot be read.
        """
        filters = {"agent": agent, "run_id": run_id}
        values = {name: value for name, value in filters.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in values)
        found = self._rows(f"WHERE {where} ORDER BY number" if where else "ORDER BY number", values)
        # SQL cannot filter by status, because an expiry is only stored when the review is read.
        return [one for one in found if isinstance(one, Review) and status in {None, one.status}]

    def damaged(self) -> tuple[str, ...]:
        """Return an error message for each row that is not a valid review."""
        found = self._rows("ORDER BY number", {})
        return tuple(str(review) for review in found if isinstance(review, ReviewError))

    def get(self, id: str) -> Review:  # noqa: A002 - the name in the command line
        """Return the review with an id, or with a unique prefix of it.

        Raises:
            UnknownReviewError: no review has this id, or several have this prefix.
            ReviewError: the review is damaged.
            DatabaseError: the review cannot be read.
        """
        prefix = id.strip().lower() if isinstance(id, str) else ""
        where = "WHERE substr(id, 1, :length) = :prefix ORDER BY number"
        values: dict[str, str | int] = {"length": len(prefix), "prefix": prefix}
        found = self._rows(where, values) if prefix.isalnum() else []
        if len(found) == 1:
            if isinstance(found[0], ReviewError):
                raise found[0]
            return found[0]
        hint = "`redpen review list` shows them"
        shown = f"{prefix[:_SHOWN_CHARS]!r}"
        if not found:
            raise UnknownReviewError(f"{self.shown}: no review has an id that begins with {shown}; {hint}")
        ids = ", ".join(one.id for one in found[:5] if isinstance(one, Review))
        raise UnknownReviewError(f"{self.shown}: {len(found)} reviews begin with {shown} ({ids}); {hint}")

    def decide(self, id: str, decision: Decision) -> Outcome:  # noqa: A002 - the name in the command line
        """Store a decision on a pending review; an earlier decision is not replaced.

        Content is not checked here; ``redpen.decide_review`` checks it first.

        Args:
            id: id of the review, or a unique prefix.
            decision: the decision; its time is filled in.

        Raises:
            UnknownReviewError, ReviewError, DatabaseError: as for ``get``.
        """
        review = self.get(id)
        now = time_text(self._now())
        decision = decision.model_copy(update={"time": now})
        changed = self._database.execute(
            _DECIDE,
            {
                "id": review.id,
                "status": STATUS_OF[decision.kind],
                "decision": as_text(decision),
                "now": now,
            },
        ).changed
        review = self.get(review.id)
        if changed:
            return Outcome(state="decided", review=review)
        is_same = review.decision is not None and decision.same_as(review.decision)
        return Outcome(state="repeated" if is_same else "refused", review=review)

    def result(self, id: str) -> dict[str, Any] | None:  # noqa: A002 - the name in the command line
        """Return the result of the review's resumed run; None if the run has not ended."""
        values = {"id": self.get(id).id}
        rows = self._database.execute("SELECT result FROM redpen_reviews WHERE id = :id", values).rows
        text = rows[0][0] if rows else None
        return None if text is None else dict(json.loads(text))

    def journal(self, run_id: str) -> list[JournalEntry]:
        """Return the journal entries of a run, in order; raises ReviewError or DatabaseError."""
        rows = self._database.execute(
            "SELECT number, entry FROM redpen_reviews_journal WHERE run_id = :run ORDER BY step",
            {"run": run_id},
        ).rows
        return [read_entry(number, text, shown=self.shown) for number, text in rows]

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        self._database.close()

    def add(
        self,
        question: Question,
        *,
        start: RunStart,
        run_id: str,
        step: int,
        attempt: int = 1,
        events_after: int = 0,
        entries: Iterable[JournalEntry] = (),
        claim: Claim | None = None,
    ) -> Review:
        """Store a question of a run and the journal up to it, in one transaction.

        Args:
            question: the question for a reviewer.
            start: inputs of the run.
            run_id: id of the run.
            step: number of the question among the external calls of the run, from 1.
            attempt: number of times this question was asked, including this one.
            events_after: number of the run's last event before the stop.
            entries: journal entries that are not stored yet.
            claim: claim of a resumed run, whose earlier reviews are then marked as done.

        Returns:
            The review; the stored one if the run has asked this before.

        Raises:
            BusyRunError: another process has taken over the run.
            DatabaseError: the question cannot be stored.
        """
        now = self._now()
        expires = None
        if self._expire_after_s is not None:
            expires = time_text(now + timedelta(seconds=self._expire_after_s))
        review = Review(
            **question.model_dump(),
            id=review_id(run_id, step, attempt),
            run_id=run_id,
            agent=start.agent,
            step=step,
            attempt=attempt,
            created=time_text(now),
            expires=expires,
            start=start,
            events_after=events_after,
        )
        with self._database.transaction() as transaction:
            if claim is not None:
                self._renew(transaction, claim)
            transaction.execute(
                _ADD,
                {
                    "id": review.id,
                    "run": run_id,
                    "step": step,
                    "attempt": attempt,
                    "agent": review.agent,
                    "created": review.created,
                    "expires": expires,
                    "review": as_text(review),
                },
            )
            for entry in entries:
                transaction.execute(_ADD_ENTRY, _entry_values(run_id, entry))
            if claim is not None:
                transaction.execute(_CONTINUED, {"run": run_id, "id": review.id})
        return self.get(review.id)

    def claim(self, id: str) -> Claim:  # noqa: A002 - the name in the command line
        """Claim the run of a decided review, to resume it; ``complete`` or ``release`` ends the claim.

        The claim of a killed process on this machine can be taken over at once, the claim of a process on
        another machine ``LEASE_S`` seconds after its last update.

        Raises:
            NotDecidedError: the review is pending.
            BusyRunError: another process resumes the run, or has resumed it already.
            UnknownReviewError, ReviewError, DatabaseError: as for ``get``.
        """
        review = self.get(id)
        if review.status == "pending":
            raise NotDecidedError(
                f"review {review.id[:8]} is pending: decide it first (`redpen review show {review.id[:8]}`)"
            )
        row = "SELECT owner, lease FROM redpen_reviews WHERE id = :id"
        holder, lease = self._database.execute(row, {"id": review.id}).rows[0]
        owner, now = new_owner(), self._now()
        if review.resumed == "running" and holder is not None:
            alive = is_alive(holder)
            if alive or (alive is None and (lease or "") > time_text(now)):
                raise BusyRunError(
                    f"review {review.id[:8]}: another process is resuming its run ({_who(holder)})"
                )
        values = {"id": review.id, "owner": owner, "held": holder or "", "lease": _lease(now)}
        if not self._database.execute(_CLAIM, values).changed:
            raise BusyRunError(
                f"review {review.id[:8]}: another process is resuming its run, or has resumed it"
            )
        return Claim(review=self.get(review.id), owner=owner)

    def release(self, claim: Claim) -> None:
        """Release the claim of a run that has not ended; raises DatabaseError."""
        self._database.execute(_RELEASE, {"id": claim.review.id, "owner": claim.owner})

    def complete(self, claim: Claim, result: Mapping[str, Any]) -> None:
        """Store the result of a resumed run, and end its claim.

        Raises:
            BusyRunError: another process has taken over the run.
            DatabaseError: the result cannot be stored.
        """
        text = json.dumps(result, separators=(",", ":"))
        values = {"id": claim.review.id, "owner": claim.owner, "result": text}
        if not self._database.execute(_COMPLETE, values).changed:
            raise _taken_over_error(claim)

    def start_entry(self, claim: Claim, entry: JournalEntry) -> None:
        """Store a new entry of a resumed run, ``started`` or ``finished``; raises as ``complete`` does."""
        with self._database.transaction() as transaction:
            self._renew(transaction, claim)
            transaction.execute(_ADD_ENTRY, _entry_values(claim.review.run_id, entry))

    def restart_entry(self, claim: Claim, entry: JournalEntry) -> None:
        """Store that a call is started once more; raises as ``complete`` does."""
        self._change_entry(_RESTART_ENTRY, claim, entry)

    def finish_entry(self, claim: Claim, entry: JournalEntry) -> None:
        """Store the answer of a started call; raises as ``complete`` does."""
        self._change_entry(_FINISH_ENTRY, claim, entry)

    def _change_entry(self, statement: str, claim: Claim, entry: JournalEntry) -> None:
        values = _entry_values(claim.review.run_id, entry)
        del values["state"]
        with self._database.transaction() as transaction:
            self._renew(transaction, claim)
            if not transaction.execute(statement, values).changed:
                raise _taken_over_error(claim)

    def _renew(self, transaction: Transaction, claim: Claim) -> None:
        values = {"id": claim.review.id, "owner": claim.owner, "lease": _lease(self._now())}
        if not transaction.execute(_RENEW, values).changed:
            raise _taken_over_error(claim)

    def _rows(self, where: str, values: Mapping[str, str | int]) -> list[Review | ReviewError]:
        select = f"SELECT {REVIEW_COLUMNS} FROM redpen_reviews {where}"  # noqa: S608 - both are constants of this package
        found = [self._review(row) for row in self._database.execute(select, values).rows]
        now = time_text(self._now())
        if not any(
            isinstance(one, Review) and one.status == "pending" and one.expires and one.expires <= now
            for one in found
        ):
            return found
        expiry = Decision(kind="expire", by=EXPIRY, time=now, reason="nobody decided in time")
        self._database.execute(_EXPIRE, {"now": now, "decision": as_text(expiry)})
        return [self._review(row) for row in self._database.execute(select, values).rows]

    def _review(self, row: tuple[Any, ...]) -> Review | ReviewError:
        try:
            return read_review(row, shown=self.shown)
        except ReviewError as error:
            return error


def open_reviews(
    address: str,
    *,
    root: Path | None = None,
    expire_after_s: float | None = None,
    must_exist: bool = False,
    now: Callable[[], datetime] = utc_now,
) -> ReviewQueue:
    """Open a review queue for the ``review`` argument of an agent; it is created if missing.

    Args:
        address: ``sqlite:///PATH`` (with a fourth slash the path is absolute) or ``postgresql://…``, which
            needs the extra ``sql``.
        root: base folder of a relative path; by default the working directory.
        expire_after_s: time after which a new review counts as rejected, in seconds; None for never.
        must_exist: whether a missing database is an error; by default it is created.
        now: returns the current time.

    Raises:
        ConfigurationError: the address is invalid, or the database cannot be used.
    """
    database = open_database(address, TABLES, root=root)
    if must_exist:
        database.require()
    database.check()
    return ReviewQueue(database, expire_after_s=expire_after_s, now=now)


def _entry_values(run_id: str, entry: JournalEntry) -> dict[str, str | int]:
    return {"run": run_id, "step": entry.number, "state": entry.state, "entry": as_text(entry)}


def _lease(now: datetime) -> str:
    return time_text(now + timedelta(seconds=LEASE_S))


def _who(owner: str) -> str:
    parts = owner.split("/")
    return f"process {parts[1]}" if len(parts) > 1 else owner[:_SHOWN_CHARS]


def _taken_over_error(claim: Claim) -> BusyRunError:
    return BusyRunError(f"review {claim.review.id[:8]}: another process has taken over its run")
