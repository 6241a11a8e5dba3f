"""Anthropic's Messages API: answers, stream events and errors."""

from __future__ import annotations

import json

import pytest

PATH = "/v1/messages"
BODY = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "four"}]}
STREAM = {**BODY, "stream": True}
TOOL_CALLS = [{"name": "lookup_order", "args": {"id": 81, "note": "ж"}}, {"name": "close", "id": "mine"}]
TOOL_BLOCKS = [
    {"type": "tool_use", "id": "call_1_1", "name": "lookup_order", "input": {"id": 81, "note": "ж"}},
    {"type": "tool_use", "id": "mine", "name": "close", "input": {}},
]
REFUSED = {"type": "refusal", "category": None, "explanation": None}
CASES = [
    ({"content": "one two three four"}, [{"type": "text", "text": "one two three four"}], "end_turn", None),
    ({"content": ""}, [{"type": "text", "text": ""}], "end_turn", None),
    ({"content": None}, [], "end_turn", None),
    ({"json": {"a": "ж\u2028"}}, [{"type": "text", "text": '{"a": "ж\u2028"}'}], "end_turn", None),
    ({"refusal": "I cannot do that."}, [{"type": "text", "text": "I cannot do that."}], "refusal", REFUSED),
    ({"tool_calls": TOOL_CALLS}, TOOL_BLOCKS, "tool_use", None),
    (
        {"content": "One moment.", "tool_calls": TOOL_CALLS},
        [{"type": "text", "text": "One moment."}, *TOOL_BLOCKS],
        "tool_use",
        None,
    ),
    ({"content": "cu", "finish_reason": "length"}, [{"type": "text", "text": "cu"}], "max_tokens", None),
    (
        {"content": "cu", "finish_reason": "content_filter"},
        [{"type": "text", "text": "cu"}],
        "refusal",
        REFUSED,
    ),
]


@pytest.mark.parametrize("path", ["/v1/messages", "/messages", "/gateway/v1/messages"])
def test_message_has_full_schema(serve, post, path):
    endpoint = serve({"content": "12345"}, {"content": "x"})
    response = post(endpoint, path, BODY)
    assert response.headers["request-id"] == "req-scripted-1"
    assert response.json() == {
        "id": "msg_scripted_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": "12345"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    assert post(endpoint, path, BODY).json()["id"] == "msg_scripted_2"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[0]))
def test_blocks_and_stop_reason_match_reply(serve, post, case):
    reply, blocks, reason, details = case
    message = post(serve(reply), PATH, BODY).json()
    assert message["content"] == blocks
    assert (message["stop_reason"], message["stop_details"]) == (reason, details)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[0]))
def test_stream_equals_message_without_streaming(serve, post, events_of, case):
    reply, blocks, reason, details = case
    whole = post(serve(reply), PATH, BODY).json()
    events = events_of(post(serve(reply), PATH, STREAM))
    assert all(name == data["type"] for name, data in events)
    built, end = assemble([data for _, data in events])
    assert built == blocks
    assert end["delta"] == {"stop_reason": reason, "stop_sequence": None, "stop_details": details}
    assert end["usage"] == {"output_tokens": whole["usage"]["output_tokens"]}
    begun = {"content": [], "stop_reason": None, "stop_details": None}
    usage = {**whole["usage"], "output_tokens": 0}
    assert events[0][1]["message"] == {**whole, **begun, "usage": usage}


def assemble(events):
    """Assemble the blocks as the API guide describes; return them with the `message_delta` event."""
    assert [events[0]["type"], events[1]["type"]] == ["message_start", "ping"]
    assert [events[-2]["type"], events[-1]["type"]] == ["message_delta", "message_stop"]
    blocks = []
    arguments = ""
    is_open = False
    for event in events[2:-2]:
        assert event["index"] == len(blocks) - is_open
        match event["type"]:
            case "content_block_start":
                assert not is_open
                blocks.append(dict(event["content_block"]))
                is_open, arguments = True, ""
            case "content_block_delta" if event["delta"]["type"] == "text_delta":
                blocks[-1]["text"] += event["delta"]["text"]
            case "content_block_delta":
                assert event["delta"]["type"] == "input_json_delta"
                arguments += event["delta"]["partial_json"]
            case _:
                assert (event["type"], is_open) == ("content_block_stop", True)
                is_open = False
                if blocks[-1]["type"] == "tool_use":
                    blocks[-1]["input"] = json.loads(arguments)
    return blocks, events[-2]


def test_stream_events_match_api(serve, post, events_of):
    reply = {"content": "one two three four", "tool_calls": [{"name": "f", "args": {"a": 1}}]}
    response = post(serve(reply), PATH, STREAM)
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    events = events_of(response)
    call = {"type": "tool_use", "id": "call_1_1", "name": "f", "input": {}}
    pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in ('{"a": ', "1}")]
    assert [data for _, data in events[2:-2]] == [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": "one two three "},
        },
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "four"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": call},
        *({"type": "content_block_delta", "index": 1, "delta": piece} for piece in pieces),
        {"type": "content_block_stop", "index": 1},
    ]
    assert events[-1] == ("message_stop", {"type": "message_stop"})


def test_usage_is_estimated_from_system_prompt_and_messages(serve, post):
    endpoint = serve({"content": "x"}, {"content": "x"}, {"content": "x", "usage": scripted(70, 30)})
    blocks = [{"role": "user", "content": [{"type": "text", "text": "x"}]}]
    tools = [{"name": "f", "input_schema": {"type": "object"}}]
    asked = [{**BODY, "system": "eight it"}, {**BODY, "messages": blocks, "tools": tools}, BODY]
    usages = [post(endpoint, PATH, body).json()["usage"] for body in asked]
    estimated = -(-len(json.dumps(blocks[0]["content"])) // 4)
    assert [usage["input_tokens"] for usage in usages] == [3, estimated, 70]
    assert usages[2]["output_tokens"] == 30


def scripted(prompt, completion):
    return {"prompt_tokens": prompt, "completion_tokens": completion}


@pytest.mark.parametrize("body", [BODY, STREAM], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (418, "invalid_request_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ],
)
def test_error_status_has_api_error_type(serve, post, status, kind, body):
    response = post(serve({"status": status, "headers": {"retry-after": 3}}), PATH, body)
    assert (response.status_code, response.headers["retry-after"]) == (status, "3")
    message = f"Scripted error with status {status}."
    assert response.json() == {"type": "error", "error": {"type": kind, "message": message}}


def test_error_object_keeps_only_api_fields(serve, post):
    error = {"message": "Slow down.", "code": "rate_limit_exceeded", "param": "model"}
    endpoint = serve({"status": 429, "error": error}, {"status": 400, "error": {"type": "billing_error"}})
    first, second = (post(endpoint, PATH, BODY).json()["error"] for _ in range(2))
    assert first == {"type": "rate_limit_error", "message": "Slow down."}
    assert second["type"] == "billing_error"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"model": None}, "model"),
        ({"max_tokens": None}, "max_tokens"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"max_tokens": "100"}, "max_tokens"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"stream": "yes"}, "stream"),
    ],
)
def test_invalid_body_is_refused_and_consumes_no_reply(serve, post, change, field):
    endpoint = serve({"content": "kept"})
    response = post(endpoint, PATH, {**BODY, **change})
    assert response.status_code == 400
    answer = response.json()
    assert (answer.keys(), answer["error"].keys()) == ({"type", "error"}, {"type", "message"})
    assert (answer["type"], answer["error"]["type"]) == ("error", "invalid_request_error")
    assert field in answer["error"]["message"]
    assert endpoint.remaining == 1
