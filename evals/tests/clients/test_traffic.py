"""Recording and replay for third-party clients: plain, streamed, and with a tool call."""

from __future__ import annotations

import asyncio
import binascii
import http.server
import json
import struct
import threading

import aiohttp
import anthropic
import botocore.session
import httplib2
import httpx
import pytest
import requests
import urllib3
from botocore.config import Config

from property_support.model_clients import (
    ASKED,
    FORMS,
    REPLIES,
    SCHEMA,
    TEXT,
    chat_body,
    read_body,
    read_lines,
)

pytestmark = pytest.mark.clients

# Created before any run, as in the module of an agent.
EARLY_SESSION = requests.Session()
EARLY_POOL = urllib3.PoolManager()
EARLY_HTTPX = httpx.Client(trust_env=False)


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    EARLY_SESSION.close()
    EARLY_POOL.clear()
    EARLY_HTTPX.close()


def messages_body(form):
    tools = [{"name": "lookup_order", "input_schema": SCHEMA}]
    return {
        "model": "m",
        "max_tokens": 99,
        "messages": ASKED,
        **({"tools": tools} if form == "tool call" else {}),
    }


def read_blocks(message):
    texts = [block.text for block in message.content if block.type == "text"]
    return "".join(texts) or None, [
        (item.name, item.input) for item in message.content if item.type == "tool_use"
    ]


def anthropic_sync(base_url, form):
    with anthropic.Anthropic(api_key="none", base_url=base_url.removesuffix("/v1")) as client:
        if form == "stream":
            with client.messages.stream(**messages_body(form)) as stream:
                return "".join(stream.text_stream), []
        return read_blocks(client.messages.create(**messages_body(form)))


async def anthropic_async(base_url, form):
    async with anthropic.AsyncAnthropic(api_key="none", base_url=base_url.removesuffix("/v1")) as client:
        if form == "stream":
            async with client.messages.stream(**messages_body(form)) as stream:
                return "".join([text async for text in stream.text_stream]), []
        return read_blocks(await client.messages.create(**messages_body(form)))


def httpx_sync(base_url, form):
    url = f"{base_url}/chat/completions"
    if form == "stream":
        with EARLY_HTTPX.stream("POST", url, json=chat_body(form)) as response:
            return read_lines(response.iter_lines())
    return read_body(EARLY_HTTPX.post(url, json=chat_body(form)).json())


async def httpx_async(base_url, form):
    url = f"{base_url}/chat/completions"
    async with httpx.AsyncClient(trust_env=False) as client:
        if form == "stream":
            async with client.stream("POST", url, json=chat_body(form)) as response:
                return read_lines([line async for line in response.aiter_lines()])
        return read_body((await client.post(url, json=chat_body(form))).json())


def requests_session(base_url, form):
    url = f"{base_url}/chat/completions"
    with EARLY_SESSION.post(url, json=chat_body(form), stream=form == "stream", timeout=20) as response:
        return read_lines(response.iter_lines()) if form == "stream" else read_body(response.json())


def requests_plain(base_url, form):
    url = f"{base_url}/chat/completions"
    response = requests.post(url, json=chat_body(form), stream=form == "stream", timeout=20)
    return read_lines(response.iter_lines()) if form == "stream" else read_body(response.json())


def urllib3_pool(base_url, form):
    url = f"{base_url}/chat/completions"
    if form == "stream":
        response = EARLY_POOL.request("POST", url, json=chat_body(form), preload_content=False)
        content = b"".join(response.stream(32))
        response.release_conn()
        return read_lines(content.splitlines())
    return read_body(EARLY_POOL.request("POST", url, json=chat_body(form)).json())


async def aiohttp_session(base_url, form):
    url = f"{base_url}/chat/completions"
    async with aiohttp.ClientSession() as session, session.post(url, json=chat_body(form)) as response:
        if form == "stream":
            return read_lines([line async for line in response.content])
        return read_body(await response.json())


async def aiohttp_base_url(base_url, form):
    async with (
        aiohttp.ClientSession(f"{base_url}/") as session,
        session.post("chat/completions", json=chat_body(form)) as response,
    ):
        if form == "stream":
            chunks = [chunk async for chunk in response.content.iter_any()]
            return read_lines(b"".join(chunks).splitlines())
        return read_body(json.loads(await response.text()))


