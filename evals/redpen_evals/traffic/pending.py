"""The request whose real answer is being waited for: recorded as an answer, a failure, or not at all."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from redpen.errors import RedpenError
from redpen_evals.traffic.bodies import MAX_RESPONSE_BYTES
from redpen_evals.traffic.libraries import named_failure
from redpen_evals.traffic.router import ROUTER, Seen

PENDING: Final[ContextVar[Seen | None]] = ContextVar("redpen_pending_request", default=None)
"""None while nothing is being recorded by the code at hand."""


class UnrecordableError(RedpenError):
    """A response that cannot be recorded: it does not end, or is too large."""


def note_failure(error: BaseException) -> None:
    """Record that the pending request failed."""
    seen = PENDING.get()
    PENDING.set(None)
    if seen is None or isinstance(error, UnrecordableError):
        return
    if failure := named_failure(error):
        ROUTER.record_failure(seen, failure)


def within_bounds(size: int) -> None:
    """Check the response that is being recorded; raises UnrecordableError if it is too large or too slow."""
    seen = PENDING.get()
    if seen is None:
        return
    problem = ""
    if size > MAX_RESPONSE_BYTES:
        problem = f"is larger than {MAX_RESPONSE_BYTES:,} bytes"
    elif seen.scope.is_overdue:
        problem = "had not ended when the run's time was over"
    if problem:
        said = f"unrecordable: the response of {seen.request.method} {seen.request.uri} {problem}"
        seen.scope.report(said)
        raise UnrecordableError(said)
