"""Parsing of scripted replies: accepted forms and error messages."""

import datetime
import math

import jsonschema
import pytest
from pydantic import TypeAdapter, ValidationError

from redpen_evals.endpoint.forms import MAX_DELAY_S, MAX_DEPTH, MAX_NODES, MAX_TIMES
from redpen_evals.endpoint.replies import ScriptedReply, parse_replies

GOOD = [
    {"json": {"draft": "Checkout is degraded."}},
    {"json": None},
    {"json": [1, "two", 3.0, True], "phase": "draft", "times": 2},
    {"content": "no JSON at all", "finish_reason": "length"},
    {"content": None, "tool_calls": [{"id": "c1", "name": "lookup"}]},
    {"tool_calls": [{"name": "lookup", "args": {"id": 81}}, {"name": "close"}], "phase": "plan"},
    {"refusal": "No.", "tool_calls": [{"name": "report"}]},
    {"content": "", "usage": {"prompt_tokens": 0, "completion_tokens": 0}},
    {"refusal": "I cannot help with that.", "phase": "critique"},
    {"choices": []},
    {"choices": None},
    {"status": 429, "headers": {"Retry-After": 1}, "error": {"message": "Slow down."}},
    {"status": 503, "body": "<html>overloaded</html>", "headers": {"Content-Type": "text/html"}},
    {"status": 500, "body_base64": "/w=="},
    {"status": 204},
    {"body": '{"id": "chatcmpl-1", "cho'},
    {"body_base64": "/v8=\n"},
    {"fault": "drop", "delay_s": 0.5},
]


@pytest.mark.parametrize("value", GOOD, ids=lambda value: next(iter(value)))
def test_every_reply_form_is_parsed_and_matches_schema(value):
    (reply,) = parse_replies([value])
    assert value.items() <= {**reply.model_dump(by_alias=True, exclude_unset=True), **value}.items()
    assert parse_replies([reply]) == (reply,)
    schema = TypeAdapter(list[ScriptedReply]).json_schema()
    jsonschema.validate([value], schema)


def test_schema_describes_every_field():
    schema = TypeAdapter(list[ScriptedReply]).json_schema()
    for name, model in schema["$defs"].items():
        for key, field in model.get("properties", {}).items():
            assert field.get("description"), f"{name}.{key}"


def place_and_text(value):
    with pytest.raises(ValidationError) as caught:
        parse_replies([value])
    first = caught.value.errors()[0]
    return first["loc"], first["msg"]


