"""Decisions on reviews: the first one is final, repeating it is allowed, and reviews expire."""

from __future__ import annotations

import json
import multiprocessing

import pytest
from pydantic import ValidationError

from fault_campaigns.forked import can_fork, start_child, wait_for
from redpen.review import (
    Decision,
    JournalEntry,
    NotDecidedError,
    Question,
    RunStart,
    UnknownReviewError,
    open_reviews,
)
from redpen.types import LONGEST_EDIT

START = RunStart(agent="mailer", given={"order": 81})
QUESTION = Question(phase="review", original="We refund all.", reason="a refund is promised")


@pytest.fixture
def pending(queue):
    return queue.add(QUESTION, start=START, run_id="run-1", step=1)


def decided(queue, review, kind="approve", **content):
    return queue.decide(review.id, Decision(kind=kind, by=content.pop("by", "ann"), **content))


@pytest.mark.skipif(not can_fork(), reason="needs processes that start at once")
def test_concurrent_decisions_of_50_processes_give_one_winner(queue, pending, database_address, tmp_path):
    queue.close()
    barrier = multiprocessing.get_context("fork").Barrier(50)

    def decide(number):
        def work():
            mine = open_reviews(database_address)
            barrier.wait(60)
            outcome = mine.decide(pending.id, Decision(kind="approve", by=f"reviewer {number}"))
            reported = {"state": outcome.state, "by": outcome.review.decision.by, "message": outcome.message}
            (tmp_path / f"{number}.json").write_text(json.dumps(reported))

        return work

    children = [start_child(decide(number)) for number in range(50)]
    assert [wait_for(child) for child in children] == [0] * 50
    results = {number: json.loads((tmp_path / f"{number}.json").read_text()) for number in range(50)}
    (winner,) = [number for number, reported in results.items() if reported["state"] == "decided"]
    assert {reported["by"] for reported in results.values()} == {f"reviewer {winner}"}
    refused = [reported for reported in results.values() if reported["state"] == "refused"]
    assert len(refused) == 49
    assert all(f"was approved by reviewer {winner} at 20" in reported["message"] for reported in refused)
    assert queue.get(pending.id).decision.by == f"reviewer {winner}"


def test_repeated_decision_does_not_replace_the_first(queue, pending, clock):
    first = decided(queue, pending, reason="fine")
    clock.move(minutes=1)
    again = decided(queue, pending, reason="fine, as I said")
    assert (first.state, again.state) == ("decided", "repeated")
    assert again.review == first.review
    assert again.review.decision.time == "2026-03-06T12:00:00.000000Z"


@pytest.mark.parametrize(
    "other",
    [
        {"by": "bob"},
        {"kind": "reject"},
        {"kind": "edit", "text": "We refund some."},
    ],
)
def test_second_decision_is_refused_and_names_the_first_reviewer(queue, pending, other):
    decided(queue, pending)
    outcome = decided(queue, pending, **other)
    assert outcome.state == "refused"
    assert outcome.message == (
        f"review {pending.id[:8]} was approved by ann at 2026-03-06T12:00:00.000000Z; "
        "a review can only be decided once"
    )
    assert queue.get(pending.id).status == "approved"


def test_decision_is_stored(open_queue, pending, queue):
    edit = {"text": "We refund some.", "overrides": ({"code": "no_new_facts", "reason": "said so"},)}
    decided(queue, pending, "edit", reason="said so", **edit)
    kept = open_queue().get(pending.id)
    assert (kept.status, kept.decision.text, kept.decision.overrides[0].code) == (
        "edited",
        "We refund some.",
        "no_new_facts",
    )


def test_expired_review_stays_expired_when_clock_goes_back(open_queue, clock):
    queue = open_queue(expire_after_s=60)
    review = queue.add(QUESTION, start=START, run_id="run-1", step=1)
    clock.move(seconds=59)
    assert queue.get(review.id).status == "pending"
    clock.move(seconds=1)
    late = decided(queue, review)
    assert (late.state, late.review.status, late.review.decision.by) == ("refused", "expired", "expiry")
    clock.move(days=-1)
    assert [review.status for review in open_queue().reviews()] == ["expired"]
    assert decided(queue, review).state == "refused"


