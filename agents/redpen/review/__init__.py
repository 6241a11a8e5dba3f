"""Decisions that outlive a run: what it asks a person is kept, and so is what it needs to go on.

``open_reviews("sqlite:///reviews.db")`` gives what an agent takes as ``review``. A run that needs a person
then stops with ``pending_review``; ``redpen.decide_review`` decides, ``redpen.resume_run`` has it go on.
"""

from redpen.review.errors import (
    BusyRunError,
    NotDecidedError,
    RefusedDecisionError,
    ReviewError,
    StaleRunError,
    UnknownReviewError,
)
from redpen.review.model import (
    Decision,
    JournalEntry,
    Override,
    Question,
    Review,
    RunStart,
    review_schema,
)
from redpen.review.own import PendingReview, ReviewedRun
from redpen.review.queue import Outcome, ReviewQueue, open_reviews

__all__ = [
    "BusyRunError",
    "Decision",
    "JournalEntry",
    "NotDecidedError",
    "Outcome",
    "Override",
    "PendingReview",
    "Question",
    "RefusedDecisionError",
    "Review",
    "ReviewError",
    "ReviewQueue",
    "ReviewedRun",
    "RunStart",
    "StaleRunError",
    "UnknownReviewError",
    "open_reviews",
    "review_schema",
]
