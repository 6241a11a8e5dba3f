"""Readable output of cassettes: a table, or one cassette as a conversation."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click

from redpen.screen import shown
from redpen_evals.cassettes.encoding import Body, JsonBody, body_bytes, encode_body
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse, CassetteFile
from redpen_evals.maintenance.inventory import (
    Choice,
    Entry,
    accident,
    age,
    choices_of,
    name_of,
    status_text,
    versions,
)
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.strict_json import parse_container
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen

_HEADER: Final = ("cassette", "model", "kind", "calls", "size", "age", "recorded with")
_RIGHT: Final = frozenset({3, 4, 5})
_KILO: Final = 1000


def list_lines(entries: Sequence[Entry], *, now: datetime.datetime, screen: Screen = PLAIN) -> Iterator[str]:
    """Yield a table with a row per cassette, and the sums by model."""
    if not entries:
        yield "no cassettes"
        return
    yield from table_lines(_HEADER, [_row(entry, now) for entry in entries], right=_RIGHT, screen=screen)
    yield ""
    yield from table_lines((), list(_sums(entries)), right=frozenset({1, 3, 5}), screen=screen)


def list_values(entries: Sequence[Entry], *, now: datetime.datetime) -> dict[str, Any]:
    """Return the same as JSON values, sizes in bytes."""
    return {
        "cassettes": [_values(entry, now) for entry in entries],
        "count": len(entries),
        "calls": sum(len(entry.calls) for entry in entries),
        "size_bytes": sum(entry.size_bytes for entry in entries),
    }


def size_text(size_bytes: int) -> str:
    """Return a size in a suitable unit, such as ``21.3 kB``."""
    size = float(size_bytes)
    for unit in ("B", "kB", "MB"):
        if size < _KILO:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"


def _row(entry: Entry, now: datetime.datetime) -> tuple[str, ...]:
    location, cassette = entry.location, entry.cassette
    where = (name_of(location), location.model, location.kind)
    if cassette is None:
        problem = entry.error.problem if entry.error else ""
        return (*where, "-", size_text(entry.size_bytes), "-", f"broken: {problem}")
    releases = ", ".join(f"{name} {version}" for name, version in versions(cassette.recorded).items())
    return (
        *where,
        f"{len(cassette.calls):,}",
        size_text(entry.size_bytes),
        age(cassette.recorded, now),
        releases,
    )


def _values(entry: Entry, now: datetime.datetime) -> dict[str, Any]:
    location, cassette = entry.location, entry.cassette
    return {
        "path": str(entry.path),
        "scenario": location.scenario,
        "model": location.model,
        "kind": location.kind,
        "variant": location.variant,
        "sample": location.sample,
        "size_bytes": entry.size_bytes,
        "calls": None if cassette is None else len(cassette.calls),
        "phases": None if cassette is None else [call.phase for call in cassette.calls],
        "recorded_at": None if cassette is None else cassette.recorded.get("at"),
        "age": None if cassette is None else age(cassette.recorded, now),
        "versions": None if cassette is None else versions(cassette.recorded),
        "broken": entry.error.problem if entry.error else None,
    }


def _sums(entries: Sequence[Entry]) -> Iterator[tuple[str, ...]]:
    models = sorted({entry.location.model for entry in entries})
    for model in models:
        yield _sum(model, [entry for entry in entries if entry.location.model == model])
    if len(models) > 1:
        yield _sum("all", entries)


def _sum(name: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    size = size_text(sum(entry.size_bytes for entry in entries))
    calls = sum(len(entry.calls) for entry in entries)
    return name, f"{len(entries):,}", "cassettes", f"{calls:,}", "calls", size


def cassette_values(cassette: CassetteFile) -> dict[str, Any]:
    """Return a cassette as JSON values, a body that is not valid JSON as ``{"$text": …}``."""
    return {
        "scenario": cassette.scenario,
        "model": cassette.model,
        "kind": cassette.kind,
        "variant": cassette.variant,
        "sample": cassette.sample,
        "base_url": cassette.base_url,
        "recorded": cassette.recorded,
        "calls": list(map(_call, cassette.calls, cassette.latencies_ms)),
    }


def _call(call: Call, latency_ms: float | None) -> dict[str, Any]:
    prompt_tokens, completion_tokens = tokens_of(call)
    values: dict[str, Any] = {
        "phase": call.phase,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "latency_ms": latency_ms,
        "request": _body(call.request.body),
    }
    if isinstance(call.response, CallFailure):
        return {**values, "failure": call.response.failure, "message": call.response.message}
    return {**values, "status": call.response.status, "response": _body(call.response.body)}


def _body(body: Body) -> Any:
    return body.value if isinstance(body, JsonBody) else encode_body(body)


_SHORT_CHARS: Final = 240
_MESSAGES: Final = "messages"
_TYPE_HEADER: Final = "content-type"
_FINISHED: Final = {
    "length": "cut off at the token limit",
    "content_filter": "cut off by the server's filter",
    "tool_calls": "with tool calls",
}


def conversation(
    cassette: CassetteFile, name: str, *, full: bool = False, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a conversation, escaped for a terminal; with `full` system prompts in full."""
    page = _Page(full=full, colour=colour)
    yield page.title(name)
    yield from page.text(_origin(cassette))
    total = len(cassette.calls)
    timed = zip(cassette.calls, cassette.latencies_ms, strict=True)
    for number, (call, latency_ms) in enumerate(timed, start=1):
        yield ""
        bad = bool(accident(call))
        yield page.heading(_heading(call, number, total, latency_ms), bad=bad)
        yield from _request_lines(call.request, page)
        if isinstance(call.response, CallFailure):
            yield page.label("no answer", bad=True)
            yield from page.text(f"{call.response.failure}: {call.response.message}", depth=2)
        else:
            yield from _response_lines(call.response, page, bad=bad)
    if not cassette.calls:
        yield from page.text("(no calls)")


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
    time = cassette.recorded.get("at") or "at an unknown time"
    source = f"{cassette.model} at {cassette.base_url}, recorded {time}"
    return f"{source} with {releases}" if releases else source


