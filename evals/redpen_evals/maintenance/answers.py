"""What a recorded response says: the model's texts, or what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult

_FILTERED: Final = "content_filter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer of the model.

    Attributes:
        content: its text; None if there is none.
        refusal: why it refused, in its own words; empty if it did not.
        finish_reason: as the server says; empty if it does not.
        tool_calls: the calls that it asks for, as recorded.
    """

    content: str | None
    refusal: str
    finish_reason: str
    tool_calls: tuple[Any, ...] = ()


def choices_of(response: CallResponse) -> tuple[Choice, ...]:
    """Return the answers of a chat completion; none where the response is something else."""
    value = response.body.value if isinstance(response.body, JsonBody) else None
    found = value.get("choices") if isinstance(value, dict) else None
    return tuple(_choice(item) for item in found) if isinstance(found, list) else ()


def accident(result: CallResult) -> str:
    """Say why a response is no answer of the model; empty if it is one."""
    if isinstance(result, CallFailure):
        return f"failed: {result.failure}"
    if result.status != HTTPStatus.OK:
        return f"got {status_text(result.status)}"
    choices = choices_of(result)
    if not choices:
        return "got no answer"
    if any(choice.refusal for choice in choices):
        return "was refused"
    if any(choice.finish_reason == _FILTERED for choice in choices):
        return "was filtered"
    return ""


def status_text(status: int) -> str:
    """Return an HTTP status with its usual words, such as ``HTTP 429 Too Many Requests``."""
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"


def _choice(item: object) -> Choice:
    choice = item if isinstance(item, Mapping) else {}
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    content, refusal, tools = message.get("content"), message.get("refusal"), message.get("tool_calls")
    return Choice(
        content=content if isinstance(content, str) else None,
        refusal=refusal if isinstance(refusal, str) else "",
        finish_reason=str(choice.get("finish_reason") or ""),
        tool_calls=tuple(tools) if isinstance(tools, list) else (),
    )
