"""Observations of a run: its calls, misses, and result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from redpen_evals.cassettes.encoding import parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallResponse
from redpen_evals.cassettes.mismatch import body_changes
from redpen_evals.cassettes.session import RecordingSession, ReplaySession
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.endpoint.dialects.dialect import Dialect
from redpen_evals.endpoint.forms import FaultReply, HttpReply, StatusReply
from redpen_evals.endpoint.rendering import render
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.endpoint.scripted_calls import scripted_call
from redpen_evals.evaluation.subject import Subject, recorded_model
from redpen_evals.model_calls.reading import read_call
from redpen_evals.network import NetworkGuard
from redpen_evals.records.model import CallState, RecordedCall, StaleCalls
from redpen_evals.stale.calls import (
    ReplyChange,
    change_origin,
    last_text,
    recorded_calls,
    stale_calls,
    volatile_hint,
)
from redpen_evals.targets.run import Run
from redpen_evals.text_diff import replacement, word_diff
from redpen_evals.traffic.bodies import UndecodableBodyError, unpacked

Kept = tuple[tuple[Call, float | None], ...]
"""Recorded calls that are still valid, with their latencies in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What was observed of a run.

    Attributes:
        made: the calls that were made and answered, in order.
        missed: descriptions of requests without a recording, and of replies that have changed since.
        unplayed: descriptions of recorded calls that were never made.
        refused: number of blocked telemetry requests, by service.
        replies_left: scripted replies, the last of all, that the run did not ask for.
        warnings: what a person should check in the recording.
        run_id: id of the run in its events; empty if none are stored.
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
    replies_left: int = 0
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
    """Return what was observed of a replayed run, and the recorded calls that are still valid.

    The files below ``root`` are searched for the changed words.
    """
    cassette = session.cassette
    is_scripted = source.kind == "scripted"
    mismatch = cassette.misses[0] if cassette.misses else None
    script = compare_script(subject.case.scenario.replies if is_scripted else (), cassette.calls)
    changed = script.outdated if is_scripted else {}
    missed: tuple[str, ...] = ()
    origin = ""
    if mismatch is not None:
        if root is not None:
            origin = change_origin(mismatch, root, may_be_edited=is_scripted)
        hint = f"changed in {origin}" if origin else volatile_hint(mismatch)
        text = f"{mismatch.text}\n  {hint}" if hint else mismatch.text
        missed = (text, *(miss.text for miss in cassette.misses[1:]))
        # The requests after an edited reply differ because of it.
        changed = {position: change for position, change in changed.items() if position < mismatch.call}
    missed = (*_changed_texts(changed, cassette.calls), *missed)
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
            cassette.calls, states=["replayed"] * len(phases), latencies_ms=session.latencies_ms
        ),
        last_text=last_text(cassette.calls),
        attempts=attempts(guard),
        missed=missed,
        stale=stale,
        unplayed=tuple(
            f"recorded call {position} ({phase}) was never made" for position, phase in cassette.unplayed
        ),
        replies_left=script.left,
        warnings=session.warnings,
        command=subject.location.record_command("stale"),
    )
    valid = stale.calls[0].position - 1 if stale and stale.calls else len(cassette.calls)
    return observed, tuple(zip(cassette.calls, session.latencies_ms, strict=True))[:valid]


def _changed_texts(changed: Mapping[int, ReplyChange], calls: Sequence[Call]) -> Iterator[str]:
    for position, change in changed.items():
        head = f"call {position} of {len(calls)} ({calls[position - 1].phase}): {change.what}"
        yield f"{head}\n  {change.excerpt}" if change.excerpt else head


def observe_recording(
    session: RecordingSession, run: Run, *, phases: Sequence[str], replies_left: int = 0
) -> Observed:
    """Return what was observed of a recorded run."""
    cassette = session.cassette
    states: list[CallState] = ["replayed"] * cassette.kept_calls
    states += ["recorded"] * (len(cassette.calls) - len(states))
    is_live = session.location.kind == "live"
    latencies = cassette.latencies_ms if is_live else [None] * len(cassette.calls)
    return Observed(
        run=run,
        made=cassette.made,
        phases=tuple(phases),
        calls=recorded_calls(cassette.calls, states=states, latencies_ms=latencies),
        last_text=last_text(cassette.calls),
        replies_left=replies_left,
        warnings=tuple(session.warnings),
    )


