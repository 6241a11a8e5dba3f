"""Recording and replay for each HTTP client: plain, streamed, and with a tool call."""

from __future__ import annotations

import json
import urllib.request

import httpx2
import openai
import pytest

from property_support.model_clients import (
    FORMS,
    REPLIES,
    TOOL,
    chat_body,
    read_body,
    read_lines,
    read_message,
)
from redpen_evals.targets.calling import LOOPS

# Created before any run, as in the module of an agent.
EARLY_SYNC = openai.OpenAI(api_key="none", base_url="http://early.invalid/v1")
EARLY_ASYNC = openai.AsyncOpenAI(api_key="none", base_url="http://early.invalid/v1")
EARLY_HTTPX2 = httpx2.Client(trust_env=False)


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    LOOPS.get().run_until_complete(EARLY_ASYNC.close())
    EARLY_SYNC.close()
    EARLY_HTTPX2.close()
    LOOPS.close()


def read_sdk_chunks(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), []


def openai_chat(base_url, form):
    client = EARLY_SYNC.with_options(base_url=base_url)
    answer = client.chat.completions.create(**chat_body(form))
    if form == "stream":
        return read_sdk_chunks(answer)
    return read_message(answer.choices[0].message.model_dump())


async def openai_chat_async(base_url, form):
    client = EARLY_ASYNC.with_options(base_url=base_url)
    answer = await client.chat.completions.create(**chat_body(form))
    if form == "stream":
        return read_sdk_chunks([chunk async for chunk in answer])
    return read_message(answer.choices[0].message.model_dump())


def responses_body(form):
    body = {"model": "m", "input": "Where is order 81?"}
    if form == "tool call":
        body["tools"] = [{"type": "function", "strict": False, **TOOL}]
    return body


def read_response(response):
    calls = [
        (item.name, json.loads(item.arguments)) for item in response.output if item.type == "function_call"
    ]
    return response.output_text or None, calls


def openai_responses(base_url, form):
    with openai.OpenAI(api_key="none", base_url=base_url) as client:
        if form == "stream":
            with client.responses.stream(**responses_body(form)) as stream:
                texts = [event.delta for event in stream if event.type == "response.output_text.delta"]
                final = stream.get_final_response()
            assert final.output_text == "".join(texts)
            return "".join(texts), []
        return read_response(client.responses.create(**responses_body(form)))


async def openai_responses_async(base_url, form):
    async with openai.AsyncOpenAI(api_key="none", base_url=base_url) as client:
        if form == "stream":
            async with client.responses.stream(**responses_body(form)) as stream:
                texts = [event.delta async for event in stream if event.type == "response.output_text.delta"]
            return "".join(texts), []
        return read_response(await client.responses.create(**responses_body(form)))


def httpx2_sync(base_url, form):
    url = f"{base_url}/chat/completions"
    if form == "stream":
        with EARLY_HTTPX2.stream("POST", url, json=chat_body(form)) as response:
            return read_lines(response.iter_lines())
    return read_body(EARLY_HTTPX2.post(url, json=chat_body(form)).json())


async def httpx2_async(base_url, form):
    url = f"{base_url}/chat/completions"
    async with httpx2.AsyncClient(trust_env=False) as client:
        if form == "stream":
            async with client.stream("POST", url, json=chat_body(form)) as response:
                return read_lines([line async for line in response.aiter_lines()])
        return read_body((await client.post(url, json=chat_body(form))).json())


def urllib_request(base_url, form):
    request = urllib.request.Request(  # noqa: S310 - an address of the test's own
        f"{base_url}/chat/completions",
        data=json.dumps(chat_body(form)).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
        if form == "stream":
            return read_lines(response)
        return read_body(json.load(response))


CLIENTS = (
    openai_chat,
    openai_chat_async,
    openai_responses,
    openai_responses_async,
    httpx2_sync,
    httpx2_async,
    urllib_request,
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_recorded_call_is_replayed_without_its_server(traffic, client, form):
    traffic.check_round_trip(lambda url: client(url, form), REPLIES[form])
