"""Third-party clients raise their own exceptions in replay and do not retry misses."""

from __future__ import annotations

import gzip
import importlib.util
import itertools
import json
import zlib

import aiohttp
import anthropic
import botocore.session
import httplib2
import httpx
import openai
import pytest
import requests
import urllib3

from property_support.model_clients import FAILURES, calling, check_failure, failing
from redpen_evals.targets.calling import LOOPS

pytestmark = pytest.mark.clients

BODY = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
JSON = {"content-type": "application/json"}
SSE = {"content-type": "text/event-stream"}


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    LOOPS.close()


def with_httpx(url, timeout_s):
    with httpx.Client(trust_env=False, timeout=timeout_s) as client:
        return client.post(url, json=BODY).content


async def with_httpx_async(url, timeout_s):
    async with httpx.AsyncClient(trust_env=False, timeout=timeout_s) as client:
        return (await client.post(url, json=BODY)).content


def with_requests(url, timeout_s):
    with requests.Session() as session:
        return session.post(url, json=BODY, timeout=timeout_s).content


def with_urllib3(url, timeout_s):
    with urllib3.PoolManager() as pool:
        return pool.request("POST", url, json=BODY, timeout=timeout_s, retries=False).data


async def with_aiohttp(url, timeout_s):
    limits = aiohttp.ClientTimeout(total=None, sock_read=timeout_s)
    async with aiohttp.ClientSession(timeout=limits) as session, session.post(url, json=BODY) as response:
        return await response.read()


async def with_aiohttp_in_all(url, timeout_s):
    limits = aiohttp.ClientTimeout(total=timeout_s)
    async with aiohttp.ClientSession(timeout=limits) as session, session.post(url, json=BODY) as response:
        return await response.read()


def with_httplib2(url, timeout_s):
    connection = httplib2.Http(timeout=timeout_s)
    try:
        return connection.request(url, "POST", body=json.dumps(BODY), headers=JSON)[1]
    finally:
        connection.close()


def with_anthropic(url, timeout_s):
    base_url = url.removesuffix("/v1/chat/completions")
    with anthropic.Anthropic(api_key="none", base_url=base_url, max_retries=0, timeout=timeout_s) as client:
        return client.messages.create(max_tokens=9, **BODY).content[0].text.encode()


CLIENTS = (
    with_httpx,
    with_httpx_async,
    with_requests,
    with_urllib3,
    with_aiohttp,
    with_aiohttp_in_all,
    with_httplib2,
    with_anthropic,
)


def chat(base_url):
    return f"{base_url}/chat/completions"


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_failed_call_is_replayed(traffic, closed_port, client, failure):
    check_failure(traffic, lambda url, timeout_s: client(chat(url), timeout_s), failure, closed_port)


def bedrock(url):
    return botocore.session.Session().create_client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=url,
        aws_access_key_id="none",
        aws_secret_access_key="none",  # noqa: S106 - a dummy
    )


def test_refused_connection_of_bedrock_is_replayed(traffic, closed_port, monkeypatch):
    # The client sleeps between its attempts.
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    client = bedrock(closed_port)
    work = failing(lambda: client.invoke_model(modelId="m", body=b"{}"))
    recorded, calls = traffic.record(work)
    assert recorded[0].__name__ == "EndpointConnectionError"
    assert traffic.replay(work, calls) == recorded
    assert (traffic.attempts, traffic.scope.cassette.misses, traffic.scope.cassette.unplayed) == ((), [], ())


def ask_openai():
    with openai.OpenAI(api_key="none") as client:
        return client.chat.completions.create(**BODY)


def ask_anthropic():
    with anthropic.Anthropic(api_key="none") as client:
        return client.messages.create(max_tokens=9, **BODY)


def ask_bedrock():
    return bedrock("https://bedrock.invalid").invoke_model(modelId="m", body=b"{}")


def ask_requests():
    retries = urllib3.Retry(total=3, status_forcelist=[429, 500, 502, 503, 504], allowed_methods=None)
    with requests.Session() as session:
        session.mount("https://", requests.adapters.HTTPAdapter(max_retries=retries))
        session.post("https://model.invalid/v1/chat/completions", json=BODY, timeout=9).raise_for_status()


@pytest.mark.parametrize("ask", [ask_openai, ask_anthropic, ask_bedrock, ask_requests])
def test_miss_is_not_retried(traffic, ask):
    def work():
        try:
            ask()
        except Exception as error:  # noqa: BLE001 - each library has its own
            return str(error)

    output = traffic.replay(work, ())
    assert "400" in output
    assert (len(traffic.scope.cassette.misses), traffic.attempts) == (1, ())


