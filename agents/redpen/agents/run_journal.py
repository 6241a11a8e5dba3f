"""Starts a run, with a journal if it can ask a reviewer."""

from __future__ import annotations

from typing import Final, TypeAlias

from redpen.agents.run import Clock, Run
from redpen.agents.run_events import Events, open_stream
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

ReviewArgument: TypeAlias = ReviewQueue | str | Reviewer | Journal
"""The ``review`` argument of an agent: a queue, its address, a callable that decides at once, or the journal
of a resumed run."""

_RESTART_HINT: Final = "start the run again"
_DEFAULT_REVIEWER: Final = "reviewer"


def start_run(  # noqa: PLR0913 - one parameter for each input of a run
    agent: AgentName,
    *,
    given: JsonObject,
    policy: TextPolicy | GuardedPolicy,
    prompts: PromptSet | None,
    chat: Chat | None,
    judge: Judge | None = None,
    own: tuple[str, ...] = (),
    clock: Clock,
    events: Events | None,
    review: ReviewArgument | None,
) -> Run:
    """Start a run with its clock, event stream and journal.

    Args:
        agent: name of the agent.
        given: goal, and the incident context or request.
        policy: policy of the run.
        prompts: prompts of the run; by default the base prompts.
        chat: the model; None if the run calls no model.
        judge: judge of the run.
        own: names of the custom parts of the run, of ``tools``, ``planner`` and ``gate``.
        clock: monotonic clock, in seconds.
        events: event log of the run.
        review: the ``review`` argument of the agent; None for a run without a journal.

    Raises:
        StaleRunError: an input of a resumed run differs from the one that it was started with.
        InvalidInputError: ``review`` has none of these types.
        ConfigurationError: ``review`` is not a valid address, or the database cannot be used.
    """
    run_id = review.run_id if isinstance(review, Journal) else None
    stream = open_stream(events, agent=agent, policy=policy, prompts=prompts, chat=chat, run_id=run_id)
    run = Run(max_seconds=policy.max_seconds, clock=clock, events=stream)
    if review is None:
        return run
    used_prompts = () if chat is None else tuple(prompts or base_prompts())
    start = RunStart(
        agent=agent,
        given=given,
        policy=policy.model_dump(mode="json"),
        policy_hash=policy_digest(policy),
        prompts={one.name: {"version": one.version, "hash": one.hash} for one in used_prompts} or None,
        prompts_hash=digest([(one.name, one.hash) for one in used_prompts]) if used_prompts else None,
        judge=None
        if judge is None
        else {"name": judge.path.stem, "version": judge.version, "hash": judge.hash},
        model=chat.model if isinstance(chat, ChatClient) else None,
        own=own,
    )
    run.attach_journal(_journal(review, start, run))
    return run


def _journal(review: ReviewArgument, start: RunStart, run: Run) -> Journal:
    run_id = run.events.run_id
    if isinstance(review, Journal):
        _compare(review.start, start)
        return review
    if isinstance(review, str):
        return Journal(run_id=run_id, start=start, queue=open_reviews(review), closes_queue=True)
    if isinstance(review, ReviewQueue):
        return Journal(run_id=run_id, start=start, queue=review)
    if callable(review):
        return Journal(run_id=run_id, start=start, reviewer=_with_time_limit(review, run))
    raise InvalidInputError(
        "review: must be a queue from redpen.review.open_reviews, its address, or a callable that decides"
    )


def _compare(before: RunStart, now: RunStart) -> None:
    if before.policy_hash != now.policy_hash:
        changed = f"{before.policy_hash} -> {now.policy_hash}"
        raise StaleRunError(f"the policy has changed since the run stopped ({changed}); {_RESTART_HINT}")
    if (before.prompts is None) != (now.prompts is None):
        raise StaleRunError(
            f"the run was started {'without' if before.prompts is None else 'with'} a model; {_RESTART_HINT}"
        )
    for name, prompt in (before.prompts or {}).items():
        other = (now.prompts or {}).get(name, {"version": "none", "hash": "none"})
        if other["hash"] != prompt["hash"]:
            changed = f"{prompt['version']} {prompt['hash']} -> {other['version']} {other['hash']}"
            raise StaleRunError(
                f"the prompt `{name}` has changed since the run stopped ({changed}); {_RESTART_HINT}"
            )
    old, new = (start.judge["hash"] if start.judge else "none" for start in (before, now))
    if old != new:
        raise StaleRunError(f"the judge has changed since the run stopped ({old} -> {new}); {_RESTART_HINT}")


def _with_time_limit(reviewer: Reviewer, run: Run) -> Reviewer:
    """Return a reviewer that is called within the run's time limit, and rejects if it raises."""

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