def _heading(call: Call, number: int, total: int, latency_ms: float | None) -> str:
    result = call.response
    parts = [f"call {number} of {total}", call.phase or "(no phase)"]
    parts.append("failed" if isinstance(result, CallFailure) else str(result.status))
    prompt_tokens, completion_tokens = tokens_of(call)
    if prompt_tokens is not None and completion_tokens is not None:
        parts.append(f"{prompt_tokens:,} + {completion_tokens:,} tokens")
    if latency_ms is not None:
        parts.append(f"{latency_ms:,g} ms when recorded")
    return ", ".join(parts)


def _request_lines(request: CallRequest, page: _Page) -> Iterator[str]:
    value = request.body.value if isinstance(request.body, JsonBody) else None
    if not isinstance(value, dict):
        yield page.label(f"request {request.method} {request.url}")
        yield from _body_lines(request.body, page)
        return
    messages = value.get(_MESSAGES)
    for message in messages if isinstance(messages, list) else ():
        fields = message if isinstance(message, Mapping) else {"content": message}
        role = str(fields.get("role", "message"))
        yield page.label(role)
        yield from _content(fields.get("content"), page, short=role == "system")
    others = {name: item for name, item in value.items() if name != _MESSAGES}
    parameters = ", ".join(f"{name} {_inline(item)}" for name, item in others.items())
    yield page.label("parameters")
    yield from page.text(parameters or "(none)", depth=2)


def _response_lines(response: CallResponse, page: _Page, *, bad: bool) -> Iterator[str]:
    choices = choices_of(response)
    if response.status >= 400:
        yield page.label(status_text(response.status), bad=True)
        yield from (f"    {shown(line)}" for line in _headers(response))
        yield from _body_lines(response.body, page)
    elif not choices:
        yield page.label("no answer in it" if bad else "response", bad=bad)
        yield from _body_lines(response.body, page)
    for number, choice in enumerate(choices if response.status < 400 else (), start=1):
        yield from _choice_lines(choice, f"answer {number}" if len(choices) > 1 else "answer", page)


def _choice_lines(choice: Choice, name: str, page: _Page) -> Iterator[str]:
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
    elif (value := parse_container(content)) is not None:
        yield from page.value(value)
    else:
        yield from page.prose(content, short=short)


def _body_lines(body: Body, page: _Page) -> Iterator[str]:
    if isinstance(body, JsonBody):
        yield from page.value(body.value)
    else:
        yield from page.prose(body_bytes(body).decode("utf-8", "backslashreplace"))


def _headers(response: CallResponse) -> Iterator[str]:
    for name, values in response.headers.items():
        if name != _TYPE_HEADER:
            yield f"{name}: {', '.join(values)}"


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
