"""Anthropic's client against the scripted endpoint's Messages API."""

from __future__ import annotations

import asyncio

import anthropic
import httpx2
import pytest

pytestmark = pytest.mark.clients

TEXT = "Order 81 was sent on Monday and arrives this week."
TOOL_CALLS = [{"name": "lookup_order", "args": {"id": 81, "note": "ж"}}, {"name": "close", "id": "mine"}]
REPLIES = [
    {"content": TEXT},
    {"content": ""},
    {"content": None},
    {"json": {"draft": "Оплата недоступна\u2028 — 27 %", "n": [1, None]}},
    {"refusal": "I cannot help with that."},
    {"tool_calls": TOOL_CALLS},
    {"content": "Let me look that up.", "tool_calls": TOOL_CALLS},
    {"content": "cut o", "finish_reason": "length", "usage": {"prompt_tokens": 70, "completion_tokens": 3}},
]
ASKED = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "Where is order 81?"}]}


@pytest.fixture
def connect():
    """Open clients without retries; all are closed after the test."""
    clients = []

    def start(endpoint):
        url = endpoint.anthropic_base_url
        clients.append(anthropic.Anthropic(base_url=url, api_key="any", max_retries=0))
        return clients[-1]

    yield start
    for client in clients:
        client.close()


@pytest.mark.parametrize("reply", REPLIES, ids=str)
def test_stream_helper_gives_the_complete_message(serve, connect, reply):
    whole = connect(serve(reply)).messages.create(**ASKED)
    with connect(serve(reply)).messages.stream(**ASKED) as stream:
        texts = list(stream.text_stream)
        final = stream.get_final_message()
    ignored = {"content": {"__all__": {"parsed_output"}}}
    assert final.model_dump(exclude=ignored) == whole.model_dump(exclude=ignored)
    assert "".join(texts) == "".join(block.text for block in whole.content if block.type == "text")


def test_message_has_blocks_stop_reason_and_usage(serve, connect):
    message = connect(serve(REPLIES[-2])).messages.create(**ASKED, system="Be brief.")
    text, lookup, close = message.content
    assert (message.id, message.model, message.stop_reason) == ("msg_scripted_1", "scripted", "tool_use")
    assert text.text == "Let me look that up."
    assert (lookup.id, lookup.name, lookup.input) == ("call_1_1", "lookup_order", {"id": 81, "note": "ж"})
    assert (close.id, close.name, close.input) == ("mine", "close", {})
    assert message.usage.input_tokens == 8
    assert message._request_id == "req-scripted-1"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"content": "x"}, "end_turn"),
        ({"content": "x", "finish_reason": "length"}, "max_tokens"),
        ({"refusal": "No."}, "refusal"),
        ({"tool_calls": TOOL_CALLS}, "tool_use"),
    ],
)
def test_raw_events_end_with_a_stop_reason(serve, connect, reply, reason):
    events = list(connect(serve(reply)).messages.create(**ASKED, stream=True))
    assert [event.type for event in (events[0], *events[-2:])] == [
        "message_start",
        "message_delta",
        "message_stop",
    ]
    assert events[-2].delta.stop_reason == reason


def test_async_client_reads_stream_and_message(serve):
    async def read():
        url = serve({"content": TEXT, "times": 2}).anthropic_base_url
        async with anthropic.AsyncAnthropic(base_url=url, api_key="any", max_retries=0) as client:
            async with client.messages.stream(**ASKED) as stream:
                streamed = "".join([text async for text in stream.text_stream])
            message = await client.messages.create(**ASKED)
            return streamed, message.content[0].text

    assert asyncio.run(read()) == (TEXT, TEXT)


def test_tool_result_is_sent_with_second_call(serve, connect):
    endpoint = serve({"tool_calls": TOOL_CALLS[:1]}, {"content": TEXT})
    client = connect(endpoint)
    asked = client.messages.create(**ASKED)
    result = {"type": "tool_result", "tool_use_id": asked.content[0].id, "content": "sent"}
    turns = [{"role": "assistant", "content": asked.content}, {"role": "user", "content": [result]}]
    answer = client.messages.create(**{**ASKED, "messages": [*ASKED["messages"], *turns]})
    assert answer.content[0].text == TEXT
    assert endpoint.requests[1].body["messages"][2]["content"][0]["tool_use_id"] == "call_1_1"


@pytest.mark.parametrize("options", [{}, {"stream": True}], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ],
)
def test_error_status_has_its_error_type(serve, connect, options, status, kind):
    with pytest.raises(anthropic.APIStatusError) as caught:
        connect(serve({"status": status})).messages.create(**ASKED, **options)
    assert (caught.value.status_code, caught.value.body["error"]["type"]) == (status, kind)


def test_error_status_raises_specific_exception(serve, connect):
    client = connect(serve({"status": 429}, {"status": 401}))
    for exception in (anthropic.RateLimitError, anthropic.AuthenticationError):
        with pytest.raises(exception):
            client.messages.create(**ASKED)


@pytest.mark.parametrize("fault", ["drop", "reset", "refuse_headers", "garbage"])
def test_network_fault_raises_connection_error(serve, connect, fault):
    with pytest.raises(anthropic.APIConnectionError):
        connect(serve({"fault": fault})).messages.create(**ASKED)


def test_exhausted_script_raises_bad_request(serve, connect):
    with pytest.raises(anthropic.BadRequestError, match="used up"):
        connect(serve()).messages.create(**ASKED)


@pytest.mark.parametrize("fault", ["truncate", "malformed_chunks"])
def test_truncated_stream_raises(serve, connect, fault):
    texts = []
    with (
        pytest.raises((anthropic.APIConnectionError, httpx2.TransportError)),
        connect(serve({"fault": fault})).messages.stream(**ASKED) as stream,
    ):
        texts.extend(stream.text_stream)
