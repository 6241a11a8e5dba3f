"""User-defined agents that wait for a reviewer; they are called again after the scenario's decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from redpen.review import PendingReview
from redpen_evals.errors import TargetError
from redpen_evals.targets.binding import Call, takes
from redpen_evals.targets.run import Raised, Run
from redpen_evals.targets.scripted_reviews import open_scripted_reviews
from redpen_evals.targets.turns import converse

QUEUE: Final = "reviews"
"""Parameter that gets the queue of the run."""
DECIDED: Final = "review"
"""Parameter that gets the id of the decided review when the agent is called again; None before."""
_PENDING: Final = "pending_review"


def run_reviewed(call: Call, target: Callable[..., Any], ask: Callable[[Mapping[str, Any]], Any]) -> Run:
    """Call an agent, and again after each decision that it waits for.

    It waits for one if it raises ``redpen.review.PendingReview``, or returns ``stop_reason:
    pending_review`` and ``review_id``, as the built-in agents do.

    Args:
        ask: calls it with further arguments by name, and returns its return value or a ``Raised``.

    Raises:
        TargetError: it takes no queue, or a decision does not fit the review.
    """
    if missing := [name for name in (QUEUE, DECIDED) if not takes(target, name)]:
        raise TargetError(
            "review",
            f"the agent has no parameter {' and no parameter '.join(map(repr, missing))}: {QUEUE!r} gets "
            f"the queue (redpen.review.ReviewQueue), {DECIDED!r} the id of the decided review when the agent "
            "is called again (None before)",
        )
    with open_scripted_reviews(call.scenario.review or []) as reviews:

        def ask_until_decided(given: Mapping[str, Any]) -> Any:
            returned = ask({**given, QUEUE: reviews.queue, DECIDED: None})
            while (review_id := _waits_for(returned)) is not None and reviews.decide(review_id):
                returned = ask({**given, QUEUE: reviews.queue, DECIDED: review_id})
            if isinstance(returned, Raised) and isinstance(returned.error, PendingReview):
                # The id of a review differs in each run.
                return replace(returned, message="a review is pending")
            return returned

        run = converse(call, ask_until_decided)
        decided = reviews.decisions()
        result = {**run.result, "reviews": decided} if decided else run.result
        return replace(run, result=result, decisions_left=len(reviews.unused))


def _waits_for(returned: Any) -> str | None:
    """Return the id of the review that an agent waits for; None if it has ended."""
    if isinstance(returned, Raised):
        return returned.error.review_id if isinstance(returned.error, PendingReview) else None
    values = returned if isinstance(returned, Mapping) else getattr(returned, "__dict__", {})
    review_id = values.get("review_id")
    return review_id if values.get("stop_reason") == _PENDING and isinstance(review_id, str) else None
