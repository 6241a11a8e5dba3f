"""Requests to a model and readers of its answers, for the tests of HTTP clients; failures of each client."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any

from redpen_evals.targets.calling import LOOPS

Answer = tuple[Any, list[tuple[str, Any]]]
"""Text and tool calls."""

TEXT = "Order 81 was sent on Monday."
REPLIES: dict[str, Any] = {
    "plain": {"content": TEXT},
    "stream": {"content": TEXT},
    "tool call": {"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]},
}
FORMS = tuple(REPLIES)
ASKED = [{"role": "user", "content": "Where is order 81?"}]
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "integer"}}}
TOOL = {"name": "lookup_order", "parameters": SCHEMA}


def chat_body(form: str) -> dict[str, Any]:
    """Return the body of a chat completion's request."""
    body: dict[str, Any] = {"model": "m", "messages": ASKED}
    if form == "stream":
        body["stream"] = True
    if form == "tool call":
        body["tools"] = [{"type": "function", "function": TOOL}]
    return body


def read_lines(lines: Iterable[str | bytes]) -> Answer:
    """Return the text that the lines of a streamed chat completion carry."""
    texts = [line.decode() if isinstance(line, bytes) else line for line in lines]
    data = [text.rstrip("\n").removeprefix("data: ") for text in texts if text.startswith("data: ")]
    chunks = [json.loads(item) for item in data if item != "[DONE]"]
    assert data[-1] == "[DONE]"
    return "".join(
        chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks if chunk["choices"]
    ), []


def read_message(message: dict[str, Any]) -> Answer:
    """Return text and tool calls of a message of a chat completion."""
    tools = [item["function"] for item in message.get("tool_calls") or ()]
    return message["content"], [(tool["name"], json.loads(tool["arguments"])) for tool in tools]


def read_body(value: dict[str, Any]) -> Answer:
    """Return text and tool calls of a chat completion."""
    return read_message(value["choices"][0]["message"])


FAILURES = ("refused", "drop", "reset", "truncate", "timeout")


def calling(ask: Callable[..., Any], *args: Any) -> Callable[[], Any]:
    """Return a function that makes a call, on the loop of the session if it is async."""

    def work() -> Any:
        result = ask(*args)
        return LOOPS.get().run_until_complete(result) if inspect.iscoroutine(result) else result

    return work


def failing(ask: Callable[..., Any], *args: Any) -> Callable[[], tuple[type, type] | None]:
    """Return a function that makes a call and returns the types of its exception and of the reason."""

    def work() -> tuple[type, type] | None:
        try:
            calling(ask, *args)()
        except Exception as error:  # noqa: BLE001 - each library has its own
            return type(error), type(getattr(error, "reason", None))
        return None

    return work


def check_failure(traffic: Any, ask: Callable[..., Any], failure: str, closed_port: str) -> Any:
    """Record a call that fails, replay it without its server, and return the recorded calls.

    `ask` takes the base URL of a model and a time limit in seconds.
    """
    base_url, timeout_s, endpoint = f"{closed_port}/v1", 20.0, None
    if failure != "refused":
        late = failure == "timeout"
        endpoint = traffic.serve(
            {"content": "late", "delay_s": 5, "times": 4} if late else {"fault": failure, "times": 4}
        )
        base_url, timeout_s = endpoint.base_url, 0.2 if late else 20.0
    work = failing(ask, base_url, timeout_s)
    recorded, calls = traffic.record(work)
    if endpoint is not None:
        endpoint.close()
    assert recorded is not None
    assert traffic.replay(work, calls) == recorded
    assert (traffic.attempts, traffic.scope.cassette.misses, traffic.scope.cassette.unplayed) == ((), [], ())
    return calls