def test_decision_before_expiry_remains_valid(open_queue, clock):
    queue = open_queue(expire_after_s=60)
    review = queue.add(QUESTION, start=START, run_id="run-1", step=1)
    decided(queue, review)
    clock.move(days=1)
    assert [review.status for review in queue.reviews()] == ["approved"]


def test_reviews_are_listed_in_order_and_filtered(queue, clock):
    for number, agent in enumerate(("mailer", "support", "mailer")):
        start = START.model_copy(update={"agent": agent})
        queue.add(QUESTION, start=start, run_id=f"run-{number}", step=1)
        clock.move(seconds=1)
    first = queue.reviews()[0]
    decided(queue, first, "reject")
    assert [review.run_id for review in queue.reviews()] == ["run-0", "run-1", "run-2"]
    assert [review.run_id for review in queue.reviews("pending", agent="mailer")] == ["run-2"]
    assert [review.run_id for review in queue.reviews(run_id="run-1")] == ["run-1"]


def test_review_is_found_by_id_prefix(queue, pending):
    assert queue.get(pending.id[:8]) == pending
    assert queue.get(f" {pending.id.upper()} ") == pending


@pytest.mark.parametrize("asked", ["", "zz", "%", "_", "0' OR '1'='1", "\0", "f" * 5_000])
def test_unknown_id_error_names_list_command(queue, pending, asked):
    assert pending.status == "pending"
    with pytest.raises(UnknownReviewError, match="`redpen review list` shows them") as caught:
        queue.get(asked)
    assert len(str(caught.value)) < 500


def test_ambiguous_id_prefix_is_rejected(queue):
    reviews = [queue.add(QUESTION, start=START, run_id=f"run-{number}", step=1) for number in range(40)]
    starts = [review.id[0] for review in reviews]
    shared = next(start for start in starts if starts.count(start) > 1)
    with pytest.raises(UnknownReviewError, match=f"{starts.count(shared)} reviews begin with '{shared}'"):
        queue.get(shared)


def test_same_question_of_a_run_gives_the_same_review(queue, pending):
    assert queue.add(QUESTION, start=START, run_id="run-1", step=1) == pending
    assert len(queue.reviews()) == 1


def test_claim_of_pending_review_raises(queue, pending):
    with pytest.raises(NotDecidedError, match=r"is pending: decide it first \(`redpen review show"):
        queue.claim(pending.id)


def test_journal_round_trips_infinity_and_control_characters(queue):
    strange = {"n": float("inf"), "text": "a\0b\x1b[31m\u202e", "big": 10**40, "deep": [[[{}]]]}
    entry = JournalEntry(number=1, kind="tool", name="send", request_hash="x", answer=strange)
    queue.add(QUESTION, start=START, run_id="run-2", step=2, entries=[entry])
    assert queue.journal("run-2") == [entry]


@pytest.mark.parametrize(
    "content",
    [
        {"kind": "edit", "by": "ann"},
        {"kind": "edit", "by": "ann", "text": "x", "action": {}},
        {"kind": "approve", "by": "ann", "text": "x"},
        {"kind": "approve", "by": "ann", "overrides": [{"code": "no_new_facts", "reason": "so"}]},
        {"kind": "approve", "by": " "},
        {"kind": "approve", "by": "x" * 201},
        {"kind": "reject", "by": "ann", "reason": "x" * 2_001},
        {"kind": "edit", "by": "ann", "text": "x" * (LONGEST_EDIT + 1)},
        {"kind": "edit", "by": "ann", "text": "x", "overrides": [{"code": "no_new_facts", "reason": " "}]},
        {"kind": "publish", "by": "ann"},
    ],
)
def test_invalid_decision_is_rejected(content):
    with pytest.raises(ValidationError):
        Decision.model_validate(content)
