"""What a call sends, what it brings back, and how it is tried again."""

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
    """Record the pauses between tries in place of making them."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses


def ask(client: ChatClient, **payload: Any) -> Any:
    return client.complete(phase="draft", prompt="Answer in JSON.", payload=payload)


def test_the_request_is_exactly_this(serve: Serve, connect: Connect) -> None:
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


def test_the_key_goes_as_a_bearer_token_and_nowhere_else(serve: Serve, connect: Connect) -> None:
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
def test_what_comes_back(serve: Serve, connect: Connect, reply: object, value: object) -> None:
    assert ask(connect(serve(reply))) == value


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_passing_fault_is_tried_again(
    serve: Serve, connect: Connect, waits: list[float], status: int
) -> None:
    endpoint = serve({"status": status, "times": 2}, OK)
    assert ask(connect(endpoint, retries=2)) == {"draft": "ok"}
    assert len(endpoint.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize("fault", ["drop", "truncate", "reset", "garbage"])
def test_broken_connection_is_tried_again(
    serve: Serve, connect: Connect, waits: list[float], fault: str
) -> None:
    endpoint = serve({"fault": fault}, OK)
    assert ask(connect(endpoint, retries=1)) == {"draft": "ok"}
    assert len(waits) == 1


def test_retry_after_is_honoured(serve: Serve, connect: Connect, waits: list[float]) -> None:
    assert ask(connect(serve(BUSY, OK), retries=2)) == {"draft": "ok"}
    assert waits == [7.0]


def test_a_retry_after_of_zero_waits_for_the_back_off_at_most(
    serve: Serve, connect: Connect, waits: list[float]
) -> None:
    endpoint = serve({"status": 429, "headers": {"Retry-After": 0}}, OK)
    assert ask(connect(endpoint, retries=2)) == {"draft": "ok"}
    assert len(waits) == 1
    assert waits[0] <= 1


def test_tries_are_bounded(serve: Serve, connect: Connect, waits: list[float]) -> None:
    endpoint = serve({"status": 503, "times": 10})
    with pytest.raises(Stop) as caught:
        ask(connect(endpoint, retries=2))
    assert caught.value.reason == "llm_server_error"
    assert len(endpoint.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize("reply", [BUSY, {"status": 500}, {"fault": "drop"}])
def test_without_retries_there_is_one_try(
    serve: Serve, connect: Connect, waits: list[float], reply: dict[str, Any]
) -> None:
    endpoint = serve(reply, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=0))
    assert endpoint.remaining == 1
    assert waits == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_lasting_fault_is_not_tried_again(
    serve: Serve, connect: Connect, waits: list[float], status: int
) -> None:
    endpoint = serve({"status": status}, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=2))
    assert (endpoint.remaining, waits) == (1, [])


def test_a_bad_answer_is_not_asked_for_again(serve: Serve, connect: Connect, waits: list[float]) -> None:
    endpoint = serve({"content": "no json"}, OK)
    with pytest.raises(Stop):
        ask(connect(endpoint, retries=2))
    assert (endpoint.remaining, waits) == (1, [])


def test_a_process_has_one_pool(serve: Serve, connect: Connect) -> None:
    pool = shared_http_client()
    assert shared_http_client() is pool
    one, other = connect(serve(OK)), connect(serve(OK))
    ask(one)
    ask(other)
    assert one._openai._client is other._openai._client is pool
    assert not pool.is_closed
    assert pool.follow_redirects is False


def test_a_redirect_takes_the_key_nowhere(serve: Serve, connect: Connect) -> None:
    other = serve(OK)
    endpoint = serve({"status": 307, "headers": {"Location": f"{other.base_url}/chat/completions"}})
    with pytest.raises(Stop) as caught:
        ask(connect(endpoint))
    assert caught.value.reason == "llm_server_error"
    assert other.requests == ()


def test_the_phase_is_told_before_the_call(serve: Serve, connect: Connect) -> None:
    told: list[str] = []
    endpoint = serve(OK)
    client = connect(endpoint)
    client._on_call = lambda phase: told.append(f"{phase} {len(endpoint.requests)}")
    ask(client)
    assert told == ["draft 0"]
