"""Retries: which failures are retried, how often and after which pause, and what a recording keeps."""

from __future__ import annotations

import functools
import json
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from property_support.raw_endpoint import RawEndpoint, answer_bytes
from redpen.chat import ChatClient, ChatSettings
from redpen.chat.breaker import CircuitBreaker
from redpen.chat.retry_after import requested_pause_s
from redpen.chat.retrying import FIRST_PAUSE_S, MAX_PAUSE_S, MAX_REQUESTED_PAUSE_S
from redpen_evals.cassettes.session import open_recording, open_replay
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.endpoint.server import ScriptedEndpoint

Ask = Callable[..., Any]
Raw = Callable[..., RawEndpoint]
Serve = Callable[..., ScriptedEndpoint]

OK: dict[str, Any] = {"json": {"draft": "ok"}}
NOW = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)


def http_date(seconds: float) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


@pytest.fixture
def never_open() -> CircuitBreaker:
    """A breaker that never opens, for the tests of retries alone."""
    return CircuitBreaker(threshold=1_000)


@pytest.fixture
def ask_never_open(ask: Ask, never_open: CircuitBreaker) -> Ask:
    """Ask with the breaker that never opens."""
    return functools.partial(ask, breaker=never_open)


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7.0),
        ({"retry-after": http_date(30)}, 30.0),
        ({"retry-after": http_date(30).replace("GMT", "-0000")}, 30.0),
        ({"retry-after": "Fri, 06 Mar 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after": http_date(86_400)}, 86_400.0),
        ({"retry-after": "1e9"}, 1e9),
        ({"retry-after": "1e999"}, float("inf")),
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "7, 8"}, None),
        ({"retry-after": http_date(-30)}, None),
        ({"retry-after": "Fri, 99 Mar 2026 12:00:30 GMT"}, None),
        ({"retry-after": "Fri, 06 Mar 99999999999999999999 12:00:30 GMT"}, None),
    ],
)
def test_retry_after_headers_are_parsed(headers: dict[str, str], pause: float | None) -> None:
    assert requested_pause_s(headers, now=NOW.timestamp) == pause


def test_retry_after_date_ignores_local_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "XYZ+5")
    time.tzset()
    try:
        asked = {"retry-after": http_date(30).replace("GMT", "-0000")}
        assert requested_pause_s(asked, now=NOW.timestamp) == 30.0
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("asked", ["7", "120"])
def test_retry_after_pause_is_honoured(
    serve: Serve, ask_never_open: Ask, pauses: list[float], status: int, asked: str
) -> None:
    endpoint = serve({"status": status, "headers": {"Retry-After": asked}, "times": 2}, OK)
    assert ask_never_open(endpoint.base_url, retries=2).reply == {"draft": "ok"}
    assert pauses == [float(asked)] * 2


def test_retry_after_with_a_date_is_honoured(serve: Serve, ask_never_open: Ask, pauses: list[float]) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    endpoint = serve({"status": 429, "headers": {"Retry-After": later}}, OK)
    assert ask_never_open(endpoint.base_url, retries=2).reply == {"draft": "ok"}
    assert 0 < pauses[0] <= 60


@pytest.mark.parametrize("asked", ["121", "1e9", "1e999", "Fri, 06 Mar 2226 12:00:00 GMT"])
def test_excessive_retry_after_is_failure(
    serve: Serve, ask_never_open: Ask, pauses: list[float], asked: str
) -> None:
    assert MAX_REQUESTED_PAUSE_S < 121
    endpoint = serve({"status": 429, "headers": {"Retry-After": asked}}, OK)
    ending = ask_never_open(endpoint.base_url, retries=2)
    assert (ending.reason, endpoint.remaining, pauses) == ("llm_rate_limited", 1, [])


@pytest.mark.parametrize("asked", ["-5", "0", "nan", "soon", "Fri, 06 Mar 2020 12:00:00 GMT"])
def test_invalid_retry_after_is_ignored(
    serve: Serve, ask_never_open: Ask, pauses: list[float], asked: str
) -> None:
    endpoint = serve({"status": 429, "headers": {"Retry-After": asked}}, OK)
    assert ask_never_open(endpoint.base_url, retries=1).reply == {"draft": "ok"}
    assert 0 <= pauses[0] <= FIRST_PAUSE_S


