"""Parse recorded calls: text, tool calls and tokens of the model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, assert_never
from urllib.parse import urlsplit

from redpen.text.json_values import objects, parse_json
from redpen_evals.cassettes.encoding import JsonBody, RawBody, body_bytes
from redpen_evals.cassettes.file import Call, CallFailure

_EVENT_END: Final = re.compile(rb"(?:\r\n|\n|\r){2}")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def split_events(content: bytes) -> list[bytes]:
    """Split a stream into its events, each with its final blank line; joined, they are the stream."""
    ends = [match.end() for match in _EVENT_END.finditer(content)]
    if not ends or ends[-1] != len(content):
        ends.append(len(content))
    return [content[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]


def event_values(content: bytes) -> list[dict[str, Any]]:
    """Return the JSON objects in the data of a stream's events, without other values."""
    values = []
    for event in split_events(content):
        lines = _LINE_END.split(event.decode("utf-8", "replace"))
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        try:
            value = json.loads(data)
        except ValueError:
            continue
        if isinstance(value, dict):
            values.append(value)
    return values


DialectName = Literal["chat", "responses", "messages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A model API.

    Attributes:
        name: ``chat`` for OpenAI's chat completions, ``responses`` for OpenAI's Responses, ``messages`` for
            Anthropic's Messages.
        path: the end of the path of its requests.
    """

    name: DialectName
    path: str


DIALECTS: Final = (
    Dialect(name="chat", path="/chat/completions"),
    Dialect(name="responses", path="/responses"),
    Dialect(name="messages", path="/messages"),
)


def dialect_of(url: str) -> Dialect | None:
    """Return the dialect of a model request, or None for any other address."""
    path = urlsplit(url).path.rstrip("/")
    return next((dialect for dialect in DIALECTS if path.endswith(dialect.path)), None)


_PROMPT_TOKENS: Final = ("prompt_tokens", "input_tokens")
_COMPLETION_TOKENS: Final = ("completion_tokens", "output_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call of the model.

    Attributes:
        name: name of the tool.
        args: its arguments; the raw text if they are not valid JSON.
        id: id of the call, or empty.
    """

    name: str
    args: Any
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One recorded HTTP call of a run.

    Attributes:
        method: HTTP method.
        url: the address, without credentials.
        dialect: the API of a model call; None for any other call.
        request: JSON value of the request's body, else its text.
        status: status of the response; None if the call failed.
        response: JSON value of the response's body, else its text; None if the call failed.
        model: the requested model; empty if the request names none.
        text: the model's text.
        tool_calls: the model's tool calls.
        prompt_tokens: tokens of the request as counted by the server, or None.
        completion_tokens: tokens of the answer, likewise.
    """

    method: str
    url: str
    dialect: DialectName | None
    request: Any
    status: int | None
    response: Any
    model: str = ""
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def read_calls(calls: Iterable[Call]) -> tuple[ModelCall, ...]:
    """Parse the calls of a run, in order."""
    return tuple(map(read_call, calls))


def read_call(call: Call) -> ModelCall:
    """Parse a recorded call."""
    dialect = dialect_of(call.request.url) if call.request.method == "POST" else None
    request = _value(call.request.body)
    if isinstance(call.response, CallFailure):
        content = _Content()
        status, response = None, None
    else:
        status, response = call.response.status, _value(call.response.body)
        content = _read_content(dialect.name, call.response.body) if dialect else _Content()
    return ModelCall(
        method=call.request.method,
        url=call.request.url,
        dialect=dialect.name if dialect else None,
        request=request,
        status=status,
        response=response,
        model=str(request.get("model") or "") if isinstance(request, dict) else "",
        text="".join(content.texts),
        tool_calls=tuple(
            ToolCall(name=tool.name, args=_arguments(tool.arguments), id=tool.id)
            for tool in content.tools.values()
        ),
        prompt_tokens=_count(content.usage, *_PROMPT_TOKENS),
        completion_tokens=_count(content.usage, *_COMPLETION_TOKENS),
    )


def tokens_of(call: Call) -> tuple[int | None, int | None]:
    """Return the tokens of request and answer as counted by the server, or None."""
    if isinstance(call.response, CallFailure):
        return None, None
    body = call.response.body
    usage: object = None
    if isinstance(body, JsonBody):
        usage = body.value.get("usage") if isinstance(body.value, dict) else None
    elif call.request.method == "POST" and (dialect := dialect_of(call.request.url)):
        usage = _read_content(dialect.name, body).usage
    if not isinstance(usage, dict):
        return None, None
    return _count(usage, *_PROMPT_TOKENS), _count(usage, *_COMPLETION_TOKENS)


@dataclass(slots=True)
class _Tool:
    name: str = ""
    arguments: Any = ""
    id: str = ""


@dataclass(slots=True)
class _Content:
    texts: list[str] = field(default_factory=list)
    tools: dict[object, _Tool] = field(default_factory=dict)
    usage: dict[str, Any] = field(default_factory=dict)


def _value(body: JsonBody | RawBody) -> Any:
    return body.value if isinstance(body, JsonBody) else body.content.decode("utf-8", "replace")


def _read_content(dialect: DialectName, body: JsonBody | RawBody) -> _Content:
    content = _Content()
    values = [body.value] if isinstance(body, JsonBody) else event_values(body_bytes(body))
    for value in values:
        if not isinstance(value, dict):
            continue
        match dialect:
            case "chat":
                _read_chat(value, content)
            case "responses":
                _read_responses(value, content)
            case "messages":
                _read_messages(value, content)
            case _:
                assert_never(dialect)
    return content


def _read_chat(value: Mapping[str, Any], content: _Content) -> None:
    _add_usage(content, value.get("usage"))
    choices = [choice for choice in objects(value.get("choices")) if not choice.get("index")]
    for choice in choices[:1]:
        message = choice.get("message") or choice.get("delta")
        if not isinstance(message, dict):
            continue
        _add_text(content, message.get("content") or message.get("refusal"))
        for index, tool in enumerate(objects(message.get("tool_calls"))):
            function = tool.get("function")
            function = function if isinstance(function, dict) else {}
            merged = content.tools.setdefault(_position(tool.get("index"), index), _Tool())
            merged.name = merged.name or str(function.get("name") or "")
            merged.id = merged.id or str(tool.get("id") or "")
            merged.arguments += str(function.get("arguments") or "")


def _read_responses(value: Mapping[str, Any], content: _Content) -> None:
    # The last event of a stream contains the whole response.
    whole = value.get("response") if str(value.get("type", "")).startswith("response.") else value
    if not isinstance(whole, dict) or value.get("type") in {"response.created", "response.in_progress"}:
        return
    _add_usage(content, whole.get("usage"))
    for position, item in enumerate(objects(whole.get("output"))):
        if item.get("type") == "function_call":
            content.tools[position] = _Tool(
                name=str(item.get("name") or ""),
                arguments=str(item.get("arguments") or ""),
                id=str(item.get("call_id") or ""),
            )
        for part in objects(item.get("content")):
            _add_text(content, part.get("text") or part.get("refusal"))


def _read_messages(value: Mapping[str, Any], content: _Content) -> None:
    message = value.get("message") if value.get("type") == "message_start" else value
    if isinstance(message, dict):
        _add_usage(content, message.get("usage"))
        for position, block in enumerate(objects(message.get("content"))):
            _add_block(content, position, block)
    position = _position(value.get("index"), 0)
    started = value.get("content_block")
    if value.get("type") == "content_block_start" and isinstance(started, dict):
        _add_block(
            content, position, {**started, "input": ""} if started.get("type") == "tool_use" else started
        )
    delta = value.get("delta")
    if isinstance(delta, dict):
        _add_text(content, delta.get("text"))
        tool = content.tools.get(position)
        if tool is not None and isinstance(tool.arguments, str):
            tool.arguments += str(delta.get("partial_json") or "")


def _add_block(content: _Content, position: object, block: Mapping[str, Any]) -> None:
    if block.get("type") == "tool_use":
        content.tools[position] = _Tool(
            name=str(block.get("name") or ""), arguments=block.get("input"), id=str(block.get("id") or "")
        )
    _add_text(content, block.get("text"))


def _add_text(content: _Content, text: object) -> None:
    if isinstance(text, str):
        content.texts.append(text)
    for part in objects(text):
        _add_text(content, part.get("text"))


def _add_usage(content: _Content, usage: object) -> None:
    if isinstance(usage, dict):
        content.usage.update({name: count for name, count in usage.items() if count is not None})


def _position(value: object, default: int) -> int:
    return value if type(value) is int else default


def _arguments(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not value.strip():
        return {}
    try:
        return parse_json(value)
    except ValueError:
        return value


def _count(usage: Mapping[str, Any], *names: str) -> int | None:
    counts: list[int] = [count for name in names if type(count := usage.get(name)) is int]
    return next((count for count in counts if count >= 0), None)


def tool_calls_of(calls: Iterable[ModelCall]) -> tuple[ToolCall, ...]:
    """Return all tool calls of a run, in order."""
    return tuple(tool for call in calls for tool in call.tool_calls)
