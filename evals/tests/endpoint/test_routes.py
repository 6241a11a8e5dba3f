"""Routes, order of the script, and refused requests."""

from __future__ import annotations

import json

import openai
import pytest

from redpen_evals.endpoint.server import SCRIPT_EXHAUSTED
from redpen_evals.endpoint.wire import MAX_BODY_BYTES, MAX_HEAD_BYTES

GOOD_BODY = b'{"model": "m", "messages": [{"role": "user", "content": "x"}]}'


def request(body=b"", *, line="POST /v1/chat/completions HTTP/1.1", headers=""):
    """Return a raw request; Content-Length is added unless ``headers`` frame the body."""
    framed = "content-length" in headers.lower() or "transfer-encoding" in headers.lower()
    length = "" if framed else f"Content-Length: {len(body)}\r\n"
    return f"{line}\r\nHost: x\r\n{headers}{length}\r\n".encode() + body


def read(answer):
    """Return status and JSON body of one raw response."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), json.loads(body)


def test_replies_are_served_in_order_and_repeated_by_times(serve, ask):
    endpoint = serve({"content": "one"}, {"content": "two", "times": 2}, {"content": "three"})
    assert endpoint.remaining == 4
    answers = [ask(endpoint) for _ in range(4)]
    assert [answer.choices[0].message.content for answer in answers] == ["one", "two", "two", "three"]
    assert [answer.id for answer in answers] == [f"chatcmpl-scripted-{number}" for number in (1, 2, 3, 4)]
    assert endpoint.remaining == 0


@pytest.mark.parametrize("replies", [(), ({"content": "only"},)])
def test_exhausted_script_is_refused(serve, ask, replies):
    endpoint = serve(*replies)
    for _ in replies:
        ask(endpoint)
    assert endpoint.refused_calls == 0
    with pytest.raises(openai.BadRequestError) as caught:
        ask(endpoint)
    assert caught.value.code == SCRIPT_EXHAUSTED == "script_exhausted"
    assert "used up" in str(caught.value)
    assert (endpoint.refused_calls, endpoint.remaining) == (1, 0)
    assert endpoint.requests[-1].call is None


def test_looping_script_restarts(serve, ask):
    endpoint = serve({"content": "a"}, {"content": "b"}, loop=True)
    texts = [ask(endpoint).choices[0].message.content for _ in range(5)]
    assert texts == ["a", "b", "a", "b", "a"]
    assert (endpoint.remaining, endpoint.refused_calls) == (1, 0)


def test_looping_script_without_replies_is_exhausted(serve, ask):
    with pytest.raises(openai.BadRequestError):
        ask(serve(loop=True))


def test_models_are_listed_and_retrieved(serve, connect):
    client = connect(serve(model="house/writer-1"))
    assert [model.id for model in client.models.list()] == ["house/writer-1"]
    assert client.models.retrieve("house/writer-1").object == "model"
    with pytest.raises(openai.NotFoundError) as caught:
        client.models.retrieve("gpt-9")
    assert caught.value.code == "model_not_found"


@pytest.mark.parametrize(
    "line",
    [
        "GET /v1/chat/completions HTTP/1.1",
        "POST /v1/models HTTP/1.1",
        "POST /v1/embeddings HTTP/1.1",
        "DELETE /v1/models/scripted HTTP/1.1",
        "GET / HTTP/1.1",
        "POST /v1/completions HTTP/1.1",
        "POST /v1/threads/thread_1/messages HTTP/1.1",
    ],
)
def test_unknown_route_is_404(serve, exchange, line):
    endpoint = serve({"content": "kept"})
    status, body = read(exchange(endpoint, request(GOOD_BODY, line=line)))
    assert status == 404
    assert set(body["error"]) == {"message", "type", "param", "code"}
    assert endpoint.remaining == 1


def test_head_answer_has_no_body(serve, exchange):
    answer = exchange(serve(), request(line="HEAD /v1/models HTTP/1.1"))
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("target", ["/v1/models?limit=1", "http://localhost/v1/models"])
def test_query_and_absolute_target_are_accepted(serve, exchange, target):
    status, body = read(exchange(serve(), request(line=f"GET {target} HTTP/1.1")))
    assert (status, body["data"][0]["id"]) == (200, "scripted")


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"", None),
        (b"{", None),
        (b"[]", None),
        (b"\xff\xfe", None),
        (b'{"model": NaN}', None),
        (b"[" * 100_000, None),
        (b'{"messages": [{"role": "user", "content": "x"}]}', "model"),
        (b'{"model": " ", "messages": [{}]}', "model"),
        (b'{"model": 4, "messages": [{}]}', "model"),
        (b'{"model": "m"}', "messages"),
        (b'{"model": "m", "messages": []}', "messages"),
        (b'{"model": "m", "messages": "hello"}', "messages"),
        (b'{"model": "m", "messages": ["hello"]}', "messages"),
        (GOOD_BODY[:-1] + b', "stream": "yes"}', "stream"),
        (GOOD_BODY[:-1] + b', "stream": 1}', "stream"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_invalid_chat_body_is_refused_and_consumes_no_reply(serve, exchange, body, param):
    endpoint = serve({"content": "kept"})
    status, answer = read(exchange(endpoint, request(body)))
    assert (status, answer["error"]["param"]) == (400, param)
    assert answer["error"]["code"]
    assert endpoint.remaining == 1
    assert endpoint.requests[-1].call is None


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"get /v1/models HTTP/1.1\r\n\r\n", 400),
        (b"GET /v1/models HTTP/2.0\r\n\r\n", 400),
        (b"GET http://[ HTTP/1.1\r\n\r\n", 400),
        (b"GET /v1/models HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (request(headers="Content-Length: -1\r\n"), 400),
        (request(headers="Content-Length: 1_0\r\n"), 400),
        (request(headers="Content-Length: 5\r\nContent-Length: 6\r\n"), 400),
        (request(headers="Transfer-Encoding: chunked\r\n"), 411),
        (request(headers=f"Content-Length: {MAX_BODY_BYTES + 1}\r\n"), 413),
        (request(headers="X-Long: " + "x" * 2 * MAX_HEAD_BYTES + "\r\n"), 431),
        (b"\x16\x03\x01" + b"\x00" * 100 + b"\r\n\r\n", 400),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_malformed_http_is_refused(serve, exchange, data, status):
    endpoint = serve({"content": "kept"})
    answered, body = read(exchange(endpoint, data))
    assert answered == status
    assert body["error"]["message"]
    assert endpoint.remaining == 1


def test_body_size_is_limited(serve, ask):
    endpoint = serve({"content": "read"})
    with pytest.raises(openai.APIStatusError) as caught:
        ask(endpoint, "x" * MAX_BODY_BYTES)
    assert caught.value.status_code == 413
    assert ask(endpoint, "x" * (MAX_BODY_BYTES - 1000)).choices[0].message.content == "read"


@pytest.mark.parametrize("data", [b"", b"POST /v1/chat", request(headers="Content-Length: 10\r\n") + b"{"])
def test_incomplete_request_is_not_a_call(serve, exchange, data):
    endpoint = serve({"content": "kept"})
    assert exchange(endpoint, data) == b""
    assert (endpoint.remaining, endpoint.requests) == (1, ())


def test_expect_100_continue_is_answered(serve, exchange):
    answer = exchange(serve({"content": "x"}), request(GOOD_BODY, headers="Expect: 100-continue\r\n"))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")


def test_connection_is_kept_alive_until_client_closes_it(serve, exchange):
    endpoint = serve({"content": "x", "times": 3})
    last = request(GOOD_BODY, headers="Connection: close\r\n")
    answer = exchange(endpoint, request(GOOD_BODY) + last + request(GOOD_BODY))
    assert answer.count(b"HTTP/1.1 200 OK") == 2
    assert b"Connection: close" in answer
    assert endpoint.remaining == 1


def test_http_1_0_connection_gets_one_answer(serve, exchange):
    old = request(GOOD_BODY, line="POST /v1/chat/completions HTTP/1.0")
    assert exchange(serve({"content": "x", "times": 2}), old * 2).count(b"200 OK") == 1


def test_requests_are_kept_without_credentials(serve, ask, exchange):
    endpoint = serve({"content": "a"}, {"content": "b"})
    ask(endpoint, "привіт")
    headers = "Authorization: Bearer sk-secret\r\nX-Api-Key: sk-secret\r\nCookie: sk-secret\r\nX-Kind: b\r\n"
    exchange(endpoint, request(GOOD_BODY, headers=headers))
    exchange(endpoint, request(line="GET /v1/models HTTP/1.1"))
    first, second, third = endpoint.requests
    assert first.body["messages"] == [{"role": "user", "content": "привіт"}]
    assert (first.method, first.path, first.call) == ("POST", "/v1/chat/completions", 1)
    assert "authorization" not in first.headers
    assert "test-key" not in repr(first)
    assert second.headers["x-kind"] == "b"
    assert "sk-secret" not in repr(second)
    assert (third.method, third.path, third.body, third.call) == ("GET", "/v1/models", None, None)


def test_requests_are_not_kept_when_disabled(serve, ask):
    endpoint = serve({"content": "a"}, keep_requests=False)
    ask(endpoint)
    assert endpoint.requests == ()
