"""The Responses API, as the real OpenAI client reads it."""

from __future__ import annotations

import json

import openai
import pytest
from openai.types.responses import Response

PATH = "/v1/responses"
TEXT = "Order 81 was sent on Monday and arrives this week."
TOOL_CALLS = [{"name": "lookup_order", "args": {"id": 81}}, {"name": "close", "id": "mine"}]
REPLIES = [
    {"content": TEXT},
    {"content": ""},
    {"content": None},
    {"json": {"draft": "Оплата недоступна\u2028 — 27 %", "n": [1, None]}},
    {"refusal": "I cannot help with that."},
    {"tool_calls": TOOL_CALLS},
    {"content": "Let me look that up.", "tool_calls": TOOL_CALLS},
]


def test_answer_has_text_and_usage(serve, connect):
    endpoint = serve({"content": TEXT}, {"json": {"a": [1]}}, {"content": "x", "usage": scripted(7, 3)})
    create = connect(endpoint).responses.create
    made = [create(model="m", input="four", instructions="eight it"), create(model="m", input="x")]
    assert [answer.output_text for answer in made] == [TEXT, json.dumps({"a": [1]})]
    assert [answer.id for answer in made] == ["resp_scripted_1", "resp_scripted_2"]
    assert (made[0].status, made[0].incomplete_details, made[0].error) == ("completed", None, None)
    assert made[0].usage is not None
    assert (made[0].usage.input_tokens, made[0].usage.total_tokens) == (3, 3 + made[0].usage.output_tokens)
    usage = create(model="m", input=[{"role": "user", "content": "x"}]).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (7, 3, 10)


def scripted(prompt, completion):
    return {"prompt_tokens": prompt, "completion_tokens": completion}


def test_refusal_is_content_part_of_message(serve, connect):
    answer = connect(serve({"refusal": "No."})).responses.create(model="m", input="x")
    assert answer.output_text == ""
    assert (answer.output[0].content[0].type, answer.output[0].content[0].refusal) == ("refusal", "No.")


def test_tool_calls_are_output_items(serve, connect):
    client = connect(serve({"tool_calls": TOOL_CALLS}, {"content": "Sent.", "tool_calls": TOOL_CALLS}))
    first, second = (client.responses.create(model="m", input="x", tools=[]) for _ in range(2))
    calls = [(item.call_id, item.name, json.loads(item.arguments)) for item in first.output]
    assert calls == [("call_1_1", "lookup_order", {"id": 81}), ("mine", "close", {})]
    assert [item.type for item in second.output] == ["message", "function_call", "function_call"]


@pytest.mark.parametrize(
    ("reason", "status", "why"),
    [
        ("stop", "completed", None),
        ("tool_calls", "completed", None),
        ("length", "incomplete", "max_output_tokens"),
        ("content_filter", "incomplete", "content_filter"),
    ],
)
def test_finish_reason_sets_status_and_incomplete_details(serve, connect, reason, status, why):
    reply = {"content": "cut o", "finish_reason": reason}
    client = connect(serve(reply, reply))
    answer = client.responses.create(model="m", input="x")
    assert answer.status == status
    assert (answer.incomplete_details.reason if answer.incomplete_details else None) == why
    *_, last = client.responses.create(model="m", input="x", stream=True)
    assert last.type == f"response.{status}"


@pytest.mark.parametrize("reply", REPLIES, ids=str)
def test_answer_has_full_schema(serve, post, reply):
    body = post(serve(reply), PATH, {"model": "m", "input": "x"}).text
    assert Response.model_validate_json(body).model_extra == {}


