"""The review queue: stores questions for reviewers, and the state with which their runs can be resumed.

``open_reviews("sqlite:///reviews.db")`` returns the ``review`` argument of an agent. A run that needs a
decision stops with ``pending_review``; ``redpen.decide_review`` decides, ``redpen.resume_run`` resumes it.
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
from redpen.review.queue import Outcome, ReviewQueue, open_reviews
from redpen.review.reviewed_run import PendingReview, ReviewedRun

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
