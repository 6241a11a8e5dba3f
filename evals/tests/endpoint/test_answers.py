"""Every form of scripted reply, as the real OpenAI client reads it."""

from __future__ import annotations

import json

import openai
import pytest
from openai.types.chat import ChatCompletion


def test_json_reply_is_message_content(serve, ask):
    value = {"draft": "Оплата тимчасово недоступна — 27 %", "n": [1, 2.5, None, True]}
    completion = ask(serve({"json": value}))
    message = completion.choices[0].message
    assert message.content == json.dumps(value, ensure_ascii=False)
    assert message.refusal is None
    assert completion.choices[0].finish_reason == "stop"


@pytest.mark.parametrize(
    "content", [None, "", "plain\ntext", '```json\n{"draft": "x"}\n```', "\ud83d\ude00\ud800"]
)
def test_content_is_received_verbatim(serve, ask, content):
    received = ask(serve({"content": content})).choices[0].message.content
    if content and "\ud83d" in content:
        content = "\U0001f600\ud800"
    assert received == content


def test_refusal_has_null_content(serve, ask):
    message = ask(serve({"refusal": "I cannot help with that."})).choices[0].message
    assert (message.content, message.refusal) == (None, "I cannot help with that.")


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter", "tool_calls"])
def test_finish_reason_is_as_scripted(serve, ask, reason):
    assert ask(serve({"content": "cut o", "finish_reason": reason})).choices[0].finish_reason == reason


def test_tool_calls_have_names_arguments_and_ids(serve, ask):
    lookup = {"name": "lookup", "args": {"id": 81, "note": "ж"}}
    endpoint = serve(
        {"content": None, "tool_calls": [lookup]}, {"tool_calls": [lookup, {"name": "x", "id": "i"}]}
    )
    first, second = (ask(endpoint).choices[0] for _ in range(2))
    assert [choice.finish_reason for choice in (first, second)] == ["tool_calls", "tool_calls"]
    assert [choice.message.content for choice in (first, second)] == [None, None]
    calls = [*first.message.tool_calls, *second.message.tool_calls]
    assert [call.id for call in calls] == ["call_1_1", "call_2_1", "i"]
    assert [call.function.name for call in calls] == ["lookup", "lookup", "x"]
    assert [call.function.arguments for call in calls] == ['{"id": 81, "note": "ж"}'] * 2 + ["{}"]


@pytest.mark.parametrize("choices", [[], None, [{"index": 0, "finish_reason": "stop"}]])
def test_raw_choices_are_passed_on_unchanged(serve, connect, choices):
    client = connect(serve({"choices": choices}))
    raw = client.chat.completions.with_raw_response.create(
        model="any", messages=[{"role": "user", "content": "x"}]
    )
    assert json.loads(raw.text)["choices"] == choices


def test_answer_has_full_schema_and_is_deterministic(serve, connect):
    def bodies():
        client = connect(serve({"json": {"a": 1}}, {"refusal": "no"}))
        create = client.chat.completions.with_raw_response.create
        return [create(model="m", messages=[{"role": "user", "content": "x"}]).text for _ in range(2)]

    first = bodies()
    assert first == bodies()
    for number, body in enumerate(first, start=1):
        completion = ChatCompletion.model_validate_json(body, strict=True)
        assert completion.id == f"chatcmpl-scripted-{number}"
        assert (completion.model, completion.system_fingerprint) == ("scripted", "scripted")
        assert completion.object == "chat.completion"
        assert completion.model_extra == {}


def test_usage_is_estimated_from_request_and_reply(serve, ask):
    usage = ask(serve({"content": "12345"}), "ж" * 4).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (2, 2, 4)


def test_scripted_usage_is_reported(serve, ask):
    scripted = {"prompt_tokens": 700, "completion_tokens": 30}
    usage = ask(serve({"content": "x", "usage": scripted})).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (700, 30, 730)


@pytest.mark.parametrize(
    ("status", "exception", "code"),
    [
        (400, openai.BadRequestError, None),
        (401, openai.AuthenticationError, "invalid_api_key"),
        (403, openai.PermissionDeniedError, "permission_denied"),
        (404, openai.NotFoundError, "model_not_found"),
        (418, openai.APIStatusError, None),
        (429, openai.RateLimitError, "rate_limit_exceeded"),
        (500, openai.InternalServerError, None),
        (503, openai.InternalServerError, None),
        (529, openai.InternalServerError, None),
    ],
)
def test_error_status_raises_matching_client_error(serve, ask, status, exception, code):
    with pytest.raises(exception) as caught:
        ask(serve({"status": status}))
    assert caught.value.status_code == status
    assert caught.value.code == code
    assert str(status) in str(caught.value.body)


def test_error_object_and_headers_are_as_scripted(serve, ask):
    error = {"message": "You ran out of quota.", "type": "insufficient_quota", "code": "insufficient_quota"}
    with pytest.raises(openai.RateLimitError) as caught:
        ask(serve({"status": 429, "error": error, "headers": {"Retry-After": 7, "x-request-id": "mine"}}))
    assert caught.value.body == {**error, "param": None}
    assert caught.value.response.headers.get_list("retry-after") == ["7"]
    assert caught.value.response.headers.get_list("x-request-id") == ["mine"]


def test_status_204_keeps_connection_usable(serve, connect):
    endpoint = serve({"status": 204}, {"content": "next"})
    client = connect(endpoint)
    create = client.chat.completions.with_raw_response.create
    assert create(model="m", messages=[{"role": "user", "content": "x"}]).http_response.content == b""
    assert "next" in create(model="m", messages=[{"role": "user", "content": "x"}]).text


@pytest.mark.parametrize("body", ["", '{"id": "chatcmpl-1", "cho', "<html>", "\ufeff{}"])
def test_raw_body_is_served_unchanged(serve, connect, body):
    client = connect(serve({"body": body}))
    raw = client.chat.completions.with_raw_response.create(
        model="any", messages=[{"role": "user", "content": "x"}]
    )
    assert raw.http_response.content == body.encode()
    assert raw.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "fault", ["drop", "reset", "truncate", "malformed_chunks", "refuse_headers", "garbage"]
)
def test_fault_raises_connection_error_and_next_call_works(serve, connect, fault):
    endpoint = serve({"content": "before"}, {"fault": fault}, {"content": "after"})
    client = connect(endpoint)

    def call():
        made = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])
        return made.choices[0].message.content

    assert call() == "before"
    with pytest.raises(openai.APIConnectionError) as caught:
        call()
    assert not isinstance(caught.value, openai.APITimeoutError)
    assert call() == "after"
    assert endpoint.remaining == 0


@pytest.mark.parametrize("reply", [{"fault": "hang"}, {"content": "late", "delay_s": 60}])
def test_client_timeout_consumes_reply(serve, ask, reply):
    endpoint = serve(reply, {"content": "next"})
    with pytest.raises(openai.APITimeoutError):
        ask(endpoint, timeout=0.2)
    assert ask(endpoint).choices[0].message.content == "next"
