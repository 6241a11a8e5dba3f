"""`ReviewedRun`: runs of custom agents that wait for a review and resume from their journal."""

from __future__ import annotations

import pytest

from redpen import decide_review, resume_run
from redpen.errors import InvalidInputError
from redpen.review import Decision, PendingReview, ReviewedRun, ReviewError, StaleRunError

APPROVE = Decision(kind="approve", by="ann")


class Support:
    """An agent that asks a model, asks a reviewer, and sends."""

    def __init__(self, prompt="Write to the customer."):
        self.prompt = prompt
        self.asked = 0
        self.sent = []

    def ask(self, _key):
        self.asked += 1
        return f"Draft {self.asked} about order 81."

    def send(self, key):
        self.sent.append(key)
        return {"id": len(self.sent)}

    def answer(self, run, **options):
        draft = run.step("model", "draft", {"prompt": self.prompt, "order": run.given["order"]}, self.ask)
        decision = run.ask_person(original=draft, reason="a refund is promised")
        if decision.kind != "reject":
            run.step("tool", "send", {"text": decision.text or draft}, self.send, **options)
        run.finish({"decision": decision.kind, "sent": len(self.sent)})


@pytest.fixture
def support():
    return Support()


@pytest.fixture
def pending(queue, support):
    with (
        pytest.raises(PendingReview) as caught,
        ReviewedRun(queue, agent="support", given={"order": 81}) as run,
    ):
        support.answer(run)
    return caught.value.review_id


def test_run_resumes_from_its_journal(queue, support, pending):
    review = queue.get(pending)
    assert (review.agent, review.shown, review.start.given) == (
        "support",
        "Draft 1 about order 81.",
        {"order": 81},
    )
    decide_review(queue, pending, APPROVE)
    with ReviewedRun(queue, review=pending) as run:
        support.answer(run)
    assert (support.asked, len(support.sent)) == (1, 1)
    assert support.sent[0].startswith(f"{review.run_id}:")
    assert (queue.get(pending).resumed, queue.result(pending)) == ("done", {"decision": "approve", "sent": 1})


def test_pending_run_cannot_be_resumed(queue, pending):
    with pytest.raises(ReviewError, match="is pending"):
        ReviewedRun(queue, review=pending)


def test_failed_run_can_be_resumed_again(queue, support, pending):
    decide_review(queue, pending, APPROVE)
    for _ in range(2):
        with pytest.raises(LookupError), ReviewedRun(queue, review=pending):
            raise LookupError
    with ReviewedRun(queue, review=pending) as run:
        support.answer(run)
    assert len(support.sent) == 1


def test_failed_call_with_unknown_outcome_asks_for_review(queue, support, pending):
    decide_review(queue, pending, APPROVE)

    def send_and_fail(key):
        Support.send(support, key)
        raise ConnectionResetError

    support.send = send_and_fail
    with pytest.raises(ConnectionResetError), ReviewedRun(queue, review=pending) as run:
        support.answer(run)
    with pytest.raises(PendingReview) as caught, ReviewedRun(queue, review=pending) as run:
        support.answer(run)
    unknown = caught.value.review_id
    assert queue.get(unknown).code == "tool_outcome_unknown:send"
    decide_review(queue, unknown, Decision(kind="edit", by="bob", answer={"id": 1}))
    with ReviewedRun(queue, review=unknown) as run:
        support.answer(run)
    assert len(support.sent) == 1


def test_repeatable_call_is_retried_with_the_same_key(queue, support, pending):
    decide_review(queue, pending, APPROVE)
    send = support.send

    def send_and_fail(key):
        send(key)
        raise ConnectionResetError

    support.send = send_and_fail
    with pytest.raises(ConnectionResetError), ReviewedRun(queue, review=pending) as run:
        support.answer(run, is_repeatable=True)
    support.send = send
    with ReviewedRun(queue, review=pending) as run:
        support.answer(run, is_repeatable=True)
    assert len(support.sent) == 2
    assert len(set(support.sent)) == 1


def test_changed_code_raises_stale_run(queue, pending):
    decide_review(queue, pending, APPROVE)
    match = "the request of `draft` has changed since the run stopped"
    with pytest.raises(StaleRunError, match=match), ReviewedRun(queue, review=pending) as run:
        Support("Be brief.").answer(run)
    with pytest.raises(StaleRunError, match="no longer reaches"), ReviewedRun(queue, review=pending) as run:
        run.finish({})
    with (
        pytest.raises(StaleRunError, match="asks a reviewer where"),
        ReviewedRun(queue, review=pending) as run,
    ):
        run.ask_person(original="x", reason="y")


def test_non_json_step_values_are_rejected(queue):
    with ReviewedRun(queue, agent="support") as run:
        with pytest.raises(InvalidInputError, match="draft: the answer is not valid JSON"):
            run.step("model", "draft", {}, lambda _: object())
        with pytest.raises(InvalidInputError, match="draft: object is not a JSON value"):
            run.step("model", "draft", {"x": object()}, lambda _: "x")
    with pytest.raises(InvalidInputError, match="give an agent for a new run, or a review"):
        ReviewedRun(queue)


def test_resume_run_rejects_run_of_own_agent(queue, pending):
    decide_review(queue, pending, APPROVE)
    with pytest.raises(
        InvalidInputError, match=r"an agent of your own: call the agent again, with redpen\.review"
    ):
        resume_run(queue, pending)
