"""Model calls of guards: recorded once under the guard's name, and replayed like those of agents.

An agent's run makes its calls in one order. A guard is asked of texts in any order, and of some again, so
each request is answered by itself, as often as it is made.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from redpen.errors import RedpenError
from redpen_evals.cassettes.cassette import TOOL_HEADERS, CallRules, RunCassette
from redpen_evals.cassettes.encoding import parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallResult
from redpen_evals.cassettes.matching import RequestKey, request_key
from redpen_evals.cassettes.session import RecordingSession
from redpen_evals.cassettes.store import AGENTS_OWN_MODEL, CassetteLocation, load, settle
from redpen_evals.cassettes.transport import RecordingTransport
from redpen_evals.evaluation.own import OwnSettings, call_label
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

if TYPE_CHECKING:
    from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

RecordMode = Literal["none", "missing", "stale", "all"]

_ADDRESSES: Final = "addresses"
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._-]+")


def cassette_of(root: Path, guard: str) -> CassetteLocation:
    """Return where the calls of a guard are kept: ``live/guards/<its name>.json`` among the cassettes."""
    name = _UNFIT.sub(".", guard).strip(".-") or "guard"
    return CassetteLocation(root=root, model=AGENTS_OWN_MODEL, scenario=f"{GUARDS}/{name[:120]}")


class GuardCassette(RunCassette):
    """The calls of one guard, each found by its request.

    Args:
        path: the file that messages name.
        older: what is recorded already.
        mode: whether calls that are not recorded are made, and which of the recorded ones are kept.
        settings: of the project.
    """

    def __init__(
        self, *, path: Path, older: tuple[Call, ...], mode: RecordMode, settings: OwnSettings
    ) -> None:
        volatile = settings.volatile
        rules = CallRules(label=call_label, volatile=volatile, headers=TOOL_HEADERS - volatile.headers)
        super().__init__(path=path, kind="live", calls=older if mode == "none" else None, rules=rules)
        masked = tuple(self._masked(call) for call in older) if mode != "all" else ()
        self._older: dict[RequestKey, Call] = {_key(call): call for call in masked}
        self._reused: dict[RequestKey, None] = dict.fromkeys(self._older) if mode == "missing" else {}

    def take(self, request: VcrRequest) -> CallResult | None:
        """Return the recording of a request, however often it is made; None where there is none."""
        call = self._older.get(self._key_of(request.method, request.uri, request.body or b""))
        return call.response if call is not None else None

    def keep(self, method: str, url: str, content: bytes) -> Call | None:
        """Return the recorded call that answers a request, if any."""
        key = self._key_of(method, url, content)
        if (call := self._older.get(key)) is not None:
            self._reused[key] = None
        return call

    def close(self) -> bool:
        """Put the older calls that stay before the new ones; returns whether that makes another file."""
        new = {_key(call): call for call in self._calls}
        stay = {key: call for key, call in self._older.items() if key in self._reused and key not in new}
        self._calls = [*stay.values(), *new.values()]
        self.latencies_ms = [None] * len(self._calls)
        return bool(new) or stay.keys() != self._older.keys()

    def _collect(self, request: VcrRequest, response: CallResult, latency_ms: float | None) -> None:
        super()._collect(request, response, latency_ms)
        call = self._calls[-1]
        if not isinstance(response, CallFailure):
            self._older.setdefault(_key(call), call)

    def _key_of(self, method: str, url: str, content: bytes) -> RequestKey:
        masked = self._volatile.masked(content) if self._volatile else content
        return request_key(method, url, parse_body(masked))


def _key(call: Call) -> RequestKey:
    return request_key(call.request.method, call.request.url, call.request.body)


@dataclass(slots=True, kw_only=True)
class GuardTraffic:
    """The calls that a guard makes while it is asked.

    Attributes:
        location: of its cassette.
        scope: of its requests.
        mode: whether they are recorded.
    """

    location: CassetteLocation
    scope: RunScope
    mode: RecordMode
    _misses: int = field(default=0, init=False)

    def missed(self) -> bool:
        """Return whether a call since the last time found no recording, so that there is no verdict."""
        before, self._misses = self._misses, self.misses
        return self._misses > before

    @property
    def misses(self) -> int:
        """How many calls found no recording."""
        return len(self.scope.cassette.misses)

    @property
    def calls(self) -> int:
        """How many calls there are on the cassette, and were recorded now."""
        return len(self.scope.cassette.calls)


@contextmanager
def guard_traffic(
    guard: str, *, root: Path, mode: RecordMode, settings: OwnSettings | None = None
) -> Iterator[GuardTraffic]:
    """Answer, or record, the model calls that a guard makes in the block.

    Args:
        guard: its name, by which the recording is kept.
        root: the folder of all cassettes.
        mode: ``none`` answers from the recording alone; ``missing`` makes what is not recorded and keeps all
            else; ``stale`` keeps of the rest what was asked for; ``all`` makes every call anew.
        settings: what the project says of its own agents.

    Raises:
        RedpenError: the recording cannot be read, or what was recorded cannot be kept.
    """
    settings = settings or OwnSettings()
    location = cassette_of(root, guard)
    content = load(location) if location.path.exists() else None
    cassette = GuardCassette(
        path=location.path, older=content.calls if content else (), mode=mode, settings=settings
    )
    scope = RunScope(cassette=cassette, telemetry=settings.telemetry)
    environment: Mapping[str, str | None] = placeholder_keys()
    if mode == "none":
        found = content.recorded.get(_ADDRESSES) if content else None
        known = {name: str(value) for name, value in found.items()} if isinstance(found, dict) else {}
        environment = offline_environment(known)
    addresses = recorded_addresses()
    with ExitStack() as stack:
        stack.enter_context(NetworkGuard(one_run=True) if mode == "none" else reaching_out())
        stack.enter_context(_variables(environment))
        stack.enter_context(PATCH)
        stack.enter_context(ROUTER.running(scope))
        yield GuardTraffic(location=location, scope=scope, mode=mode)
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
        transport=RecordingTransport(cassette, base_url="", upstream_url=None, upstream=None),
        live_keys=SECRETS.note(),
        now=lambda: datetime.datetime.now(datetime.UTC),
        recorded={_ADDRESSES: dict(addresses)},
        redact=settings.redact,
    ).finish()
    settle(root)


@contextmanager
def _variables(values: Mapping[str, str | None]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