def httplib2_http(base_url, form):
    connection = httplib2.Http(timeout=20)
    _, content = connection.request(
        f"{base_url}/chat/completions",
        "POST",
        body=json.dumps(chat_body(form)),
        headers={"content-type": "application/json"},
    )
    connection.close()
    return read_lines(content.splitlines()) if form == "stream" else read_body(json.loads(content))


CLIENTS = (
    anthropic_sync,
    anthropic_async,
    httpx_sync,
    httpx_async,
    requests_session,
    requests_plain,
    urllib3_pool,
    aiohttp_session,
    aiohttp_base_url,
    httplib2_http,
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_recorded_call_is_replayed_without_its_server(traffic, client, form):
    traffic.check_round_trip(lambda url: client(url, form), REPLIES[form])


class Bedrock(http.server.BaseHTTPRequestHandler):
    """Answers as Bedrock does: ``converse``, ``converse-stream`` and ``invoke``."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(self.path)
        kind = "application/json"
        if self.path.endswith("converse-stream"):
            kind = "application/vnd.amazon.eventstream"
            content = b"".join(
                _event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": part}})
                for part in TEXT.split(" ")
            )
            content += _event("messageStop", {"stopReason": "end_turn"})
        elif self.path.endswith("invoke"):
            content = json.dumps({"completion": TEXT}).encode()
        else:
            tool = {"toolUse": {"toolUseId": "t1", "name": "lookup_order", "input": {"id": 81}}}
            block = tool if "toolConfig" in asked else {"text": TEXT}
            content = json.dumps({"output": {"message": {"role": "assistant", "content": [block]}}}).encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Print nothing."""


def _event(name, value):
    # The binary frames of AWS: prelude with checksum, headers, payload, checksum.
    headers = b"".join(
        bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(text)) + text.encode()
        for key, text in (
            (":event-type", name),
            (":content-type", "application/json"),
            (":message-type", "event"),
        )
    )
    payload = json.dumps(value).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    prelude += struct.pack(">I", binascii.crc32(prelude))
    message = prelude + headers + payload
    return message + struct.pack(">I", binascii.crc32(message))


@pytest.fixture
def bedrock():
    """Serve Bedrock's API on loopback; closed by the test or after it."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bedrock) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def bedrock_client(server):
    host, port = server.server_address
    return botocore.session.Session().create_client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=f"http://{host}:{port}",
        aws_access_key_id="none",
        aws_secret_access_key="none",  # noqa: S106 - a dummy
        config=Config(retries={"max_attempts": 0}),
    )


@pytest.mark.parametrize("form", [*FORMS, "invoke"])
def test_bedrock_is_replayed_without_its_server(traffic, bedrock, form):
    early = bedrock_client(bedrock)
    asked = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Where is order 81?"}]}]}

    def work():
        if form == "invoke":
            return json.loads(early.invoke_model(modelId="m", body=b'{"prompt": "x"}')["body"].read())[
                "completion"
            ]
        if form == "stream":
            events = early.converse_stream(**asked)["stream"]
            return " ".join(
                event["contentBlockDelta"]["delta"]["text"]
                for event in events
                if "contentBlockDelta" in event
            )
        tools = {
            "toolConfig": {"tools": [{"toolSpec": {"name": "lookup_order", "inputSchema": {"json": SCHEMA}}}]}
        }
        answer = early.converse(**asked, **(tools if form == "tool call" else {}))
        (block,) = answer["output"]["message"]["content"]
        return block.get("text") or block["toolUse"]["input"]

    recorded, calls = traffic.record(work)
    assert recorded == ({"id": 81} if form == "tool call" else TEXT)
    bedrock.server_close()
    assert traffic.replay(work, calls) == recorded
    assert (traffic.attempts, traffic.scope.cassette.unplayed, len(bedrock.asked)) == ((), (), 1)
    assert "none" not in str(calls)


def test_call_in_separate_event_loop_belongs_to_the_run(traffic):
    endpoint = traffic.serve(REPLIES["plain"])

    def work():
        return asyncio.run(aiohttp_session(endpoint.base_url, "plain"))

    recorded, calls = traffic.record(work)
    endpoint.close()
    assert traffic.replay(work, calls) == recorded
