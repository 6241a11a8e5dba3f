"""What was seen of a run: its calls, what no recording answered, what it left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from redpen_evals.cassettes.encoding import JsonBody, parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallResponse
from redpen_evals.cassettes.session import RecordingSession, ReplaySession
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.endpoint.dialects.by_path import dialect_of
from redpen_evals.endpoint.dialects.dialect import Dialect, find_problem
from redpen_evals.endpoint.forms import FaultReply, HttpReply, StatusReply
from redpen_evals.endpoint.rendering import render
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.evaluation.subject import Subject, recorded_model
from redpen_evals.network import NetworkGuard
from redpen_evals.records.model import CallState, RecordedCall, StaleCalls
from redpen_evals.stale.calls import change_origin, last_text, recorded_calls, stale_calls, volatile_hint
from redpen_evals.targets.run import Run

Kept = tuple[tuple[Call, float | None], ...]
"""Recorded calls that are still good, with their latencies in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What was seen of a run.

    Attributes:
        run: what it left behind.
        made: the calls that were made and answered, in order.
        phases: of its model calls, in order.
        calls: for the record.
        last_text: the last draft or revision that a model gave.
        attempts: to reach a network that was blocked.
        missed: requests that no recording answered, and replies that changed since, in words.
        stale: what has to be recorded again.
        unplayed: recorded calls that were never made, in words.
        refused: telemetry that was not sent, by service.
        warnings: what a person should look at in the recording that was made.
        command: what mends it.
        run_id: of the run in its events; empty where none are kept.
    """

    run: Run
    made: tuple[Call, ...] = ()
    phases: tuple[str, ...] = ()
    calls: tuple[RecordedCall, ...] = ()
    last_text: str | None = None
    attempts: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    stale: StaleCalls | None = None
    unplayed: tuple[str, ...] = ()
    refused: tuple[tuple[str, int], ...] = ()
    warnings: tuple[str, ...] = ()
    command: str | None = None
    run_id: str = ""


def observe_replay(
    subject: Subject,
    source: CassetteLocation,
    session: ReplaySession,
    run: Run,
    *,
    phases: Sequence[str],
    guard: NetworkGuard,
    root: Path | None = None,
) -> tuple[Observed, Kept]:
    """Return what was seen of a replayed run, and which recorded calls are still good.

    Args:
        subject: what was run.
        source: whose recording answered.
        session: that recording.
        run: what it left behind.
        phases: of its model calls.
        guard: that kept it from the network.
        root: folder of the project, in whose files the changed words are looked for.
    """
    cassette = session.cassette
    mismatch = cassette.misses[0].explain() if cassette.misses else None
    missed = tuple(miss.explain().text for miss in cassette.misses[1:])
    changed: dict[int, str] = {}
    origin = ""
    if mismatch is not None:
        origin = change_origin(mismatch, root) if root is not None else ""
        message = f"changed in {origin}" if origin else volatile_hint(mismatch)
        text = f"{mismatch.text}\n  {message}" if message else mismatch.text
        missed = (text, *missed)
    elif source.kind == "scripted":
        changed = outdated_calls(subject.case.scenario.replies, cassette.calls)
        missed = tuple(
            f"call {at} of {len(cassette.calls)} ({cassette.calls[at - 1].phase}): {what}"
            for at, what in changed.items()
        )
    stale = None
    if missed:
        stale = stale_calls(
            mismatch,
            changed,
            cassette.calls,
            subject.variant.prompts,
            origin=origin,
            model=recorded_model(subject.case, subject.variant),
        )
    observed = Observed(
        run=run,
        made=cassette.made,
        phases=tuple(phases),
        calls=recorded_calls(
            cassette.calls, states=["replayed"] * len(phases), latencies_ms=_latencies(session)
        ),
        last_text=last_text(cassette.calls),
        attempts=attempts(guard),
        missed=missed,
        stale=stale,
        unplayed=tuple(
            f"recorded call {call.index} ({call.phase}) was never made" for call in cassette.unplayed
        ),
        command=subject.location.record_command("stale"),
    )
    first = stale.calls[0].position if stale and stale.calls else len(cassette.calls) + 1
    latencies = (_latencies(session) + [None] * first)[: first - 1]
    return observed, tuple(zip(cassette.calls[: first - 1], latencies, strict=False))


def observe_recording(session: RecordingSession, run: Run, *, phases: Sequence[str]) -> Observed:
    """Return what was seen of a run that was recorded."""
    cassette = session.cassette
    states: list[CallState] = ["replayed"] * cassette.kept_calls
    states += ["recorded"] * (len(cassette.calls) - len(states))
    latencies = cassette.latencies_ms if session.location.kind == "live" else ()
    return Observed(
        run=run,
        made=cassette.made,
        phases=tuple(phases),
        calls=recorded_calls(cassette.calls, states=states, latencies_ms=latencies),
        last_text=last_text(cassette.calls),
        warnings=tuple(session.warnings),
    )


def attempts(guard: NetworkGuard) -> tuple[str, ...]:
    """Return in words what a guard has blocked."""
    return tuple(
        f"reached for the network: {attempt.event} to {attempt.target}" for attempt in guard.attempts
    )


def _latencies(session: ReplaySession) -> list[float | None]:
    found = session.recorded.get("latency_ms")
    if not isinstance(found, list):
        return []
    return [float(one) if isinstance(one, (int, float)) else None for one in found]


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
        match = next((at for at in tries if asked.still_matches(served[at], call.response, at + 1)), None)
        if match is None:
            outdated[position] = "the scenario's reply has changed since it was recorded"
        taken = (taken if match is None else match) + 1
    return outdated


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A request that a reply answers, and the API that it is in."""

    dialect: Dialect
    body: Mapping[str, Any]

    def still_matches(self, reply: ScriptedReply, recorded: CallResponse | CallFailure, number: int) -> bool:
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
