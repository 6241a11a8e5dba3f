"""Streams: recorded completely, replayed event by event; compressed and endless streams."""

from __future__ import annotations

import gzip
import itertools
import json
import urllib.request
import zlib

import httpx2
import openai
import pytest

from redpen_evals.cassettes.encoding import body_bytes
from redpen_evals.model_calls.reading import split_events
from redpen_evals.targets.calling import LOOPS
from redpen_evals.traffic.bodies import MAX_RESPONSE_BYTES

SSE = {"content-type": "text/event-stream"}
EVENTS = [
    b'data: {"n": 1}\n\n',
    b": note\r\n\r\n",
    'event: x\ndata: "ж\n'.encode() + b"data: b\n\n",
    b"data: [DONE]\n\n",
]


def with_httpx2(url):
    with httpx2.Client(trust_env=False) as client, client.stream("GET", url) as response:
        return list(response.iter_bytes())


def with_httpx2_async(url):
    async def read():
        async with httpx2.AsyncClient(trust_env=False) as client, client.stream("GET", url) as response:
            return [chunk async for chunk in response.aiter_bytes()]

    return LOOPS.get().run_until_complete(read())


def with_urllib(url):
    with urllib.request.urlopen(url, timeout=20) as response:  # noqa: S310 - an address of the test's own
        return list(response)


CLIENTS = (with_httpx2, with_httpx2_async, with_urllib)


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    LOOPS.close()


@pytest.mark.parametrize("client", CLIENTS[:2], ids=lambda client: client.__name__)
def test_events_are_replayed_one_by_one(traffic, client):
    # The server's chunks do not follow the events.
    content = b"".join(EVENTS)
    server = traffic.serve_http((200, SSE, [content[:7], content[7:30], content[30:]]))
    recorded, calls = traffic.record(lambda: client(server.url))
    assert recorded == EVENTS
    assert traffic.replay(lambda: client(server.url), calls) == EVENTS


def test_lines_are_replayed_one_by_one(traffic):
    server = traffic.serve_http((200, SSE, EVENTS))
    recorded, calls = traffic.record(lambda: with_urllib(server.url))
    assert recorded == [line for event in EVENTS for line in event.splitlines(keepends=True)]
    assert traffic.replay(lambda: with_urllib(server.url), calls) == recorded


def test_stream_closed_early_is_recorded_completely(traffic):
    endpoint = traffic.serve({"content": "one two three four"})

    def work():
        with openai.OpenAI(api_key="none", base_url=endpoint.base_url) as client:
            asked = [{"role": "user", "content": "x"}]
            with client.chat.completions.create(model="m", messages=asked, stream=True) as stream:
                return next(iter(stream)).choices[0].delta.role

    recorded, calls = traffic.record(work)
    (call,) = calls
    assert body_bytes(call.response.body).endswith(b"data: [DONE]\n\n")
    assert traffic.replay(work, calls) == recorded == "assistant"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_compressed_answer_is_stored_decompressed(traffic, client, encoding):
    content = json.dumps({"text": "Where is order 81?"}).encode()
    packed = gzip.compress(content) if encoding == "gzip" else zlib.compress(content)
    server = traffic.serve_http(
        (200, {"content-type": "application/json", "content-encoding": encoding}, [packed])
    )
    recorded, calls = traffic.record(lambda: b"".join(client(server.url)))
    assert recorded == (packed if client is with_urllib else content)
    (call,) = calls
    assert call.response.body.value == {"text": "Where is order 81?"}
    assert "content-encoding" not in call.response.headers
    assert json.loads(traffic.replay(lambda: b"".join(client(server.url)), calls)) == json.loads(content)


def test_compressed_stream_is_replayed_event_by_event(traffic):
    packed = gzip.compress(b"".join(EVENTS))
    server = traffic.serve_http((200, {**SSE, "content-encoding": "gzip"}, [packed[:9], packed[9:]]))
    recorded, calls = traffic.record(lambda: b"".join(with_httpx2(server.url)))
    assert recorded == b"".join(EVENTS)
    assert traffic.replay(lambda: with_httpx2(server.url), calls) == EVENTS


def swallowed(client, url):
    """Return a function that makes a call and swallows every exception, as some agents do."""

    def work():
        try:
            return client(url)
        except Exception as error:  # noqa: BLE001 - as such an agent does
            return f"{type(error).__name__}: {error}"

    return work


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_endless_stream_is_stopped_by_size_limit(traffic, client):
    piece = b"data: " + b"x" * 100_000 + b"\n\n"
    server = traffic.serve_http((200, SSE, itertools.repeat(piece)))
    output, calls = traffic.record(swallowed(client, server.url))
    problem = f"unrecordable: the response of GET {server.url}"
    assert traffic.scope.problems[0].startswith(problem)
    assert traffic.scope.problems[0].endswith(f"is larger than {MAX_RESPONSE_BYTES:,} bytes")
    assert (output.partition(": ")[0], calls) == ("UnrecordableError", ())


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_endless_stream_is_stopped_by_deadline(traffic, client):
    server = traffic.serve_http((200, SSE, itertools.repeat(b"data: tick\n\n")))
    _, calls = traffic.record(swallowed(client, server.url), deadline_s=0.0)
    (problem,) = traffic.scope.problems
    assert problem.endswith("had not ended when the run's time was over")
    assert calls == ()


def test_unsupported_encoding_is_reported(traffic):
    server = traffic.serve_http((200, {"content-encoding": "snappy"}, [b"\xff\xfe\x00"]))
    traffic.record(swallowed(with_httpx2, server.url))
    (problem,) = traffic.scope.problems
    assert problem.startswith(f"unrecordable: the response of GET {server.url}")
    assert "packed as 'snappy'" in problem


@pytest.mark.parametrize(
    ("content", "events"),
    [
        (b"", []),
        (b"data: 1", [b"data: 1"]),
        (b"data: 1\n\ndata: 2", [b"data: 1\n\n", b"data: 2"]),
        (b"data: 1\r\rdata: 2\r\n\r\n", [b"data: 1\r\r", b"data: 2\r\n\r\n"]),
        (b"\n\n\n\n", [b"\n\n", b"\n\n"]),
    ],
)
def test_split_events_keeps_bytes_of_each_event(content, events):
    assert split_events(content) == events