PACKED = {"gzip": gzip.compress, "deflate": zlib.compress}
if importlib.util.find_spec("zstandard"):
    import zstandard

    PACKED["zstd"] = zstandard.ZstdCompressor().compress
if importlib.util.find_spec("brotli"):
    import brotli

    PACKED["br"] = brotli.compress


def _has_backports():
    return bool(importlib.util.find_spec("backports")) and bool(importlib.util.find_spec("backports.zstd"))


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("client", CLIENTS[:-1], ids=lambda client: client.__name__)
def test_compressed_answer_is_stored_decompressed(traffic, client, encoding):
    if encoding == "zstd" and "aiohttp" in client.__name__ and not _has_backports():
        pytest.skip("aiohttp wants another library for this")
    packed = PACKED[encoding](b'{"text":"Where is order 81?"}')
    server = traffic.serve_http((200, {**JSON, "content-encoding": encoding}, [packed]))
    _, calls = traffic.record(calling(client, server.url, 20.0))
    (call,) = calls
    assert call.response.body.value == {"text": "Where is order 81?"}
    assert "content-encoding" not in call.response.headers
    assert traffic.replay(calling(client, server.url, 20.0), calls) == b'{"text":"Where is order 81?"}'


STREAMING = (with_httpx, with_httpx_async, with_requests, with_urllib3, with_aiohttp)


@pytest.mark.parametrize("bound", ["size", "time"])
@pytest.mark.parametrize("client", STREAMING, ids=lambda client: client.__name__)
def test_endless_stream_is_stopped_by_size_or_time(traffic, client, bound):
    piece = b"data: " + b"x" * (100_000 if bound == "size" else 1) + b"\n\n"
    server = traffic.serve_http((200, SSE, itertools.repeat(piece)))
    limit = {"deadline_s": 0.0} if bound == "time" else {}
    output, calls = traffic.record(failing(client, server.url, 20.0), **limit)
    assert traffic.scope.problems[0].startswith(f"unrecordable: the response of POST {server.url}")
    assert (output[0].__name__, calls) == ("UnrecordableError", ())


EVENTS = [b"data: 1\n\n", b"data: 2\n\n", b"data: [DONE]\n\n"]


async def _lines_of_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return [line.rstrip() async for line in response.content]


def _lines_of_requests(url):
    with requests.get(url, stream=True, timeout=20) as response:
        return list(response.iter_lines())


def _lines_of_urllib3(url):
    with urllib3.PoolManager() as pool:
        response = pool.request("GET", url, preload_content=False)
        return [line.rstrip() for line in response]


@pytest.mark.parametrize("read", [_lines_of_aiohttp, _lines_of_requests, _lines_of_urllib3])
def test_stream_is_replayed_line_by_line(traffic, read):
    server = traffic.serve_http((200, SSE, EVENTS))

    work = calling(read, server.url)
    recorded, calls = traffic.record(work)
    assert recorded == [b"data: 1", b"", b"data: 2", b"", b"data: [DONE]", b""]
    assert traffic.replay(work, calls) == recorded


async def _aiohttp_form(url):
    form = aiohttp.FormData()
    form.add_field("b", "2")
    form.add_field("a", b"text of a file", filename="a.txt")
    async with aiohttp.ClientSession() as session, session.post(url, data=form) as response:
        return await response.json()


@pytest.mark.parametrize(
    "ask",
    [
        lambda url: requests.post(url, data={"b": "2", "a": "1"}, timeout=20).json(),
        lambda url: requests.post(url, files={"f": ("a.txt", b"text")}, timeout=20).json(),
        lambda url: httpx.post(url, files={"f": ("a.txt", b"text")}, trust_env=False).json(),
        lambda url: urllib3.request("POST", url, fields={"b": "2", "f": ("a.txt", b"text")}).json(),
        _aiohttp_form,
    ],
    ids=["requests form", "requests parts", "httpx parts", "urllib3 parts", "aiohttp form"],
)
def test_form_and_multipart_requests_match_in_replay(traffic, ask):
    server = traffic.serve_http((200, JSON, [b'{"n": 1}']))
    recorded, calls = traffic.record(calling(ask, server.url))
    assert traffic.replay(calling(ask, server.url), calls) == recorded == {"n": 1}
    assert (traffic.scope.cassette.misses, traffic.attempts) == ([], ())
