"""The cassette object for vcrpy's stubs, which passes each request to the router."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

import vcr.patch as vcr_patch  # type: ignore[import-untyped]
from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]

from redpen.errors import RedpenError
from redpen_evals.cassettes.encoding import body_bytes, parse_body
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult
from redpen_evals.traffic.bodies import (
    MAX_RESPONSE_BYTES,
    UndecodableBodyError,
    request_bytes,
    unpacked,
)
from redpen_evals.traffic.libraries import Raiser, named_failure
from redpen_evals.traffic.router import ROUTER, Seen

PENDING: Final[ContextVar[Seen | None]] = ContextVar("redpen_pending_request", default=None)
"""None while the current code records nothing."""


class UnrecordableError(RedpenError):
    """A response that cannot be recorded: it does not end, or is too large."""


def note_failure(error: BaseException) -> None:
    """Record that the pending request failed."""
    seen = PENDING.get()
    PENDING.set(None)
    if seen is None or isinstance(error, UnrecordableError):
        return
    if failure := named_failure(error):
        seen.record(failure)


def within_bounds(size: int) -> None:
    """Check the response that is being recorded; raises UnrecordableError if it is too large or too slow."""
    seen = PENDING.get()
    if seen is None:
        return
    if size > MAX_RESPONSE_BYTES:
        problem = f"is larger than {MAX_RESPONSE_BYTES:,} bytes"
    elif seen.scope.is_overdue:
        problem = "had not ended when the run's time was over"
    else:
        return
    message = f"unrecordable: the response of {seen.request.method} {seen.request.url} {problem}"
    seen.scope.report(message)
    raise UnrecordableError(message)


Place = tuple[Any, str, Any]
"""An object, the name of an attribute, and the replacement."""

_DECISION: Final = "redpen_decision"


class Dispatch(Cassette):  # type: ignore[misc]
    """A proxy for the cassettes of all runs.

    Args:
        failure: returns the exception that the library raises for a recorded failure.
        groups: names of the vcrpy patchers that use it.
    """

    def __init__(self, failure: Raiser, groups: tuple[str, ...]) -> None:
        super().__init__("redpen", record_mode=RecordMode.ALL)
        self.skip_patchers = tuple(name for name in vcr_patch.PATCHER_NAMES if name not in groups)
        self._failure = failure

    @property
    def write_protected(self) -> bool:
        """Always false: requests that must not be sent are answered."""
        return False

    def can_play_response_for(self, request: Any) -> bool:
        """Decide once how a request is handled; some stubs ask twice."""
        if _DECISION not in request.__dict__:
            request.__dict__[_DECISION] = decision = ROUTER.answer(request)
            PENDING.set(decision if isinstance(decision, Seen) else None)
        return isinstance(request.__dict__[_DECISION], (CallResponse, CallFailure))

    def play_response(self, request: Any) -> dict[str, Any]:
        """Return the answer, or raise the recorded failure."""
        if not self.can_play_response_for(request):
            raise UnrecordableError(f"{request.method} {request.uri}: a redirect was not recorded")
        result: CallResult = request.__dict__[_DECISION]
        if isinstance(result, CallFailure):
            raise self._failure(result)
        return {
            "status": {"code": result.status, "message": http.client.responses.get(result.status, "")},
            "headers": {name: list(values) for name, values in result.headers.items()},
            "body": {"string": body_bytes(result.body)},
        }

    def append(self, request: Any, response: Any) -> None:
        """Record a real answer."""
        decision = request.__dict__.get(_DECISION)
        if decision is None and _DECISION not in request.__dict__:
            # A redirect that the library followed by itself.
            decision = ROUTER.answer(request)
        if isinstance(decision, Seen):
            PENDING.set(None)
            _record(decision, response)

    def find_requests_with_most_matches(self, _request: Any) -> list[Any]:
        """Leave the search to the run's own cassette."""
        return []

    def __len__(self) -> int:
        """Return that something may be played: stubs ask before they look."""
        return 1

    def __contains__(self, request: object) -> bool:
        """Return whether a request is answered."""
        return self.can_play_response_for(request)


def _record(seen: Seen, response: Mapping[str, Any]) -> None:
    headers: dict[str, tuple[str, ...]] = {}
    pairs = response["headers"]
    for name, values in pairs.items() if isinstance(pairs, Mapping) else pairs:
        earlier = headers.get(name.lower(), ())
        headers[name.lower()] = (*earlier, *([values] if isinstance(values, str) else values))
    try:
        packed = request_bytes(response["body"].get("string"))
        content = unpacked(packed, ",".join(headers.pop("content-encoding", ())))
    except UndecodableBodyError as error:
        request = seen.request
        seen.scope.report(f"unrecordable: the response of {request.method} {request.url}: {error}")
        return
    seen.record(CallResponse(status=response["status"]["code"], headers=headers, body=parse_body(content)))
