"""One run with its cassette: open it for replay or recording, get the client's transport, finish."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from redpen.types import JsonObject, JsonValue
from redpen_evals.cassettes.cassette import CallRules, RunCassette
from redpen_evals.cassettes.digest import digest_of
from redpen_evals.cassettes.file import FIRST_VERSION, SEALED_VERSION, Call, CassetteFile
from redpen_evals.cassettes.store import CassetteLocation, load, save, unprotected_warning
from redpen_evals.cassettes.transport import CassetteTransport
from redpen_evals.errors import CassetteError
from redpen_evals.versions import installed_versions

if TYPE_CHECKING:
    import httpx2

SCRIPTED_BASE_URL: Final = "http://scripted.invalid/v1"


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySession:
    """A run whose requests are answered from its cassette.

    `base_url` is the one that the client has to use; `cassette` holds `misses` and `unplayed` afterwards;
    `warnings` are about the file.
    """

    location: CassetteLocation
    cassette: RunCassette
    base_url: str = ""
    recorded: JsonObject = field(default_factory=dict)
    latencies_ms: Sequence[float | None] = ()
    warnings: tuple[str, ...] = ()

    @property
    def transport(self) -> CassetteTransport:
        """A transport for the client of this run only."""
        return CassetteTransport(self.cassette)

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: a replay has no connections, and nothing to save."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingSession:
    """A run that is being recorded; `recorded` holds further metadata of the file.

    `live_keys` are keys in use, which must never be saved. `redact` says whether personal data in a live
    model's replies is replaced; `warnings` describes it. As a context manager it only closes its connections:
    nothing is saved without `finish`.
    """

    location: CassetteLocation
    base_url: str
    cassette: RunCassette
    transport: CassetteTransport
    live_keys: Sequence[str]
    now: Callable[[], datetime.datetime] = _utc_now
    recorded: JsonObject = field(default_factory=dict)
    redact: bool = False
    warnings: list[str] = field(default_factory=list)

    def finish(self) -> Path:
        """End the run and save its calls; returns the path written.

        Raises:
            SecretFound: a call holds a key in use or something like one; nothing was saved.
            CassetteError: a call could not be recorded, or the file cannot be written.
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
        calls = self._calls()
        sha256 = digest_of(calls, self.location.kind)
        if self.location.kind == "live":
            latencies: list[JsonValue] = list(self.cassette.latencies_ms)
            recorded["latency_ms"] = latencies
        content = CassetteFile(
            kind=self.location.kind,
            scenario=self.location.scenario,
            model=self.location.model,
            base_url=self.base_url,
            recorded=recorded,
            calls=calls,
            variant=self.location.variant,
            sample=self.location.sample,
            sha256=sha256,
            version=SEALED_VERSION if sha256 else FIRST_VERSION,
        )
        return save(self.location, content, live_keys=self.live_keys)

    def _calls(self) -> tuple[Call, ...]:
        """Return the calls to save; personal data in live replies is replaced, or a warning describes it."""
        calls = self.cassette.calls
        if self.location.kind != "live":
            return calls
        from redpen_evals.cassettes.secrets import personal_data_warnings, personal_in_replies, redacted

        personal = personal_in_replies(calls)
        self.warnings[:] = personal_data_warnings(personal, redacted=self.redact)
        return redacted(calls, personal) if personal and self.redact else calls

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self.transport.close()


def open_replay(location: CassetteLocation, *, rules: CallRules | None = None) -> ReplaySession:
    """Open a cassette for replay, by default with the rules of the built-in agents.

    Raises:
        CassetteError: the file is missing, unreadable, damaged, or belongs elsewhere.
    """
    content = load(location)
    warning = unprotected_warning(location, content)
    return ReplaySession(
        location=location,
        cassette=RunCassette(kind=location.kind, calls=content.calls, rules=rules),
        base_url=content.base_url,
        recorded=content.recorded,
        latencies_ms=content.latencies_ms,
        warnings=(warning,) if warning else (),
    )


def empty_replay(location: CassetteLocation, *, rules: CallRules | None = None) -> ReplaySession:
    """Open a replay without calls, for a run that may need none."""
    return ReplaySession(location=location, cassette=RunCassette(kind=location.kind, calls=(), rules=rules))


def open_recording(
    location: CassetteLocation,
    *,
    base_url: str = SCRIPTED_BASE_URL,
    upstream_url: str | None = None,
    upstream: httpx2.BaseTransport | None = None,
    live_keys: Sequence[str] = (),
    rules: CallRules | None = None,
    kept: Sequence[tuple[Call, float | None]] = (),
) -> RecordingSession:
    """Open a cassette for recording; an older file stays as it is until `finish`.

    Args:
        location: where the recording goes.
        base_url: the address that the client uses and the file records.
        upstream_url: the address that requests are sent to, such as a loopback endpoint; None for the same.
        upstream: the transport for the traffic, left open; None creates one.
        live_keys: keys in use, which must never be saved.
        rules: by default as for the built-in agents.
        kept: calls of an older recording, with their latencies, that this one reuses as long as the run makes
            the same requests.
    """
    cassette = RunCassette(kind=location.kind, calls=None, kept=kept, rules=rules)
    transport = CassetteTransport(cassette, base_url=base_url, upstream_url=upstream_url, upstream=upstream)
    return RecordingSession(
        location=location, base_url=base_url, cassette=cassette, transport=transport, live_keys=live_keys
    )
