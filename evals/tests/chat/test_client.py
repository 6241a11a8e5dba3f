"""The chat client: requests, parsed replies, retries and the connection pool."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from redpen.chat import ChatClient
from redpen.chat.pool import shared_http_client
from redpen.errors import Stop
from redpen_evals.endpoint.server import ScriptedEndpoint

Serve = Callable[..., ScriptedEndpoint]
Connect = Callable[..., ChatClient]

BUSY = {"status": 429, "headers": {"Retry-After": 7}}
OK: dict[str, Any] = {"json": {"draft": "ok"}}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record the pauses between attempts instead of sleeping."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses


def ask(client: ChatClient, **payload: Any) -> Any:
    return client.complete(phase="draft", prompt="Answer in JSON.", payload=payload)


def test_request_has_exact_body_and_path(serve: Serve, connect: Connect) -> None:
    endpoint = serve(OK)
    payload = {
        "goal": "Оплата — «27 %»",
        "incident_context": {"z": 1, "a": [True, None, 0.034]},
        "draft": "é\n",
    }
    assert ask(connect(endpoint, model="gpt-x"), **payload) == {"draft": "ok"}
    (request,) = endpoint.requests
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    user = (
        '{"goal": "Оплата — «27 %»", "incident_context": {"z": 1, "a": [true, null, 0.034]}, "draft": "é\\n"}'
    )
    assert request.body == {
        "model": "gpt-x",
        "messages": [{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": user}],
        "temperature": 0,
        "response_format": {"type": "json_object"},
    }
    assert list(request.body) == ["model", "messages", "temperature", "response_format"]


def test_key_is_not_in_the_request_body(serve: Serve, connect: Connect) -> None:
    endpoint = serve(OK)
    ask(connect(endpoint, api_key="sk-live-very-secret"))
    assert "sk-live-very-secret" not in json.dumps(endpoint.requests[0].body)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ({"json": {"draft": "ok", "more": [1]}}, {"draft": "ok", "more": [1]}),
        ({"content": None}, {}),
        ({"content": ""}, {}),
        ({"content": None, "tool_calls": [{"name": "send"}]}, {}),
        ({"tool_calls": [{"name": "send"}]}, {}),
        ({"content": ' \n{"draft": "ж"}\n'}, {"draft": "ж"}),
        ({"choices": [{"message": {"content": '{"a": 1}'}}, {"message": {"content": "no"}}]}, {"a": 1}),
        ({"choices": [{"message": {"role": "assistant"}, "finish_reason": "stop"}]}, {}),
    ],
)
def test_reply_content_is_parsed(serve: Serve, connect: Connect, reply: object, value: object) -> None:
    assert ask(connect(serve(reply))) == value


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_transient_status_is_retried(serve: Serve, connect: Connect, waits: list[float], status: int) -> None:
    endpoint = serve({"status": status, "times": 2}, OK)
    assert ask(connect(endpoint, retries=2)) == {"draft": "ok"}
    assert len(endpoint.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize("fault", ["drop", "truncate", "reset", "garbage"])
def test_broken_connection_is_retried(serve: Serve, connect: Connect, waits: list[float], fault: str) -> None:
    endpoint = serve({"fault": fault}, OK)
    assert ask(connect(endpoint, retries=1)) == {"draft": "ok"}
    assert len(waits) == 1


def test_retry_after_is_honoured(serve: Serve, connect: Connect, waits: list[float]) -> None:
    assert ask(connect(serve(BUSY, OK), retries=2)) == {"draft": "ok"}
    assert waits == [7.0]


def test_retry_after_zero_waits_at_most_the_back_off(
    serve: Serve, connect: Connect, waits: list[float]
) -> None:
    endpoint = serve({"status": 429, "headers": {"Retry-After": 0}}, OK)
    assert ask(connect(endpoint, retries=2)) == {"draft": "ok"}
    assert len(waits) == 1
    assert waits[0] <= 1


def test_retries_are_limited(serve: Serve, connect: Connect, waits: list[float]) -> None:
    endpoint = serve({"status": 503, "times": 10})
    with pytest.raises(Stop) as caught:
        ask(connect(endpoint, retries=2))
    assert caught.value.reason == "llm_server_error"
    assert len(endpoint.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize("reply", [BUSY, {"status": 500}, {"fault": "drop"}])
def test_zero_retries_make_one_attempt(
    serve: Serve, connect: Connect, waits: list[float], reply: dict[str, Any]
) -> None:
    endpoint = serve(reply, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=0))
    assert endpoint.remaining == 1
    assert waits == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_permanent_status_is_not_retried(
    serve: Serve, connect: Connect, waits: list[float], status: int
) -> None:
    endpoint = serve({"status": status}, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=2))
    assert (endpoint.remaining, waits) == (1, [])


def test_invalid_json_answer_is_not_retried(serve: Serve, connect: Connect, waits: list[float]) -> None:
    endpoint = serve({"content": "no json"}, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=2))
    assert (endpoint.remaining, waits) == (1, [])


def test_clients_share_one_pool_per_process(serve: Serve, connect: Connect) -> None:
    pool = shared_http_client()
    assert shared_http_client() is pool
    one, other = connect(serve(OK)), connect(serve(OK))
    ask(one)
    ask(other)
    assert one._openai._client is other._openai._client is pool
    assert not pool.is_closed
    assert pool.follow_redirects is False


def test_redirect_is_not_followed(serve: Serve, connect: Connect) -> None:
    other = serve(OK)
    endpoint = serve({"status": 307, "headers": {"Location": f"{other.base_url}/chat/completions"}})
    with pytest.raises(Stop) as caught:
        ask(connect(endpoint))
    assert caught.value.reason == "llm_server_error"
    assert other.requests == ()


def test_on_call_gets_phase_before_the_request(serve: Serve, connect: Connect) -> None:
    reported: list[str] = []
    endpoint = serve(OK)
    client = connect(endpoint)
    client._on_call = lambda phase: reported.append(f"{phase} {len(endpoint.requests)}")
    ask(client)
    assert reported == ["draft 0"]
