"""Fixtures of the fault tests: misbehaving loopback servers, real clients and a leak check."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from property_support.raw_endpoint import RawEndpoint
from redpen.chat import ChatClient, ChatSettings
from redpen.chat.pool import new_http_client
from redpen.errors import Stop
from redpen.stop_reasons import find_stop_reason
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

KEY = "sk-test-4f9a81c2e7d05b36"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a call ended: with a reply or a stop."""

    reply: Any = None
    reason: str = ""
    kind: str = ""
    message: str = ""


@pytest.fixture
def finish() -> Callable[[], None]:
    """Wait until every abandoned worker thread has ended."""

    def wait() -> None:
        for thread in threading.enumerate():
            if thread.name.startswith("redpen-"):
                thread.join()

    return wait


@pytest.fixture
def gate(finish: Callable[[], None]) -> Iterator[threading.Event]:
    """An event for user code to wait on; set after the test, so that no worker thread is left."""
    event = threading.Event()
    yield event
    event.set()
    finish()


@pytest.fixture
def raw() -> Iterator[Callable[..., RawEndpoint]]:
    """Start servers that send given bytes; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda *scripts: stack.enter_context(RawEndpoint(*scripts))


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedEndpoint]]:
    """Start scripted endpoints from plain mappings; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda *replies: stack.enter_context(ScriptedEndpoint(parse_replies(list(replies))))


@pytest.fixture(scope="package")
def http() -> Iterator[httpx2.Client]:
    """Give an HTTP client built like the shared one of the process."""
    with new_http_client() as client:
        yield client


@pytest.fixture
def connect(http: httpx2.Client) -> Callable[..., ChatClient]:
    """Make chat clients, by default without retries."""

    def start(base_url: str, **changes: Any) -> ChatClient:
        more = {name: changes.pop(name) for name in ("breaker", "http_client") if name in changes}
        settings = {"api_key": SecretStr(KEY), "model": "m", "retries": 0, "timeout_s": 20, **changes}
        return ChatClient(ChatSettings(base_url=base_url, **settings), **{"http_client": http, **more})

    return start


@pytest.fixture
def ask(connect: Callable[..., ChatClient]) -> Callable[..., Ending]:
    """Make one call; it must end with a reply or a documented stop, and neither may contain the key."""

    def call(base_url: str, **changes: Any) -> Ending:
        client = connect(base_url, **changes)
        ending = _ending(client)
        assert KEY not in repr(ending)
        assert not ending.reason or find_stop_reason("reflection", ending.reason) is not None
        return ending

    return call


def _ending(client: ChatClient) -> Ending:
    try:
        return Ending(reply=client.complete(phase="draft", prompt="Answer in JSON.", payload={"goal": "x"}))
    except Stop as stop:
        error: Any = stop.details["error"]
        return Ending(reason=stop.reason, kind=error["type"], message=error["message"])


@pytest.fixture
def resources() -> Callable[[], tuple[int, set[threading.Thread]]]:
    """Return the resources this process holds: number of open descriptors, set of threads."""
    # What earlier tests left to be collected would be closed while this one is measured.
    gc.collect()
    return lambda: (len(list(Path("/dev/fd").iterdir())), set(threading.enumerate()))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record the pauses between tries instead of sleeping."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made