def test_pauses_double_with_full_jitter(serve: Serve, ask_never_open: Ask, pauses: list[float]) -> None:
    random.seed(1)
    endpoint = serve({"status": 503, "times": 11 * 8})
    for _ in range(8):
        assert ask_never_open(endpoint.base_url, retries=10).reason == "llm_server_error"
    longest = [min(FIRST_PAUSE_S * 2**number, MAX_PAUSE_S) for number in range(10)] * 8
    shares = [pause / most for pause, most in zip(pauses, longest, strict=True)]
    assert all(0 <= share <= 1 for share in shares)
    assert min(shares) < 0.1
    assert max(shares) > 0.9


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        ({"status": 408}, 3),
        ({"status": 409}, 3),
        ({"status": 429}, 3),
        ({"status": 500}, 3),
        ({"status": 529}, 3),
        ({"fault": "drop"}, 3),
        ({"fault": "reset"}, 3),
        ({"fault": "garbage"}, 3),
        ({"fault": "malformed_chunks"}, 3),
        ({"status": 400, "headers": {"x-should-retry": "true"}}, 3),
        ({"status": 503, "headers": {"x-should-retry": "false"}}, 1),
        ({"status": 429, "error": {"code": "insufficient_quota"}}, 1),
        ({"status": 307, "headers": {"Location": "/v1"}}, 1),
        ({"status": 400}, 1),
        ({"status": 401}, 1),
        ({"status": 404}, 1),
        ({"body": "<html>"}, 1),
        ({"body": "{}"}, 1),
        ({"content": "no json"}, 1),
        ({"refusal": "No."}, 1),
    ],
    ids=str,
)
def test_only_transient_failures_are_retried(
    serve: Serve,
    ask_never_open: Ask,
    pauses: list[float],
    reply: dict[str, Any],
    tries: int,
) -> None:
    endpoint = serve({**reply, "times": 5})
    ending = ask_never_open(endpoint.base_url, retries=2)
    assert 5 - endpoint.remaining == tries
    assert len(pauses) == tries - 1
    assert ("after 3 attempts" in ending.message) == (tries == 3)


def test_retry_count_header_is_sent(serve: Serve, ask_never_open: Ask, pauses: list[float]) -> None:
    endpoint = serve({"status": 503, "times": 3}, OK)
    ask_never_open(endpoint.base_url, retries=5)
    assert [call.headers["x-stainless-retry-count"] for call in endpoint.requests] == ["0", "1", "2", "3"]
    assert len(pauses) == 3


def test_dripping_answer_times_out_and_is_retried(raw: Raw, ask_never_open: Ask, pauses: list[float]) -> None:
    endpoint = raw(
        [b"HTTP/1.1 200 OK\r\n", *([b"X-A: b\r\n", 0.02] * 1_000)], [answer_bytes({"draft": "ok"})]
    )
    assert ask_never_open(endpoint.base_url, retries=1, timeout_s=0.3).reply == {"draft": "ok"}
    assert (endpoint.connections, len(pauses)) == (2, 1)


def test_recording_keeps_only_last_try(
    tmp_path: Path, serve: Serve, pauses: list[float], never_open: CircuitBreaker
) -> None:
    location = CassetteLocation(root=tmp_path, model="scripted", scenario="self-critique/one")
    endpoint = serve(
        {"status": 503}, {"fault": "reset"}, {"json": {"draft": "one"}}, {"json": {"draft": "two"}}
    )

    def complete(session: Any, text: str, retries: int) -> Any:
        settings = ChatSettings(
            api_key=SecretStr("none"), base_url=session.base_url, model="scripted", retries=retries
        )
        with httpx2.Client(transport=session.transport) as http_client:
            client = ChatClient(settings, http_client=http_client, breaker=never_open)
            return client.complete(phase="draft", prompt="p", payload={"goal": text})

    for goal, draft in (("a", "one"), ("b", "two")):
        session = open_recording(
            CassetteLocation(root=tmp_path, model="scripted", scenario=f"self-critique/{goal}"),
            upstream_url=endpoint.base_url,
        )
        assert complete(session, goal, 3) == {"draft": draft}
        assert len(session.cassette.calls) == 1
        session.finish()
    assert len(pauses) == 2
    location = CassetteLocation(root=tmp_path, model="scripted", scenario="self-critique/a")
    with open_replay(location) as session:
        assert complete(session, "a", 0) == {"draft": "one"}
    assert "retry" not in json.dumps(json.loads(location.path.read_text())["calls"])
