"""Whether a scripted recording still says what its scenario scripts."""

from __future__ import annotations

from collections.abc import Sequence

from redpen_evals.cassettes.encoding import JsonBody, parse_body
from redpen_evals.cassettes.file import Call, CallFailure
from redpen_evals.endpoint.completion import render
from redpen_evals.endpoint.forms import FaultReply, HttpReply
from redpen_evals.endpoint.replies import ScriptedReply


def outdated_calls(replies: Sequence[ScriptedReply], calls: Sequence[Call]) -> dict[int, str]:
    """Return what has changed in a script since it was recorded, by position of the call, from 1.

    Args:
        replies: what the scenario scripts.
        calls: what its cassette holds.
    """
    served = (reply for reply in replies for _ in range(reply.times))
    return {
        number: "the scenario's reply has changed since it was recorded"
        for number, (reply, call) in enumerate(zip(served, calls, strict=False), start=1)
        if not _still_says(reply, call, number)
    }


def _still_says(reply: ScriptedReply, call: Call, number: int) -> bool:
    recorded = call.response
    if isinstance(recorded, CallFailure):
        # A reply that comes too late is recorded as a failure, like one that breaks the connection.
        return isinstance(reply, FaultReply) or reply.delay_s > 0
    if not isinstance(reply, HttpReply):
        return False
    if any(name.lower() == "content-encoding" for name in reply.headers):
        return True
    asked = call.request.body.value if isinstance(call.request.body, JsonBody) else None
    request = asked if isinstance(asked, dict) else {}
    response = render(reply, call=number, request=request, model="scripted")
    return response.status == recorded.status and parse_body(response.body) == recorded.body
