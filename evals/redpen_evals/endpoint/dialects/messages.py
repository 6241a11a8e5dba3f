"""Anthropic's Messages API: ``POST …/v1/messages``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from redpen_evals.endpoint.answer import Answer, Event, split_text, values_of
from redpen_evals.endpoint.dialects.dialect import Dialect, check_messages, default_message, missing
from redpen_evals.endpoint.forms import ErrorObject, FinishReason

_STOP_REASONS: Final[Mapping[FinishReason, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
}
_ERROR_TYPES: Final[Mapping[int, str]] = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class Messages(Dialect):
    """The dialect of ``POST …/v1/messages``."""

    name = "Anthropic Messages"
    request_id_header = "request-id"

    def find_problem(self, body: Mapping[str, Any]) -> ErrorObject | None:
        """Return the error in a request, or None."""
        limit = body.get("max_tokens")
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
            return missing("max_tokens", "an integer of at least 1")
        return check_messages(body.get("messages"))

    def prompt(self, body: Mapping[str, Any]) -> list[object]:
        """Return the system prompt and the contents of a request's messages."""
        return [body.get("system"), *values_of(body.get("messages"), ("content",))]

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the message of an answer."""
        message = _started(answer)
        usage = {**message["usage"], "output_tokens": answer.tokens.completion}
        return {**message, "content": _blocks(answer), **_stopped(answer), "usage": usage}

    def events(self, answer: Answer, body: Mapping[str, Any]) -> Iterator[Event]:  # noqa: ARG002 - no option
        """Return the events of an answer."""
        yield _event("message_start", message=_started(answer))
        yield _event("ping")
        for index, (start, deltas) in enumerate(_streamed_blocks(answer)):
            yield _event("content_block_start", index=index, content_block=start)
            for delta in deltas:
                yield _event("content_block_delta", index=index, delta=delta)
            yield _event("content_block_stop", index=index)
        usage = {"output_tokens": answer.tokens.completion}
        yield _event("message_delta", delta=_stopped(answer), usage=usage)
        yield _event("message_stop")

    def error(self, status: int, error: ErrorObject | None) -> dict[str, Any]:
        """Return the JSON object of an error; the API has no fields for a code or parameter."""
        fallback = "api_error" if status >= 500 else "invalid_request_error"
        shown = {"type": _ERROR_TYPES.get(status, fallback), "message": default_message(status)}
        if error is not None:
            shown |= error.model_dump(exclude_unset=True, include={"type", "message"})
        return {"type": "error", "error": shown}


def _event(kind: str, **fields: object) -> Event:
    return Event.of_json({"type": kind, **fields}, kind)


def _started(answer: Answer) -> dict[str, Any]:
    """Return the message of an answer at the start of a stream."""
    return {
        "id": f"msg_scripted_{answer.call}",
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
        "usage": {"input_tokens": answer.tokens.prompt, "output_tokens": 0},
    }


def _stopped(answer: Answer) -> dict[str, Any]:
    reason = "refusal" if answer.refusal is not None else _STOP_REASONS[answer.finish_reason]
    details = {"type": "refusal", "category": None, "explanation": None} if reason == "refusal" else None
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": details}


def _text_of(answer: Answer) -> str | None:
    """Return the text of an answer; in this API a refusal is ordinary text."""
    return answer.text if answer.refusal is None else answer.refusal


def _blocks(answer: Answer) -> list[dict[str, Any]]:
    text = _text_of(answer)
    blocks: list[dict[str, Any]] = [] if text is None else [{"type": "text", "text": text}]
    calls = [{"id": use.id, "name": use.name, "input": use.args} for use in answer.tool_uses]
    return blocks + [{"type": "tool_use", **call} for call in calls]


def _streamed_blocks(answer: Answer) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return each block at its start, and the deltas from which a client assembles it."""
    text = _text_of(answer)
    if text is not None:
        pieces = split_text(text)
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]
    for use in answer.tool_uses:
        pieces = split_text(use.arguments)
        start = {"type": "tool_use", "id": use.id, "name": use.name, "input": {}}
        yield start, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