@pytest.mark.parametrize("reply", REPLIES, ids=str)
def test_stream_equals_answer_without_streaming(serve, connect, reply):
    whole = connect(serve(reply)).responses.create(model="m", input="x")
    with connect(serve(reply)).responses.stream(model="m", input="x") as stream:
        final = stream.get_final_response()
    kinds = {"exclude_none": True, "exclude": {"output": {"__all__": {"content": {"__all__": {"parsed"}}}}}}
    assert final.model_dump(**kinds) == whole.model_dump(**kinds)
    events = list(connect(serve(reply)).responses.create(model="m", input="x", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert deltas(events, "response.output_text.delta") == whole.output_text
    arguments = [item.arguments for item in whole.output if item.type == "function_call"]
    assert deltas(events, "response.function_call_arguments.delta") == "".join(arguments)
    assert deltas(events, "response.refusal.delta") == reply.get("refusal", "")


def deltas(events, kind):
    return "".join(event.delta for event in events if event.type == kind)


def test_stream_events_match_api(serve, post, events_of):
    reply = {"content": "one two three four", "tool_calls": [{"name": "f", "args": {"a": 1}}]}
    body = {"model": "m", "input": "x"}
    whole = post(serve(reply), PATH, body).json()
    response = post(serve(reply), PATH, {**body, "stream": True})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    message, call = whole["output"]
    (part,) = message["content"]
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    in_message = {"output_index": 0, "item_id": "msg_scripted_1", "content_index": 0}
    in_call = {"output_index": 1, "item_id": "fc_1_1"}
    text = "response.output_text"
    arguments = "response.function_call_arguments"
    expected = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
        (
            "response.output_item.added",
            {"output_index": 0, "item": {**message, "status": "in_progress", "content": []}},
        ),
        ("response.content_part.added", {**in_message, "part": {**part, "text": ""}}),
        (f"{text}.delta", {**in_message, "delta": "one two three ", "logprobs": []}),
        (f"{text}.delta", {**in_message, "delta": "four", "logprobs": []}),
        (f"{text}.done", {**in_message, "text": "one two three four", "logprobs": []}),
        ("response.content_part.done", {**in_message, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": message}),
        (
            "response.output_item.added",
            {"output_index": 1, "item": {**call, "status": "in_progress", "arguments": ""}},
        ),
        (f"{arguments}.delta", {**in_call, "delta": '{"a": '}),
        (f"{arguments}.delta", {**in_call, "delta": "1}"}),
        (f"{arguments}.done", {**in_call, "arguments": '{"a": 1}'}),
        ("response.output_item.done", {"output_index": 1, "item": call}),
        ("response.completed", {"response": whole}),
    ]
    assert events_of(response) == [
        (kind, {"type": kind, "sequence_number": number, **fields})
        for number, (kind, fields) in enumerate(expected)
    ]


@pytest.mark.parametrize("options", [{}, {"stream": True}], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("status", "code"), [(401, "invalid_api_key"), (429, "rate_limit_exceeded"), (500, None)]
)
def test_error_status_raises_client_error(serve, connect, status, code, options):
    with pytest.raises(openai.APIStatusError) as caught:
        connect(serve({"status": status})).responses.create(model="m", input="x", **options)
    assert (caught.value.status_code, caught.value.code) == (status, code)


GOOD_INPUTS = [
    {"input": ""},
    {"input": "x", "instructions": "Be brief.", "tools": [{"type": "function", "name": "f"}]},
    {"input": [{"type": "function_call_output", "call_id": "call_1_1", "output": "sent"}]},
    {"previous_response_id": "resp_scripted_1"},
    {"prompt": {"id": "pmpt_1"}},
]


@pytest.mark.parametrize("given", GOOD_INPUTS, ids=str)
def test_valid_input_shapes_are_accepted(serve, post, given):
    assert post(serve({"content": "x"}), PATH, {"model": "m", **given}).status_code == 200


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ([], None),
        ({"input": "x"}, "model"),
        ({"model": "m"}, "input"),
        ({"model": "m", "input": []}, "input"),
        ({"model": "m", "input": ["x"]}, "input"),
        ({"model": "m", "input": {"role": "user"}}, "input"),
        ({"model": "m", "input": "x", "stream": "yes"}, "stream"),
        ({"model": "m", "input": "x", "background": True}, "background"),
    ],
)
def test_invalid_body_is_refused_and_consumes_no_reply(serve, post, body, param):
    endpoint = serve({"content": "kept"})
    response = post(endpoint, PATH, body)
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)
    assert endpoint.remaining == 1
