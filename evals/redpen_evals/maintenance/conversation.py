"""A cassette as a conversation that people can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click

from redpen.screen import shown
from redpen_evals.cassettes.encoding import Body, JsonBody, body_bytes
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse, CassetteFile
from redpen_evals.maintenance.stock import Choice, accident, choices_of, status_text, versions
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.strict_json import parse_json

_SHORT_CHARS: Final = 240
_MESSAGES: Final = "messages"
_TYPE_HEADER: Final = "content-type"
_FINISHED: Final = {
    "length": "cut off at the token limit",
    "content_filter": "cut off by the server's filter",
    "tool_calls": "it asks for tool calls",
}


def conversation(
    cassette: CassetteFile, name: str, *, full: bool = False, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a conversation, safe to show.

    Args:
        cassette: the recorded calls.
        name: how the cassette is named to people.
        full: whether to show system prompts whole.
        colour: whether the lines are meant for a terminal that shows colours.
    """
    page = _Page(full=full, colour=colour)
    yield page.title(name)
    yield from page.text(_origin(cassette))
    latencies = latencies_ms(cassette)
    for number, call in enumerate(cassette.calls, start=1):
        yield ""
        bad = bool(accident(call.response))
        yield page.heading(_heading(call, number, len(cassette.calls), latencies[number - 1]), bad=bad)
        yield from _asked(call.request, page)
        if isinstance(call.response, CallFailure):
            yield page.label("no answer", bad=True)
            yield from page.text(f"{call.response.failure}: {call.response.message}", depth=2)
        else:
            yield from _answered(call.response, page)
    if not cassette.calls:
        yield from page.text("it holds no call")


def latencies_ms(cassette: CassetteFile) -> list[float | None]:
    """Return how long each call took when it was recorded, in milliseconds; None where nothing says."""
    recorded = cassette.recorded.get("latency_ms")
    values = recorded if isinstance(recorded, list) else []
    numbers = [float(one) if isinstance(one, (int, float)) else None for one in values]
    return [*numbers, *[None] * len(cassette.calls)][: len(cassette.calls)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    full: bool
    colour: bool

    def title(self, text: str) -> str:
        return self._styled(shown(text), bold=True)

    def heading(self, text: str, *, bad: bool) -> str:
        return self._styled(shown(text), fg="red" if bad else "cyan", bold=True)

    def label(self, text: str, *, bad: bool = False) -> str:
        return f"  {self._styled(shown(text), fg='red' if bad else 'green')}"

    def text(self, text: str, *, depth: int = 1) -> Iterator[str]:
        for line in text.replace("\r\n", "\n").split("\n"):
            yield f"{'  ' * depth}{shown(line)}".rstrip()

    def value(self, value: Any) -> Iterator[str]:
        yield from self.text(json.dumps(value, ensure_ascii=False, indent=2), depth=2)

    def prose(self, text: str, *, short: bool = False) -> Iterator[str]:
        if not short or self.full or len(text) <= _SHORT_CHARS:
            yield from self.text(text or "(empty)", depth=2)
            return
        head = re.sub(r"\s+\S{0,40}$", "", text[:_SHORT_CHARS])
        yield from self.text(f"{head} …", depth=2)
        yield from self.text(f"({len(text) - len(head):,} more characters, shown by --full)", depth=2)

    def _styled(self, text: str, *, fg: str | None = None, bold: bool = False) -> str:
        return click.style(text, fg=fg, bold=bold or None) if self.colour else text


def _origin(cassette: CassetteFile) -> str:
    releases = ", ".join(f"{name} {version}" for name, version in versions(cassette.recorded).items())
    at = cassette.recorded.get("at") or "at an unknown time"
    said = f"{cassette.model} at {cassette.base_url}, recorded {at}"
    return f"{said} with {releases}" if releases else said


def _heading(call: Call, number: int, total: int, latency_ms: float | None) -> str:
    result = call.response
    parts = [f"call {number} of {total}", call.phase or "(no phase)"]
    parts.append("failed" if isinstance(result, CallFailure) else str(result.status))
    asked, answered = tokens_of(call)
    if asked is not None and answered is not None:
        parts.append(f"{asked:,} + {answered:,} tokens")
    if latency_ms is not None:
        parts.append(f"{latency_ms:,g} ms when recorded")
    return ", ".join(parts)


def _asked(request: CallRequest, page: _Page) -> Iterator[str]:
    value = request.body.value if isinstance(request.body, JsonBody) else None
    if not isinstance(value, dict):
        yield page.label(f"request {request.method} {request.url}")
        yield from _body(request.body, page)
        return
    messages = value.get(_MESSAGES)
    for message in messages if isinstance(messages, list) else ():
        said = message if isinstance(message, Mapping) else {"content": message}
        role = str(said.get("role", "message"))
        yield page.label(role)
        yield from _content(said.get("content"), page, short=role == "system")
    others = {name: item for name, item in value.items() if name != _MESSAGES}
    parameters = ", ".join(f"{name} {_inline(item)}" for name, item in others.items())
    yield page.label("parameters")
    yield from page.text(parameters or "(none)", depth=2)


def _answered(response: CallResponse, page: _Page) -> Iterator[str]:
    choices = choices_of(response)
    if response.status >= 400:
        yield page.label(status_text(response.status), bad=True)
        yield from (f"    {shown(line)}" for line in _headers(response))
        yield from _body(response.body, page)
    elif not choices:
        yield page.label("no answer in it", bad=True)
        yield from _body(response.body, page)
    for at, choice in enumerate(choices if response.status < 400 else (), start=1):
        yield from _chosen(choice, f"answer {at}" if len(choices) > 1 else "answer", page)


def _chosen(choice: Choice, name: str, page: _Page) -> Iterator[str]:
    if choice.refusal:
        yield page.label("refused", bad=True)
        yield from page.text(choice.refusal, depth=2)
    ended = _FINISHED.get(choice.finish_reason, "")
    if not choice.refusal or choice.content is not None:
        yield page.label(f"{name}, {ended}" if ended else name, bad=bool(ended))
        yield from _content(choice.content, page)
    if choice.tool_calls:
        yield page.label("tool calls")
        yield from page.value(list(choice.tool_calls))


def _content(content: Any, page: _Page, *, short: bool = False) -> Iterator[str]:
    if content is None:
        yield from page.text("(none)", depth=2)
    elif not isinstance(content, str):
        yield from page.value(content)
    elif content.lstrip().startswith(("{", "[")) and (value := _parsed(content)) is not None:
        yield from page.value(value)
    else:
        yield from page.prose(content, short=short)


def _body(body: Body, page: _Page) -> Iterator[str]:
    if isinstance(body, JsonBody):
        yield from page.value(body.value)
    else:
        yield from page.prose(body_bytes(body).decode("utf-8", "backslashreplace"))


def _headers(response: CallResponse) -> Iterator[str]:
    for name, values in response.headers.items():
        if name != _TYPE_HEADER:
            yield f"{name}: {', '.join(values)}"


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return None


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
