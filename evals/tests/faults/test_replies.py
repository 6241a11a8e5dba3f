"""Malformed model replies: a run ends with a documented stop and publishes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from property_support.raw_endpoint import RawEndpoint
from redpen import (
    build_incident_context,
    build_request,
    run_guarded_policy_agent,
    run_reflection_agent,
    run_self_critique_agent,
)
from redpen.chat import ChatClient
from redpen.stop_reasons import find_stop_reason
from redpen.types import AgentName
from redpen_evals.endpoint.wire import Response

Raw = Callable[..., RawEndpoint]
Connect = Callable[..., ChatClient]

AGENTS: tuple[AgentName, ...] = ("self-critique", "reflection", "guarded-policy")


def bodies_of(content: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


def message(**parts: Any) -> bytes:
    return json.dumps({"choices": [{"message": parts}]}).encode()


def choice(**parts: Any) -> bytes:
    return json.dumps({"choices": [parts]}).encode()


CALL = {"id": "c", "type": "function", "function": {"name": "send", "arguments": "{}"}}
NUMBERS = '{"draft": [' + "0," * 500_000 + "0]}"

ROWS: dict[str, tuple[str, bytes]] = {
    # The content.
    "100,000 lists": ("llm_invalid_json", bodies_of("[" * 100_000)),
    "100,000 lists, closed": ("llm_invalid_json", bodies_of("[" * 100_000 + "]" * 100_000)),
    "100,000 objects": ("llm_invalid_json", bodies_of('{"a":' * 100_000)),
    "an integer of 100,000 digits": ("llm_invalid_json", bodies_of('{"draft": ' + "9" * 100_000 + "}")),
    "half a million numbers": ("llm_invalid_json", bodies_of(NUMBERS)),
    "a repeated key": ("llm_invalid_json", bodies_of('{"draft": "a", "draft": "b"}')),
    "a lone surrogate": ("llm_invalid_json", bodies_of('{"draft": "\\ud800"}')),
    "a lone surrogate, raw": ("llm_invalid_json", message(content='{"draft": "\ud800"}')),
    "a fence": ("llm_invalid_json", bodies_of('```json\n{"draft": "x"}\n```')),
    "two objects": ("llm_invalid_json", bodies_of('{"draft": "x"}{"draft": "y"}')),
    "a byte order mark": ("llm_invalid_json", bodies_of('\ufeff{"draft": "x"}')),
    "NaN": ("llm_invalid_json", bodies_of("NaN")),
    "a content of parts": ("llm_invalid_json", message(content=[{"type": "text", "text": "{}"}])),
    "a content of NaN": ("llm_invalid_json", message(content=float("nan"))),
    # The completion around the content.
    "a wrapping 100,000 deep": ("llm_invalid_json", b"[" * 100_000),
    "a wrapping with a long integer": ("llm_invalid_json", b'{"choices": ' + b"9" * 100_000 + b"}"),
    "a deep error": ("llm_no_choices", b'{"error": {"message": ' + b"[" * 900 + b"]" * 900 + b"}}"),
    "an error": ("llm_no_choices", b'{"error": {"message": "overloaded"}}'),
    "choices in an object": ("llm_no_choices", b'{"choices": {"0": {"message": {"content": "{}"}}}}'),
    "choices in words": ("llm_no_choices", b'{"choices": "none"}'),
    "a choice of null": ("llm_no_choices", b'{"choices": [null]}'),
    "a choice of choices": ("llm_no_choices", b'{"choices": [[{"message": {}}]]}'),
    "a message in words": ("llm_no_choices", choice(message="x")),
    "no message": ("llm_no_choices", choice(text="x")),
    "a number": ("llm_no_choices", b"12"),
    # Refusals, filters and truncation.
    "a refusal": ("llm_refused", message(content=None, refusal="I cannot help with that.")),
    "a refusal beside an answer": ("llm_refused", message(content='{"draft": "x"}', refusal="No.")),
    "filtered": ("llm_content_filtered", choice(finish_reason="content_filter", message={"content": "{}"})),
    "filtered, no message": ("llm_content_filtered", choice(finish_reason="content_filter")),
    "cut off": ("llm_truncated", choice(finish_reason="length", message={"content": '{"draft": "x'})),
}

# The stop reason of each agent for an empty object.
EMPTY: dict[AgentName, str] = {
    "self-critique": "llm_invalid_schema",
    "reflection": "llm_invalid_schema",
    "guarded-policy": "invalid_plan:actions",
}
EMPTY_ROWS: dict[str, bytes] = {
    "tool calls": choice(finish_reason="tool_calls", message={"content": None, "tool_calls": [CALL]}),
    "tool calls of any shape": message(content=None, tool_calls={"a": [1]}),
    "a function call": message(content=None, function_call={"name": "send", "arguments": "{}"}),
    "an unknown finish": choice(finish_reason={"a": 1}, message={"content": ""}),
    "a refusal of another type": message(content=None, refusal=["No."]),
    "nothing": message(),
    "other keys": bodies_of('{"text": "x", "NaN": NaN, "Infinity": -Infinity}'),
}


def run(agent: AgentName, chat: ChatClient) -> dict[str, Any]:
    match agent:
        case "self-critique":
            context = build_incident_context()
            return run_self_critique_agent(goal="Inform.", incident_context=context, chat=chat).to_dict()
        case "reflection":
            context = build_incident_context(example="reflection")
            return run_reflection_agent(goal="Inform.", incident_context=context, chat=chat).to_dict()
        case "guarded-policy":
            return run_guarded_policy_agent(goal="Inform.", request=build_request(), chat=chat).to_dict()


def check(result: dict[str, Any], agent: AgentName, reason: str) -> None:
    assert (result["status"], result["stop_reason"]) == ("stopped", reason)
    assert find_stop_reason(agent, reason) is not None
    assert result["phase"] == ("plan" if agent == "guarded-policy" else "draft")
    assert {"answer", "outcome"}.isdisjoint(result)
    assert (result["trace"], result["history"]) == ([], [])
    json.dumps(result, allow_nan=False).encode()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("reason", "body"), ROWS.values(), ids=ROWS)
def test_malformed_reply_stops_the_run(
    raw: Raw, connect: Connect, agent: AgentName, reason: str, body: bytes
) -> None:
    endpoint = raw([Response(status=200, body=body).encode()])
    result = run(agent, connect(endpoint.base_url, timeout_s=30))
    check(result, agent, reason)
    assert set(result["error"]) == {"type", "message"}
    assert len(result["error"]["message"]) <= 400
    assert endpoint.requests == 1


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("body", EMPTY_ROWS.values(), ids=EMPTY_ROWS)
def test_reply_without_an_answer_stops_the_run(
    raw: Raw, connect: Connect, agent: AgentName, body: bytes
) -> None:
    endpoint = raw([Response(status=200, body=body).encode()])
    check(run(agent, connect(endpoint.base_url, timeout_s=30)), agent, EMPTY[agent])
