"""The exceptions of the review queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redpen.errors import RedpenError


class ReviewError(RedpenError):
    """Base of the exceptions of the review queue."""


class UnknownReviewError(ReviewError):
    """No review has this id, or several reviews have an id with this prefix."""


class NotDecidedError(ReviewError):
    """The review is still pending, so its run cannot be resumed."""


class BusyRunError(ReviewError):
    """Another process resumes the run, or has taken it over."""


class StaleRunError(ReviewError):
    """An input of the run has changed since it was started, so its recorded answers no longer apply."""


class RefusedDecisionError(ReviewError):
    """The content that the reviewer approved or wrote is not allowed; the review stays pending.

    Attributes:
        stop_reason: stop reason that the run would have.
        findings: findings of the guards, as in results; empty if the gate rejected an action.
        policy_code: code with which the gate rejected an action; None for a text.
    """

    def __init__(
        self,
        message: str,
        *,
        stop_reason: str,
        findings: Sequence[Mapping[str, Any]] = (),
        policy_code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.stop_reason = stop_reason
        self.policy_code = policy_code
        self.findings = tuple(findings)
