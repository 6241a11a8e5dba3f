"""Opens the journal of a run that may ask a reviewer."""

from __future__ import annotations

from typing import Final, TypeAlias

from redpen.agents.run import Run
from redpen.bounded_call import CallFailed, CallTimedOut, TooManyHungCalls, call_in_time
from redpen.chat import Chat, ChatClient
from redpen.errors import InvalidInputError, Stop
from redpen.judges import Judge
from redpen.policy import GuardedPolicy, TextPolicy
from redpen.policy.model import digest, policy_digest
from redpen.prompts import PromptSet, base_prompts
from redpen.review.errors import StaleRunError
from redpen.review.journal import Journal, Reviewer
from redpen.review.model import Decision, Question, RunStart
from redpen.review.queue import ReviewQueue, open_reviews
from redpen.types import AgentName, JsonObject

ReviewPlace: TypeAlias = ReviewQueue | str | Reviewer | Journal
"""The ``review`` argument of an agent: a queue or its address, a callable that decides at once, or the
journal of a resumed run."""

_AGAIN: Final = "start the run again"
_DEFAULT_REVIEWER: Final = "reviewer"


def open_journal(review: ReviewPlace | None, start: RunStart, run: Run) -> None:
    """Open the journal for the ``review`` argument of a run.

    Args:
        review: the argument of the agent; with None the run has no journal.
        start: the inputs of the run.
        run: the run that gets the journal.

    Raises:
        StaleRunError: the run is resumed with other inputs than it was started with.
        InvalidInputError: ``review`` is of no such type, or not an address.
        ConfigurationError: the database cannot be used.
    """
    if isinstance(review, Journal):
        _compare(review.start, start)
        run.use_journal(review)
        return
    run_id = run.events.run_id
    if isinstance(review, str):
        run.use_journal(Journal(run_id=run_id, start=start, queue=open_reviews(review), closes_queue=True))
    elif isinstance(review, ReviewQueue):
        run.use_journal(Journal(run_id=run_id, start=start, queue=review))
    elif callable(review):
        reviewer = _with_time_limit(review, run)
        run.use_journal(Journal(run_id=run_id, start=start, reviewer=reviewer))
    elif review is not None:
        raise InvalidInputError(
            "review: has to be a queue of redpen.review.open_reviews, its address, or a callable that decides"
        )


def run_id_of(review: ReviewPlace | None) -> str | None:
    """Return the id of a resumed run; None for a new one."""
    return review.run_id if isinstance(review, Journal) else None


def run_start(
    agent: AgentName,
    *,
    given: JsonObject,
    policy: TextPolicy | GuardedPolicy,
    prompts: PromptSet | None,
    chat: Chat | None,
    judge: Judge | None = None,
    own: tuple[str, ...] = (),
) -> RunStart:
    """Return the inputs of a run, as a review stores them.

    Args:
        agent: name of the agent.
        given: goal, and the incident context or request.
        policy: policy of the run.
        prompts: prompts of the run; by default the base prompts.
        chat: the model; None if the run calls none.
        judge: judge of the run.
        own: names of the caller's own parts: ``tools``, ``planner``, ``gate``.
    """
    asked = () if chat is None else tuple(prompts or base_prompts())
    return RunStart(
        agent=agent,
        given=given,
        policy=policy.model_dump(mode="json"),
        policy_hash=policy_digest(policy),
        prompts={one.name: {"version": one.version, "hash": one.hash} for one in asked} or None,
        prompts_hash=digest([(one.name, one.hash) for one in asked]) if asked else None,
        judge=None
        if judge is None
        else {"name": judge.path.stem, "version": judge.version, "hash": judge.hash},
        model=chat.model if isinstance(chat, ChatClient) else None,
        own=own,
    )


def _compare(before: RunStart, now: RunStart) -> None:
    if before.policy_hash != now.policy_hash:
        changed = f"{before.policy_hash} -> {now.policy_hash}"
        raise StaleRunError(f"the policy has changed since the run stopped ({changed}); {_AGAIN}")
    if (before.prompts is None) != (now.prompts is None):
        raise StaleRunError(
            f"the run was started {'without' if before.prompts is None else 'with'} a model; {_AGAIN}"
        )
    for name, prompt in (before.prompts or {}).items():
        other = (now.prompts or {}).get(name, {"version": "none", "hash": "none"})
        if other["hash"] != prompt["hash"]:
            changed = f"{prompt['version']} {prompt['hash']} -> {other['version']} {other['hash']}"
            raise StaleRunError(
                f"the prompt of `{name}` has changed since the run stopped ({changed}); {_AGAIN}"
            )
    ours, theirs = (one.judge["hash"] if one.judge else "none" for one in (before, now))
    if ours != theirs:
        raise StaleRunError(f"the judge has changed since the run stopped ({ours} -> {theirs}); {_AGAIN}")


def _with_time_limit(reviewer: Reviewer, run: Run) -> Reviewer:
    """Return a reviewer that is called within the run's time limit; an exception approves nothing."""

    def decide(question: Question) -> Decision:
        try:
            decision = call_in_time(
                lambda: Decision.model_validate(reviewer(question)), name="reviewer", seconds=run.left_s()
            )
        except CallTimedOut as error:
            raise Stop("max_seconds", phase=question.phase) from error
        except (CallFailed, TooManyHungCalls, RuntimeError):
            return Decision(kind="reject", by=_DEFAULT_REVIEWER, reason="the reviewer failed")
        return decision

    return decide
