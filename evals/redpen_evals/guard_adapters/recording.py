"""Record and replay the model calls of guards, in one cassette per guard.

An agent's run makes its calls in a fixed order. A guard is called with texts in any order and repeatedly, so
each request is matched independently, as often as it is made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redpen.errors import RedpenError
from redpen_evals.cassettes.cassette import RunCassette, RunRequest
from redpen_evals.cassettes.file import Call, CallFailure, CallResult
from redpen_evals.cassettes.matching import RequestKey, request_key
from redpen_evals.cassettes.session import RecordingSession
from redpen_evals.cassettes.store import AGENTS_OWN_MODEL, CassetteLocation, load, settle, unprotected_warning
from redpen_evals.cassettes.transport import CassetteTransport
from redpen_evals.evaluation.evaluator import RecordMode
from redpen_evals.evaluation.own import ADDRESSES, OwnSettings, addresses_in, call_rules
from redpen_evals.network import NetworkGuard, reaching_out
from redpen_evals.scenario_library.listing import GUARDS
from redpen_evals.targets.environment import (
    SECRETS,
    offline_environment,
    placeholder_keys,
    recorded_addresses,
)
from redpen_evals.traffic.patching import PATCH
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import RunScope

_INVALID_CHARS: Final = re.compile(r"[^A-Za-z0-9._-]+")


def cassette_of(root: Path, guard: str) -> CassetteLocation:
    """Return the location of a guard's cassette: ``live/guards/<its name>.json``."""
    name = _INVALID_CHARS.sub(".", guard).strip(".-") or "guard"
    return CassetteLocation(root=root, model=AGENTS_OWN_MODEL, scenario=f"{GUARDS}/{name[:120]}")


class GuardCassette(RunCassette):
    """The calls of one guard, looked up by request.

    Args:
        older: the recorded calls.
        mode: whether unrecorded calls are made, and which of the recorded ones are kept.
        settings: the project's settings.
    """

    def __init__(self, *, older: tuple[Call, ...], mode: RecordMode, settings: OwnSettings) -> None:
        calls = older if mode == "none" else None
        super().__init__(kind="live", calls=calls, rules=call_rules(settings))
        masked = tuple(self._masked(call) for call in older) if mode != "all" else ()
        self._older: dict[RequestKey, Call] = {request_key(call.request): call for call in masked}
        self._reused: dict[RequestKey, None] = dict.fromkeys(self._older) if mode == "missing" else {}

    def find(self, request: RunRequest) -> CallResult | None:
        """Return the recording of a request, as often as it is made; None if there is none."""
        call = self._older.get(request_key(self._call_request(request)))
        return call.response if call is not None else None

    def keep(self, request: RunRequest) -> Call | None:
        """Return the recorded call of a request, if any."""
        key = request_key(self._call_request(request))
        if (call := self._older.get(key)) is not None:
            self._reused[key] = None
        return call

    def close(self) -> bool:
        """Merge the reused calls with the new ones; returns whether the file changes."""
        new = {request_key(call.request): call for call in self._calls}
        reused = {key: call for key, call in self._older.items() if key in self._reused and key not in new}
        self._calls = [*reused.values(), *new.values()]
        self.latencies_ms = [None] * len(self._calls)
        return bool(new) or reused.keys() != self._older.keys()

    def append(self, request: RunRequest, result: CallResult) -> None:
        """Collect a call and its result, which also answers the same request later."""
        super().append(request, result)
        call = self._calls[-1]
        if not isinstance(result, CallFailure):
            self._older.setdefault(request_key(call.request), call)


@dataclass(slots=True, kw_only=True)
class GuardTraffic:
    """The model calls of a guard.

    Attributes:
        location: the location of its cassette.
        scope: the scope of its requests.
        mode: whether they are recorded.
        warning: about its cassette; empty for none.
    """

    location: CassetteLocation
    scope: RunScope
    mode: RecordMode
    warning: str = ""
    _misses: int = field(default=0, init=False)

    def missed(self) -> bool:
        """Return whether a call since the last check had no recording, so that there is no verdict."""
        before, self._misses = self._misses, self.misses
        return self._misses > before

    @property
    def misses(self) -> int:
        """Number of calls without a recording."""
        return len(self.scope.cassette.misses)

    @property
    def calls(self) -> int:
        """Number of calls in the cassette, including new ones."""
        return len(self.scope.cassette.calls)


@contextmanager
def guard_traffic(
    guard: str, *, root: Path, mode: RecordMode, settings: OwnSettings | None = None
) -> Iterator[GuardTraffic]:
    """Replay or record the model calls of a guard in the block.

    Args:
        guard: its name, which names the recording.
        root: the folder of all cassettes.
        mode: ``none`` only replays; ``missing`` also makes unrecorded calls; ``stale`` also drops recorded
            calls that are no longer made; ``all`` makes every call again.
        settings: the project's settings for its own agents.

    Raises:
        RedpenError: the recording cannot be loaded or saved.
    """
    settings = settings or OwnSettings()
    location = cassette_of(root, guard)
    # A file that is replaced may be damaged.
    content = load(location) if mode != "all" and location.path.exists() else None
    cassette = GuardCassette(older=content.calls if content else (), mode=mode, settings=settings)
    scope = RunScope(cassette=cassette, telemetry=settings.telemetry)
    environment: Mapping[str, str | None] = placeholder_keys()
    if mode == "none":
        environment = offline_environment(addresses_in(content.recorded if content else {}))
    addresses = recorded_addresses()
    with ExitStack() as stack:
        stack.enter_context(NetworkGuard(one_run=True) if mode == "none" else reaching_out())
        stack.callback(_set, {name: os.environ.get(name) for name in environment})
        _set(environment)
        stack.enter_context(PATCH)
        stack.enter_context(ROUTER.running(scope))
        warning = unprotected_warning(location, content) if content else ""
        yield GuardTraffic(location=location, scope=scope, mode=mode, warning=warning)
    if mode == "none":
        return
    if scope.problems:
        raise RedpenError("\n".join(f"nothing was saved: {problem}" for problem in scope.problems))
    if not cassette.close():
        return
    RecordingSession(
        location=location,
        base_url="",
        cassette=cassette,
        transport=CassetteTransport(cassette),
        live_keys=SECRETS.note(),
        recorded={ADDRESSES: dict(addresses)},
        redact=settings.redact,
    ).finish()
    settle(root)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
