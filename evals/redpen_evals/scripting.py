"""Whether a scripted recording still says what its scenario scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from redpen_evals.cassettes.encoding import JsonBody, parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallResponse
from redpen_evals.endpoint.dialects.by_path import dialect_of
from redpen_evals.endpoint.dialects.dialect import Dialect, find_problem
from redpen_evals.endpoint.forms import FaultReply, HttpReply, StatusReply
from redpen_evals.endpoint.rendering import render
from redpen_evals.endpoint.replies import ScriptedReply

_RETRIED_STATUSES: Final = frozenset({408, 409, 429})
_FIRST_SERVER_ERROR_STATUS: Final = 500


def outdated_calls(replies: Sequence[ScriptedReply], calls: Sequence[Call]) -> dict[int, str]:
    """Return what has changed in a script since it was recorded, by position of the call, from 1.

    Calls that no reply answers, such as those of an agent's tools, are passed over.

    Args:
        replies: what the scenario scripts.
        calls: what its cassette holds.
    """
    served = [reply for reply in replies for _ in range(reply.times)]
    outdated: dict[int, str] = {}
    taken = 0
    for position, call in enumerate(calls, start=1):
        asked = _asked(call)
        if asked is None:
            continue
        if taken == len(served):
            # Recorded anew, the script would have no answer to it.
            outdated[position] = "the scenario scripts no reply to it any more"
            continue
        tries = range(taken, _last_try(served, taken) + 1)
        said = next((at for at in tries if asked.still_says(served[at], call.response, at + 1)), None)
        if said is None:
            outdated[position] = "the scenario's reply has changed since it was recorded"
        taken = (taken if said is None else said) + 1
    return outdated


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A request that a reply answers, and the API that it is in."""

    dialect: Dialect
    body: Mapping[str, Any]

    def still_says(self, reply: ScriptedReply, recorded: CallResponse | CallFailure, number: int) -> bool:
        if isinstance(recorded, CallFailure):
            # A reply that comes too late is recorded as a failure, like one that breaks the connection.
            return isinstance(reply, FaultReply) or reply.delay_s > 0
        if not isinstance(reply, HttpReply):
            return False
        if any(name.lower() == "content-encoding" for name in reply.headers):
            return True
        response = render(reply, dialect=self.dialect, call=number, request=self.body, model="scripted")
        return response.status == recorded.status and parse_body(response.body) == recorded.body


def _asked(call: Call) -> _Asked | None:
    dialect = dialect_of(urlsplit(call.request.url).path) if call.request.method == "POST" else None
    body = call.request.body.value if isinstance(call.request.body, JsonBody) else None
    if dialect is None or not isinstance(body, dict) or find_problem(dialect, body) is not None:
        return None
    return _Asked(dialect=dialect, body=body)


def _last_try(served: Sequence[ScriptedReply], first: int) -> int:
    """Return which reply ends the tries of one call, at the latest.

    Of the tries that a client makes of one call the cassette keeps the last.
    """
    last = first
    while last + 1 < len(served) and _may_be_retried(served[last]):
        last += 1
    return last


def _may_be_retried(reply: ScriptedReply) -> bool:
    if isinstance(reply, StatusReply):
        return reply.status in _RETRIED_STATUSES or reply.status >= _FIRST_SERVER_ERROR_STATUS
    return isinstance(reply, FaultReply) or reply.delay_s > 0