@pytest.mark.parametrize(
    ("value", "place", "text"),
    [
        ("draft", (0,), "a reply must be a mapping"),
        ({}, (0,), "a reply needs one of `json`, `content`"),
        ({"phase": "draft"}, (0,), "a reply needs one of"),
        ({"contnet": "x"}, (0,), "did you mean `content`?"),
        ({"json": {}, "content": "x"}, (0,), "`json`, `content` cannot be combined"),
        ({"status": 500, "json": {}}, (0,), "`json`, `status` cannot be combined"),
        ({"body": "x", "body_base64": ""}, (0,), "cannot be combined"),
        ({"status": 500, "body": "x", "error": {}}, (0,), "only one of error, body"),
        ({"status": 204, "body": "x"}, (0,), "status 204 has no body"),
        ({"status": 500, "finish_reason": "stop"}, (0, "finish_reason"), "only with `json`, `content`"),
        ({"fault": "drop", "headers": {}}, (0, "headers"), "cannot be combined with `fault`"),
        ({"json": {}, "delay": 1}, (0, "delay"), "did you mean `delay_s`?"),
        ({"json": {}, "{0}": 1}, (0, "{0}"), "unknown key `{0}`"),
        ({"json": {}, True: 1}, (0, "True"), "unknown key `True`"),
        ({"json": {}, "phase": "drafting"}, (0, "phase"), "'draft'"),
        ({"json": {}, "times": 0}, (0, "times"), "greater than or equal to 1"),
        ({"json": {}, "times": MAX_TIMES + 1}, (0, "times"), "less than or equal to"),
        ({"json": {}, "times": True}, (0, "times"), "valid integer"),
        ({"json": {}, "delay_s": -0.1}, (0, "delay_s"), "greater than or equal to 0"),
        ({"json": {}, "delay_s": MAX_DELAY_S + 1}, (0, "delay_s"), "less than or equal to"),
        ({"json": {}, "delay_s": math.nan}, (0, "delay_s"), "finite"),
        ({"json": {}, "finish_reason": "done"}, (0, "finish_reason"), "'stop'"),
        ({"json": {}, "usage": {"prompt_tokens": 1}}, (0, "usage", "completion_tokens"), "required"),
        ({"json": {}, "tool_calls": []}, (0, "tool_calls"), "at least 1"),
        ({"tool_calls": []}, (0, "tool_calls"), "at least 1"),
        ({"tool_calls": None}, (0, "tool_calls"), "valid list"),
        ({"tool_calls": [{"args": {}}]}, (0, "tool_calls", 0, "name"), "required"),
        ({"tool_calls": [{"name": ""}]}, (0, "tool_calls", 0, "name"), "at least 1"),
        ({"tool_calls": [{"name": "f", "id": ""}]}, (0, "tool_calls", 0, "id"), "at least 1"),
        ({"tool_calls": [{"name": "f", "args": "{}"}]}, (0, "tool_calls", 0, "args"), "valid dict"),
        (
            {"tool_calls": [{"name": "f", "args": {"a": {1}}}]},
            (0, "tool_calls", 0, "args", "a"),
            "a set is no",
        ),
        (
            {"tool_calls": [{"name": "f", "arguments": "{}"}]},
            (0, "tool_calls", 0, "arguments"),
            "not permitted",
        ),
        ({"tool_calls": [{"type": "function", "function": {}}]}, (0, "tool_calls", 0), "`name` and `args`"),
        ({"status": 500, "tool_calls": []}, (0, "tool_calls"), "only with `json`, `content`, `refusal`"),
        ({"choices": [], "tool_calls": []}, (0, "tool_calls"), "cannot be combined with `choices`"),
        ({"content": 3}, (0, "content"), "valid string"),
        ({"refusal": ""}, (0, "refusal"), "at least 1"),
        ({"choices": {}}, (0, "choices"), "valid list"),
        ({"status": 199}, (0, "status"), "greater than or equal to 200"),
        ({"status": 600}, (0, "status"), "less than or equal to 599"),
        ({"status": "429"}, (0, "status"), "valid integer"),
        ({"status": 429, "error": {"msg": "x"}}, (0, "error", "msg"), "not permitted"),
        ({"body": "\ud800"}, (0, "body"), "body_base64"),
        ({"body_base64": "not base64!"}, (0, "body_base64"), "not Base64"),
        ({"fault": "explode"}, (0, "fault"), "'drop'"),
        ({"json": {}, "headers": {"Content-Length": 3}}, (0, "headers"), "is set by the server"),
        ({"json": {}, "headers": {"a b": "x"}}, (0, "headers"), "not a valid header name"),
        ({"json": {}, "headers": {"X-A": "x\r\nX-B: y"}}, (0, "headers"), "without line breaks"),
        ({"json": {"a": [1, math.inf]}}, (0, "json", "a", 1), "not a JSON number"),
        ({"json": {"d": datetime.date(2026, 3, 6)}}, (0, "json", "d"), "a date is not a JSON value"),
        ({"json": {3: "x"}}, (0, "json", "3"), "is not text"),
        ({"choices": [{"index": {1}}]}, (0, "choices", 0, "index"), "a set is not a JSON value"),
    ],
)
def test_error_names_location_and_problem(value, place, text):
    found_place, found_text = place_and_text(value)
    assert found_place == place
    assert text in found_text


def test_all_invalid_replies_are_reported_together():
    with pytest.raises(ValidationError) as caught:
        parse_replies([{"content": 1}, {"json": {}}, {"fault": "no"}])
    assert [error["loc"][0] for error in caught.value.errors()] == [0, 2]


def test_cyclic_or_huge_values_are_refused():
    endless = []
    endless.append(endless)
    place, text = place_and_text({"json": endless})
    assert f"deeper than {MAX_DEPTH}" in text
    assert place[:2] == (0, "json")
    wide = "x"
    for _ in range(20):
        wide = [wide] * 10
    assert f"more than {MAX_NODES}" in place_and_text({"json": wide})[1]


def test_replies_are_frozen():
    reply = parse_replies([{"status": 500}])[0]
    with pytest.raises(ValidationError, match="frozen"):
        reply.status = 200
