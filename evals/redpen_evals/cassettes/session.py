"""One run with its cassette: open for replay or for recording, give the client its transport, finish."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from redpen_evals.cassettes.cassette import CallRules, RunCassette
from redpen_evals.cassettes.file import CassetteFile
from redpen_evals.cassettes.store import load, save
from redpen_evals.cassettes.transport import RecordingTransport, ReplayTransport
from redpen_evals.errors import CassetteError
from redpen_evals.versions import installed_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import httpx2

    from redpen.types import JsonObject, JsonValue
    from redpen_evals.cassettes.file import Call
    from redpen_evals.cassettes.store import CassetteLocation

SCRIPTED_BASE_URL: Final = "http://scripted.invalid/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySession:
    """A run that is answered from its cassette.

    `transport` is for the client of this run and no other; `base_url` is the one the client has to use;
    `cassette` tells `misses` and `unplayed` afterwards.
    """

    location: CassetteLocation
    base_url: str
    recorded: JsonObject
    cassette: RunCassette
    transport: ReplayTransport

    def finish(self) -> None:
        """End the run; there is nothing to save."""
        self.transport.close()

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the transport."""
        self.transport.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingSession:
    """A run that is being recorded; `recorded` is what else the file says of the recording.

    `redact` says whether what a live model made up of people is replaced; `warnings` what it was.
    As a context manager it only closes its connections: what is not finished is not saved.
    """

    location: CassetteLocation
    base_url: str
    cassette: RunCassette
    transport: RecordingTransport
    live_keys: Sequence[str]
    now: Callable[[], datetime.datetime]
    recorded: JsonObject = field(default_factory=dict)
    redact: bool = False
    warnings: list[str] = field(default_factory=list)

    def finish(self) -> Path:
        """End the run and save its calls.

        Returns:
            The path written.

        Raises:
            SecretFound: a call holds the key or something like one; nothing was saved.
            CassetteError: a call could not be recorded, or the disk refused the file.
        """
        self.transport.close()
        if self.cassette.losses:
            raise CassetteError(
                self.location.path,
                f"not saved, a call could not be recorded: {'; '.join(self.cassette.losses)}",
                kind="incomplete",
                mend=self.location.record_command(),
            )
        recorded: JsonObject = {
            "at": self.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            **installed_versions(),
            **self.recorded,
        }
        if self.location.kind == "live":
            latencies: list[JsonValue] = list(self.cassette.latencies_ms)
            recorded["latency_ms"] = latencies
        content = CassetteFile(
            kind=self.location.kind,
            scenario=self.location.scenario,
            model=self.location.model,
            base_url=self.base_url,
            recorded=recorded,
            calls=self._calls(),
            variant=self.location.variant,
            sample=self.location.sample,
        )
        return save(self.location, content, live_keys=self.live_keys)

    def _calls(self) -> tuple[Call, ...]:
        """Return what is saved: of a live model, what it made up of people is told, or replaced."""
        calls = tuple(self.cassette.calls)
        if self.location.kind != "live":
            return calls
        from redpen_evals.cassettes.secrets import personal_data_warnings, personal_in_replies, redacted

        found = personal_in_replies(calls)
        self.warnings[:] = personal_data_warnings(found, redacted=self.redact)
        return redacted(calls, found) if found and self.redact else calls

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self.transport.close()


def open_replay(
    location: CassetteLocation,
    *,
    phase: Callable[[], str] | None = None,
    rules: CallRules | None = None,
) -> ReplaySession:
    """Open a cassette for replay.

    Args:
        location: whose cassette.
        phase: asked for the agent's phase at each call; or set `session.cassette.phase`.
        rules: how calls are named, compared and kept; by default as the built-in agents' are.

    Returns:
        The session.

    Raises:
        CassetteError: the file is missing, unreadable, damaged, or belongs elsewhere.
    """
    content = load(location)
    cassette = RunCassette(
        path=location.path,
        kind=content.kind,
        calls=content.calls,
        phase=phase,
        rules=rules,
    )
    return ReplaySession(
        location=location,
        base_url=content.base_url,
        recorded=content.recorded,
        cassette=cassette,
        transport=ReplayTransport(cassette),
    )


def empty_replay(location: CassetteLocation, *, rules: CallRules | None = None) -> ReplaySession:
    """Open a replay of no calls, for a run that may need none; the arguments are those of `open_replay`."""
    cassette = RunCassette(path=location.path, kind=location.kind, calls=(), rules=rules)
    return ReplaySession(
        location=location, base_url="", recorded={}, cassette=cassette, transport=ReplayTransport(cassette)
    )


def open_recording(
    location: CassetteLocation,
    *,
    base_url: str = SCRIPTED_BASE_URL,
    upstream_url: str | None = None,
    upstream: httpx2.BaseTransport | None = None,
    live_keys: Sequence[str] = (),
    phase: Callable[[], str] | None = None,
    rules: CallRules | None = None,
    kept: Sequence[tuple[Call, float | None]] = (),
    now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
) -> RecordingSession:
    """Open a cassette for recording; an older file stays as it is until `finish`.

    Args:
        location: where the recording goes.
        base_url: the address that the client uses and the file holds.
        upstream_url: the address that answers in its place, such as a loopback endpoint; None for the same.
        upstream: the transport that carries the traffic, left open; None for one of the session's own.
        live_keys: keys in use, which must never be saved.
        phase: asked for the agent's phase at each call; or set `session.cassette.phase`.
        rules: how calls are named, compared and kept; by default as the built-in agents' are.
        kept: calls of an older recording, with their latencies, that this one starts with as long as the run
            makes the very same requests.
        now: the time in UTC.

    Returns:
        The session.
    """
    cassette = RunCassette(
        path=location.path,
        kind=location.kind,
        calls=None,
        phase=phase,
        kept=kept,
        rules=rules,
    )
    return RecordingSession(
        location=location,
        base_url=base_url,
        cassette=cassette,
        transport=RecordingTransport(
            cassette, base_url=base_url, upstream_url=upstream_url, upstream=upstream
        ),
        live_keys=live_keys,
        now=now,
    )
