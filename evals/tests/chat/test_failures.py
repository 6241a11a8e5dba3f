"""Failures of a model call and their stop reasons; error messages do not contain the API key."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen.chat.failures import model_stop
from redpen.chat.replies import DraftReply, RevisedReply, read_completion, read_text
from redpen.errors import Stop
from redpen.stop_reasons import find_stop_reason
from redpen_evals.endpoint.server import ScriptedEndpoint

Serve = Callable[..., ScriptedEndpoint]
Connect = Callable[..., ChatClient]

KEY = "test-key-123"
DEEP = "[" * 50_000
ROWS: list[tuple[str, dict[str, Any]]] = [
    ("llm_timeout", {"fault": "drop"}),
    ("llm_timeout", {"fault": "reset"}),
    ("llm_timeout", {"fault": "truncate"}),
    ("llm_timeout", {"fault": "malformed_chunks"}),
    ("llm_timeout", {"fault": "refuse_headers"}),
    ("llm_timeout", {"fault": "garbage"}),
    ("llm_invalid_json", {"content": "Sure, here is the draft."}),
    ("llm_invalid_json", {"content": " \n\t"}),
    ("llm_invalid_json", {"content": '```json\n{"draft": "x"}\n```'}),
    ("llm_invalid_json", {"content": '{"draft": "x"} Done.'}),
    ("llm_invalid_json", {"content": '["draft"]'}),
    ("llm_invalid_json", {"content": '"draft"'}),
    ("llm_invalid_json", {"content": "null"}),
    ("llm_invalid_json", {"content": "12"}),
    ("llm_invalid_json", {"content": '{"draft": "cut o'}),
    ("llm_invalid_json", {"content": '{"draft": "a", "draft": "b"}'}),
    ("llm_invalid_json", {"content": '{"draft": "a", "x": {"b": 1, "b": 2}}'}),
    ("llm_invalid_json", {"content": DEEP}),
    ("llm_invalid_json", {"content": '{"draft": ' + DEEP}),
    ("llm_invalid_json", {"content": '{"draft": "x", "n": ' + "[" * 2000 + "]" * 2000 + "}"}),
    ("llm_invalid_json", {"content": '{"draft": "x", "n": ' + "9" * 5000 + "}"}),
    ("llm_invalid_json", {"content": '{"draft": "\\ud800"}'}),
    ("llm_invalid_json", {"content": '{"\\udfff": "x"}'}),
    ("llm_invalid_json", {"choices": [{"message": {"content": [{"text": "x"}]}}]}),
    ("llm_invalid_json", {"choices": [{"message": {"content": {"draft": "x"}}}]}),
    ("llm_invalid_json", {"body": "<html>Bad gateway</html>"}),
    ("llm_invalid_json", {"body": ""}),
    ("llm_invalid_json", {"body": DEEP}),
    ("llm_invalid_json", {"body_base64": "//79"}),
    ("llm_rate_limited", {"status": 429}),
    ("llm_rate_limited", {"status": 429, "error": {"code": "insufficient_quota"}}),
    ("llm_auth", {"status": 401}),
    ("llm_auth", {"status": 403}),
    ("llm_bad_request", {"status": 400}),
    ("llm_bad_request", {"status": 404}),
    ("llm_bad_request", {"status": 409}),
    ("llm_bad_request", {"status": 413}),
    ("llm_bad_request", {"status": 422}),
    ("llm_content_filtered", {"status": 400, "error": {"code": "content_filter"}}),
    ("llm_server_error", {"status": 500}),
    ("llm_server_error", {"status": 502, "body": "<html>"}),
    ("llm_server_error", {"status": 503}),
    ("llm_server_error", {"status": 529}),
    ("llm_no_choices", {"choices": []}),
    ("llm_no_choices", {"choices": None}),
    ("llm_no_choices", {"choices": [{"index": 0}]}),
    ("llm_no_choices", {"choices": [None]}),
    ("llm_no_choices", {"body": "{}"}),
    ("llm_no_choices", {"body": "[]"}),
    ("llm_no_choices", {"body": "null"}),
    ("llm_no_choices", {"body": '{"error": {"message": "overloaded"}}'}),
    ("llm_truncated", {"content": '{"draft": "cut o', "finish_reason": "length"}),
    ("llm_truncated", {"content": '{"draft": "whole"}', "finish_reason": "length"}),
    ("llm_truncated", {"content": "", "finish_reason": "length"}),
    ("llm_refused", {"refusal": "I cannot help with that."}),
    ("llm_content_filtered", {"content": '{"draft": "x"}', "finish_reason": "content_filter"}),
    ("llm_content_filtered", {"content": None, "finish_reason": "content_filter"}),
]


def error_of(stop: Stop) -> dict[str, str]:
    error = stop.details["error"]
    assert isinstance(error, dict)
    return error


def stop_of(call: Callable[[], object]) -> Stop:
    with pytest.raises(Stop) as caught:
        call()
    stop = caught.value
    error = error_of(stop)
    assert list(error) == ["type", "message"]
    assert all(isinstance(text, str) and text for text in error.values())
    assert KEY not in json.dumps(error)
    assert len(error["message"]) <= 300
    for agent in ("self-critique", "reflection"):
        assert find_stop_reason(agent, stop.reason) is not None
    return stop


def ask(client: ChatClient) -> object:
    return client.complete(phase="draft", prompt="p", payload={})


@pytest.mark.parametrize(("reason", "reply"), ROWS, ids=lambda value: str(value)[:50])
def test_each_failure_has_its_stop_reason(
    serve: Serve, connect: Connect, reason: str, reply: dict[str, Any]
) -> None:
    client = connect(serve(reply))
    assert stop_of(lambda: ask(client)).reason == reason


def test_hanging_server_is_llm_timeout(serve: Serve, connect: Connect) -> None:
    client = connect(serve({"fault": "hang"}), timeout_s=0.05)
    assert stop_of(lambda: ask(client)).reason == "llm_timeout"


def test_refused_connection_is_llm_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = ChatSettings(api_key=SecretStr(KEY), base_url=f"http://127.0.0.1:{port}/v1", retries=0)
    client = ChatClient(settings)
    assert stop_of(lambda: ask(client)).reason == "llm_timeout"


@pytest.mark.parametrize(
    "reply",
    [
        {"status": 401, "error": {"message": f"Incorrect API key provided: {KEY}."}},
        {"status": 401, "error": {"message": "Incorrect API key provided: sk-proj-abc***xyz9."}},
        {"status": 400, "body": f"Bearer {KEY}"},
        {"status": 500, "error": {"message": f"header Authorization: Bearer {KEY} refused"}},
        {"refusal": f"Your key is {KEY}."},
        {"body": json.dumps({"error": {"message": f"{KEY} is unknown"}})},
    ],
)
def test_error_message_does_not_contain_the_key(
    serve: Serve, connect: Connect, reply: dict[str, Any]
) -> None:
    client = connect(serve(reply))
    message = error_of(stop_of(lambda: ask(client)))["message"]
    assert "sk-proj" not in message


def test_key_is_redacted_before_message_is_truncated() -> None:
    message = error_of(model_stop("llm_auth", "X", "a" * 295 + KEY, secret=KEY))["message"]
    assert "test-" not in message


@pytest.mark.parametrize(
    ("kind", "reply", "reason"),
    [
        (DraftReply, {}, "llm_invalid_schema"),
        (DraftReply, {"revised_answer": "x"}, "llm_invalid_schema"),
        (DraftReply, {"draft": None}, "llm_invalid_schema"),
        (DraftReply, {"draft": 1}, "llm_invalid_schema"),
        (DraftReply, {"draft": ["x"]}, "llm_invalid_schema"),
        (DraftReply, {"draft": ""}, "llm_empty"),
        (DraftReply, {"draft": " \n\t"}, "llm_empty"),
        (RevisedReply, {"draft": "x"}, "llm_invalid_schema"),
        (RevisedReply, {"revised_answer": {"text": "x"}}, "llm_invalid_schema"),
        (RevisedReply, {"revised_answer": "\u00a0"}, "llm_empty"),
    ],
)
def test_missing_or_blank_text_has_its_stop_reason(kind: Any, reply: dict[str, Any], reason: str) -> None:
    assert stop_of(lambda: read_text(kind, reply)).reason == reason


def test_reply_text_is_trimmed_and_extra_keys_dropped() -> None:
    assert read_text(DraftReply, {"draft": "  a  b \n", "why": 1}) == "a  b"
    assert read_text(RevisedReply, {"revised_answer": "\tx"}) == "x"


@pytest.mark.parametrize(
    ("key", "content", "reason"),
    [
        ("sk-0123456789abcdef", {"draft": "use sk-0123456789abcdef, please"}, "llm_server_error"),
        ("sk-0123456789abcdef", {"a": [{"sk-0123456789abcdef": 1}]}, "llm_server_error"),
        ('quoted"0123456789', {"draft": 'quoted"0123456789'}, "llm_server_error"),
        ("sk-0123456789abcdef", {"draft": "use sk-0123456789, please"}, None),
        # A short key is a placeholder for a local server and may be a word of the answer.
        ("payments", {"draft": "payments fail"}, None),
    ],
)
def test_answer_that_contains_the_key_is_rejected(key: str, content: object, reason: str | None) -> None:
    completion = {"choices": [{"message": {"content": json.dumps(content)}}]}
    if reason is None:
        assert read_completion(completion, secret=key) == content
        return
    stop = stop_of(lambda: read_completion(completion, secret=key))
    assert stop.reason == reason
    assert key not in str(error_of(stop))
