"""Behaviour common to all streams: text pieces, HTTP chunks, faults, one script for every API."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.endpoint.answer import split_text

MESSAGES = [{"role": "user", "content": "x"}]
REQUESTS = {
    "/v1/chat/completions": {"model": "m", "messages": MESSAGES},
    "/v1/responses": {"model": "m", "input": "x"},
    "/v1/messages": {"model": "m", "messages": MESSAGES, "max_tokens": 9},
}
TEXT = "The answer is long enough to come in more than two pieces."


def raw_request(path, *, minor=1):
    body = json.dumps({**REQUESTS[path], "stream": True}).encode()
    head = f"POST {path} HTTP/1.{minor}\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@given(st.one_of(st.text(), st.text(alphabet="ab \n")))
def test_split_text_has_two_or_more_bounded_pieces(text):
    pieces = split_text(text)
    assert "".join(pieces) == text
    assert all(pieces)
    assert len(pieces) >= min(2, len(text))
    assert max(map(len, pieces), default=0) <= 3 * 48


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("x", ["x"]),
        ("{}", ["{", "}"]),
        ("one two", ["one ", "two"]),
        ("one two three", ["one ", "two three"]),
        ("one  two\nthree four", ["one  two\nthree ", "four"]),
        ("a" * 80, ["a" * 72, "a" * 8]),
    ],
)
def test_split_text_splits_at_words(text, pieces):
    assert split_text(text) == pieces


@pytest.mark.parametrize("path", REQUESTS)
def test_each_event_is_one_http_chunk(serve, exchange, path):
    head, _, body = exchange(serve({"content": TEXT}), raw_request(path)).partition(b"\r\n\r\n")
    assert b"\r\nTransfer-Encoding: chunked" in head
    assert b"Content-Length" not in head
    *chunks, last = body.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert last == b"0"
    sizes, contents = chunks[::2], chunks[1::2]
    assert [int(size, 16) for size in sizes] == [len(content) for content in contents]
    assert len(contents) > 4
    assert all(content.endswith(b"\n\n") and content.count(b"\n\n") == 1 for content in contents)


@pytest.mark.parametrize("path", REQUESTS)
def test_http_1_0_stream_has_content_length(serve, exchange, path):
    endpoint = serve({"content": TEXT})
    head, _, body = exchange(endpoint, raw_request(path, minor=0)).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding" not in head
    assert f"Content-Length: {len(body)}".encode() in head
    assert body.endswith(b"\n\n")


def test_streams_and_plain_answers_alternate(serve, post):
    endpoint = serve({"content": TEXT, "times": 6})
    for path, body in REQUESTS.items():
        assert post(endpoint, path, {**body, "stream": True}).headers["content-type"].startswith("text/event")
        assert post(endpoint, path, {**body, "stream": None}).headers["content-type"] == "application/json"
    assert endpoint.remaining == 0


def test_stream_is_deterministic(serve, post):
    reply = {"content": TEXT, "tool_calls": [{"name": "f", "args": {"a": 1}}]}
    for path, body in REQUESTS.items():
        first, second = (post(serve(reply), path, {**body, "stream": True}).content for _ in range(2))
        assert first == second


@pytest.mark.parametrize("text", ["\ud83d\ude00\ud800", "a\u2028b\x85c\r\nd", "ж" * 100])
def test_unusual_text_survives_stream(serve, connect, text):
    client = connect(serve({"content": text}))
    stream = client.chat.completions.create(model="m", messages=MESSAGES, stream=True)
    received = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    assert received == text


@pytest.mark.parametrize("path", REQUESTS)
@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
def test_raw_body_is_served_unchanged_in_every_api(serve, post, path, stream):
    broken = {"body": "data: {broken", "headers": {"content-type": "text/event-stream"}}
    endpoint = serve({"body": '{"cut": '}, {"body_base64": "/w=="}, broken, {"status": 502, "body": "<html>"})
    body = {**REQUESTS[path], "stream": stream}
    answers = [post(endpoint, path, body) for _ in range(4)]
    assert [answer.content for answer in answers] == [b'{"cut": ', b"\xff", b"data: {broken", b"<html>"]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 502]
    assert answers[2].headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("path", ["/v1/responses", "/v1/messages"])
def test_choices_reply_is_refused_outside_chat_completions(serve, post, path, stream):
    endpoint = serve({"choices": []}, {"content": "next"})
    response = post(endpoint, path, {**REQUESTS[path], "stream": stream})
    assert response.status_code == 400
    message = response.json()["error"]["message"]
    assert "Reply 1 of the script is given as `choices`, which only chat completions have" in message
    assert endpoint.remaining == 1


def test_calls_of_different_apis_share_one_script(serve, post):
    endpoint = serve(*({"content": text} for text in ("one", "two", "three")))
    chat, response, message = (post(endpoint, path, body).json() for path, body in REQUESTS.items())
    assert chat["choices"][0]["message"]["content"] == "one"
    assert response["output"][0]["content"][0]["text"] == "two"
    assert message["content"][0]["text"] == "three"
    assert [request.call for request in endpoint.requests] == [1, 2, 3]
    assert (chat["id"], response["id"], message["id"]) == (
        "chatcmpl-scripted-1",
        "resp_scripted_2",
        "msg_scripted_3",
    )


@pytest.mark.parametrize("path", REQUESTS)
@pytest.mark.parametrize("fault", ["truncate", "malformed_chunks"])
def test_fault_truncates_stream(serve, path, fault):
    endpoint = serve({"fault": fault}, {"content": "after"})
    url = endpoint.anthropic_base_url + path
    parts = []
    with httpx2.Client(trust_env=False, timeout=30) as client:
        with (
            client.stream("POST", url, json={**REQUESTS[path], "stream": True}) as response,
            pytest.raises(httpx2.RemoteProtocolError),
        ):
            parts.extend(response.iter_raw())
        assert response.headers["content-type"].startswith("text/event-stream")
        assert client.post(url, json=REQUESTS[path]).status_code == 200
    received = b"".join(parts)
    assert b"\n\n" in received
    assert received.count(b"data: ") > 1


@pytest.mark.parametrize("path", REQUESTS)
@pytest.mark.parametrize("fault", ["drop", "reset", "refuse_headers", "garbage"])
def test_connection_fault_breaks_stream(serve, path, fault):
    endpoint = serve({"fault": fault})
    url = endpoint.anthropic_base_url + path
    with httpx2.Client(trust_env=False, timeout=30) as client, pytest.raises(httpx2.TransportError):
        client.post(url, json={**REQUESTS[path], "stream": True})


def test_anthropic_base_url_has_no_version(serve):
    endpoint = serve()
    assert endpoint.base_url == endpoint.anthropic_base_url + "/v1"
    assert urlsplit(endpoint.anthropic_base_url).path == ""
