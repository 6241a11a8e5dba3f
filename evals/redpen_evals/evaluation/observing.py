"""What was seen of a run: its calls, what no recording answered, what it left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redpen_evals.cassettes.file import Call
from redpen_evals.cassettes.session import RecordingSession, ReplaySession
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.evaluation.subject import Subject, recorded_model
from redpen_evals.network import NetworkGuard
from redpen_evals.records.model import CallState, RecordedCall, StaleCalls
from redpen_evals.scripting import outdated_calls
from redpen_evals.stale.calls import last_text, recorded_calls, stale_calls, volatile_hint
from redpen_evals.stale.origin import change_origin
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
        said = f"changed in {origin}" if origin else volatile_hint(mismatch)
        text = f"{mismatch.text}\n  {said}" if said else mismatch.text
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
