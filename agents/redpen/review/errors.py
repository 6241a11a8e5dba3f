"""What can be wrong with a review, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redpen.errors import RedpenError


class ReviewError(RedpenError):
    """Base of what is raised about a review."""


class UnknownReviewError(ReviewError):
    """No review has this id, or several begin with it."""


class NotDecidedError(ReviewError):
    """The review is still pending, so that its run cannot go on."""


class BusyRunError(ReviewError):
    """Another process resumes the run, or has taken over from this one."""


class StaleRunError(ReviewError):
    """What the run was started with has changed, so that its recorded answers no longer belong to it."""


class RefusedDecisionError(ReviewError):
    """What a reviewer wrote is not allowed; the review stays pending.

    Attributes:
        stop_reason: with which the run would stop.
        findings: what the guards found, as in results; empty where the gate refused.
        policy_code: of the rule, risk or gate that refused an action; None for a text.
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
