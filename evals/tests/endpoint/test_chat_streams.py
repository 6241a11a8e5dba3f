"""Streamed chat completions, as the real client assembles them."""

from __future__ import annotations

import pytest

PATH = "/v1/chat/completions"
MESSAGES = [{"role": "user", "content": "Where is order 81?"}]
STREAM = {"model": "m", "messages": MESSAGES, "stream": True}
TEXT = "Order 81 was sent on Monday and arrives this week."
TOOL_CALLS = [{"name": "lookup_order", "args": {"id": 81, "note": "ж"}}, {"name": "close", "id": "mine"}]
REPLIES = [
    {"content": TEXT},
    {"content": "short", "finish_reason": "length", "usage": {"prompt_tokens": 70, "completion_tokens": 3}},
    {"content": ""},
    {"content": None},
    {"json": {"draft": "Оплата недоступна\u2028 — 27 %", "n": [1, None]}},
    {"refusal": "I cannot help with that."},
    {"tool_calls": TOOL_CALLS},
    {"content": "Let me look that up.", "tool_calls": TOOL_CALLS, "finish_reason": "stop"},
]


def choice_fields(choice):
    """Return the same fields of a choice that was not streamed."""
    calls = [
        {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
        for call in choice.message.tool_calls or []
    ]
    return {
        "content": choice.message.content,
        "refusal": choice.message.refusal,
        "calls": calls,
        "finish_reason": choice.finish_reason,
    }


@pytest.mark.parametrize("reply", REPLIES, ids=str)
def test_stream_has_ids_usage_and_finish_reason_of_whole_answer(serve, connect, reply):
    whole = connect(serve(reply)).chat.completions.create(model="m", messages=MESSAGES)
    chunks = list(
        connect(serve(reply)).chat.completions.create(
            model="m", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        )
    )
    reasons = [choice.finish_reason for chunk in chunks for choice in chunk.choices]
    assert reasons == [None] * (len(reasons) - 1) + [whole.choices[0].finish_reason]
    assert {chunk.id for chunk in chunks} == {whole.id}
    assert {(chunk.created, chunk.model, chunk.system_fingerprint) for chunk in chunks} == {
        (whole.created, whole.model, whole.system_fingerprint)
    }
    assert [chunk.usage for chunk in chunks] == [None] * (len(chunks) - 1) + [whole.usage]
    assert chunks[-1].choices == []


@pytest.mark.parametrize("reply", [reply for reply in REPLIES if "length" not in reply.values()], ids=str)
def test_streaming_helper_assembles_same_message(serve, connect, reply):
    whole = connect(serve(reply)).chat.completions.create(model="m", messages=MESSAGES)
    final = stream_to_the_end(connect(serve(reply)))
    assert choice_fields(final.choices[0]) == choice_fields(whole.choices[0])


def stream_to_the_end(client):
    with client.chat.completions.stream(model="m", messages=MESSAGES) as stream:
        return stream.get_final_completion()


def test_stream_events_match_api(serve, post, events_of):
    response = post(serve({"tool_calls": [{"name": "f", "args": {"a": 1}}]}), PATH, STREAM)
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["x-request-id"] == "req-scripted-1"
    names, data = zip(*events_of(response), strict=True)
    assert set(names) == {None}
    assert data[-1] == "[DONE]"
    head = {
        "id": "chatcmpl-scripted-1",
        "object": "chat.completion.chunk",
        "created": 1_767_225_600,
        "model": "scripted",
        "system_fingerprint": "scripted",
    }
    start = {"id": "call_1_1", "type": "function", "function": {"name": "f", "arguments": ""}, "index": 0}
    deltas = [
        {"role": "assistant", "content": None, "refusal": None},
        {"tool_calls": [start]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a": '}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]},
        {},
    ]
    reasons = [None, None, None, None, "tool_calls"]
    assert list(data[:-1]) == [
        {**head, "choices": [{"index": 0, "logprobs": None, "finish_reason": reason, "delta": delta}]}
        for delta, reason in zip(deltas, reasons, strict=True)
    ]


@pytest.mark.parametrize(
    ("choices", "streamed"),
    [
        (None, [None]),
        ([], []),
        (["odd"], [["odd"]]),
        ([{"index": 0, "finish_reason": "stop"}], [[{"index": 0, "finish_reason": "stop"}]]),
        (
            [{"index": 3, "message": {"tool_calls": ["odd", {"id": "1"}]}}],
            [
                [{"index": 3, "delta": delta, "logprobs": None, "finish_reason": None}]
                for delta in ({}, {"tool_calls": ["odd"]}, {"tool_calls": [{"id": "1", "index": 1}]})
            ]
            + [[{"index": 3, "delta": {}}]],
        ),
        (
            [{"message": {"tool_calls": {"a": 1}}}],
            [[{"delta": {"tool_calls": {"a": 1}}, "logprobs": None, "finish_reason": None}], [{"delta": {}}]],
        ),
    ],
)
def test_malformed_raw_choices_are_streamed(serve, post, events_of, choices, streamed):
    data = [data for _, data in events_of(post(serve({"choices": choices}), PATH, STREAM))]
    assert [chunk["choices"] for chunk in data[:-1]] == streamed
    assert data[-1] == "[DONE]"


def test_two_choices_are_streamed_in_sequence(serve, connect):
    choices = [
        {"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for index, text in enumerate(["one of two", "two of two"])
    ]
    client = connect(serve({"choices": choices}))
    with client.chat.completions.stream(model="m", messages=MESSAGES, n=2) as stream:
        final = stream.get_final_completion()
    assert [choice.message.content for choice in final.choices] == ["one of two", "two of two"]