def attempts(guard: NetworkGuard) -> tuple[str, ...]:
    """Describe the attempts that a guard has blocked."""
    return tuple(
        f"reached for the network: {attempt.event} to {attempt.target}" for attempt in guard.attempts
    )


_REPLY_CHANGED: Final = "the scenario's reply or the cassette file has changed"
_ENCODING: Final = "content-encoding"
_RETRIED_STATUSES: Final = frozenset({408, 409, 429})


class ScriptComparison(NamedTuple):
    """A script compared with a recording.

    Attributes:
        outdated: what differs, by position of the call, from 1.
        used: number of replies that the calls have used up, with those of tries before them.
        left: number of replies that they cannot have used, even if the last call was tried again.
    """

    outdated: dict[int, ReplyChange]
    used: int
    left: int


def compare_script(replies: Sequence[ScriptedReply], calls: Sequence[Call]) -> ScriptComparison:
    """Compare a script with a recording; calls that no script answers, such as of tools, are skipped."""
    served = [reply for reply in replies for _ in range(reply.times)]
    outdated: dict[int, ReplyChange] = {}
    used = most = 0
    for position, call in enumerate(calls, start=1):
        scripted = scripted_call(call)
        if scripted is None:
            continue
        if used == len(served):
            # A new recording would have no reply to it.
            outdated[position] = ReplyChange(what="the scenario no longer scripts a reply to it")
            continue
        tries = served[used : _last_try(served, used) + 1]
        numbered = enumerate(tries, start=used + 1)
        differences = [_change(*scripted, reply, call, number) for number, reply in numbered]
        most = used + len(differences)
        if None in differences:
            most -= differences[::-1].index(None)
            used += differences.index(None)
        else:
            # A recording holds the last try of a call.
            outdated[position] = ReplyChange(what=_REPLY_CHANGED, excerpt=differences[-1] or "")
        used += 1
    return ScriptComparison(outdated, used, len(served) - most)


def _change(
    dialect: Dialect, request: Mapping[str, Any], reply: ScriptedReply, call: Call, number: int
) -> str | None:
    """Return how a scripted reply differs from the recorded one, in words; None if it does not."""
    recorded = call.response
    if isinstance(recorded, CallFailure):
        # A reply that is too late is recorded as a failure, like a broken connection.
        may_fail = isinstance(reply, FaultReply) or reply.delay_s > 0
        return None if may_fail else replacement(recorded.failure, "a reply")
    if not isinstance(reply, HttpReply):
        return replacement(f"status {recorded.status}", "a fault")
    response = render(reply, dialect=dialect, call=number, request=request, model="scripted")
    if response.status != recorded.status:
        return replacement(f"status {recorded.status}", f"status {response.status}")
    encodings = [str(value) for name, value in reply.headers.items() if name.lower() == _ENCODING]
    try:
        body = parse_body(unpacked(response.body, ", ".join(encodings)))
    except UndecodableBodyError:
        # The client got the packed bytes.
        body = parse_body(response.body)
    return None if body == recorded.body else _difference(call, replace(recorded, body=body))


def _difference(call: Call, scripted: CallResponse) -> str:
    before, after = (read_call(replace(call, response=each)).text for each in (call.response, scripted))
    if before != after:
        return word_diff(before, after)
    bodies = (each.body for each in (call.response, scripted) if isinstance(each, CallResponse))
    return next((f"{change.path} {change.excerpt}" for change in body_changes(*bodies)), "")


def _last_try(served: Sequence[ScriptedReply], first: int) -> int:
    """Return the last reply that the retries of one call can reach; the cassette holds only the last try."""
    last = first
    while last + 1 < len(served) and _may_be_retried(served[last]):
        last += 1
    return last


def _may_be_retried(reply: ScriptedReply) -> bool:
    if isinstance(reply, StatusReply):
        return reply.status in _RETRIED_STATUSES or reply.status >= 500
    return isinstance(reply, FaultReply) or reply.delay_s > 0
