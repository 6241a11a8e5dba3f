"""Reading of recorded model calls in each API, plain and streamed."""

from __future__ import annotations

import json

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.cassettes.encoding import JsonBody, RawBody, parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse
from redpen_evals.model_calls.reading import ToolCall, dialect_of, event_values, read_call, tokens_of

ASKED = [{"role": "user", "content": "Where is order 81?"}]
BODIES = {
    "chat/completions": {"model": "m", "messages": ASKED},
    "responses": {"model": "m", "input": "Where is order 81?"},
    "messages": {"model": "m", "messages": ASKED, "max_tokens": 99},
}
TOOLS = [
    {"name": "lookup", "args": {"id": 81, "note": "ж"}, "id": "t1"},
    {"name": "close", "args": {}, "id": "t2"},
]
REPLIES = {
    "text": {"content": "Sent — on Monday."},
    "tools": {"tool_calls": TOOLS},
    "text and tools": {"content": "Let me look.", "tool_calls": TOOLS},
    "refusal": {"refusal": "I cannot."},
    "usage": {"content": "x", "usage": {"prompt_tokens": 70, "completion_tokens": 3}},
}


@pytest.mark.parametrize("is_stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("path", BODIES)
def test_call_is_read_in_every_api(traffic, path, reply, is_stream):
    endpoint = traffic.serve(REPLIES[reply])
    body = {**BODIES[path], **({"stream": True} if is_stream else {})}
    if is_stream and path == "chat/completions":
        body["stream_options"] = {"include_usage": True}

    def work():
        with httpx2.Client(trust_env=False) as client:
            return client.post(f"{endpoint.base_url}/{path}", json=body).status_code

    _, (call,) = traffic.record(work)
    read = read_call(call)
    given = REPLIES[reply]
    assert (read.dialect, read.model, read.status) == (path.partition("/")[0], "m", 200)
    assert read.text == given.get("content", given.get("refusal", ""))
    assert read.tool_calls == tuple(ToolCall(**tool) for tool in given.get("tool_calls", ()))
    if reply == "usage":
        assert (read.prompt_tokens, read.completion_tokens) == (70, 3)
    assert tokens_of(call) == (read.prompt_tokens, read.completion_tokens)
    assert all(type(count) is int for count in tokens_of(call))


def call_of(
    body, *, url="https://h.invalid/v1/chat/completions", method="POST", content_type="text/event-stream"
):
    return Call(
        phase="chat",
        request=CallRequest(method=method, url=url, body=JsonBody({"model": "m"})),
        response=CallResponse(status=200, headers={"content-type": (content_type,)}, body=body),
    )


def events(*values):
    return RawBody(b"".join(b"data: " + json.dumps(value).encode() + b"\n\n" for value in values))


def test_only_the_first_choice_counts():
    chunks = [
        {"choices": [{"index": at, "delta": {"content": text}}]}
        for at, text in ((0, "a"), (1, "x"), (0, "b"), (1, "y"))
    ]
    assert read_call(call_of(events(*chunks))).text == "ab"
    whole = {
        "choices": [{"index": 1, "message": {"content": "x"}}, {"index": 0, "message": {"content": "a"}}]
    }
    assert read_call(call_of(JsonBody(whole))).text == "a"


def test_arguments_that_are_no_json_are_kept_as_text():
    function = {"name": "f", "arguments": '{"a": '}
    whole = {"choices": [{"message": {"tool_calls": [{"id": "1", "function": function}]}}]}
    assert read_call(call_of(JsonBody(whole))).tool_calls == (ToolCall(name="f", args='{"a": ', id="1"),)


def test_tokens_of_embedding_call_are_read():
    usage = JsonBody({"data": [], "usage": {"prompt_tokens": 7, "total_tokens": 7}})
    assert tokens_of(call_of(usage, url="https://h.invalid/v1/embeddings")) == (7, None)


@pytest.mark.parametrize(
    "body",
    [
        JsonBody([]),
        JsonBody({"usage": None}),
        JsonBody({"usage": {"prompt_tokens": -1, "completion_tokens": True}}),
        JsonBody({"usage": {"prompt_tokens": "7"}}),
        RawBody(b"data: {\n\n"),
        RawBody(b"\xff"),
    ],
)
def test_missing_or_invalid_token_counts_are_none(body):
    assert tokens_of(call_of(body)) == (None, None)


def test_failed_call_has_no_text_or_tokens():
    call = Call(
        phase="chat",
        request=CallRequest(method="POST", url="https://h.invalid/v1/responses", body=RawBody(b"text")),
        response=CallFailure(failure="ReadError", message=""),
    )
    read = read_call(call)
    assert (read.status, read.response, read.text, read.request, tokens_of(call)) == (
        None,
        None,
        "",
        "text",
        (None, None),
    )


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1/chat/completions", "chat"),
        ("https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", "chat"),
        ("https://api.openai.com/v1/responses/", "responses"),
        ("https://api.anthropic.com/v1/messages", "messages"),
        ("https://api.openai.com/v1/responses/resp_1", None),
        ("https://h.invalid/v1/messages/batches", None),
        ("https://h.invalid/?q=/v1/responses", None),
    ],
)
def test_api_is_recognized_by_url_path(url, name):
    found = dialect_of(url)
    assert (found.name if found else None) == name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type response output content usage choices index message delta tool_calls function name "
                "arguments id content_block input text refusal partial_json call_id input_tokens".split()
            )
            | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)
TYPES = st.sampled_from(
    [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "tool_use",
        "response.completed",
        "function_call",
    ]
)


@pytest.mark.parametrize("path", BODIES)
@given(
    values=st.lists(
        st.builds(
            lambda value, kind: {**value, "type": kind} if isinstance(value, dict) else value, JSON, TYPES
        )
    )
)
def test_any_answer_is_read_without_error(path, values):
    for body in (events(*values), *map(JsonBody, values)):
        call = call_of(body, url=f"https://h.invalid/v1/{path}")
        read = read_call(call)
        assert isinstance(read.text, str)
        assert tokens_of(call) == (read.prompt_tokens, read.completion_tokens)


def test_events_without_object_are_skipped():
    content = b'data: [DONE]\n\n: note\n\ndata: {"a":\ndata: 1}\n\nevent: x\n\ndata:{"b": 2}'
    assert event_values(content) == [{"a": 1}, {"b": 2}]


def test_json_body_is_parsed_from_bytes():
    assert parse_body(b'{"a": 1}') == JsonBody({"a": 1})
