"""OpenAI's Responses API: ``POST …/responses``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from redpen_evals.endpoint.answer import CREATED, Answer, Event, split_text, values_of
from redpen_evals.endpoint.dialects.dialect import Dialect, is_list_of_objects, missing
from redpen_evals.endpoint.forms import ErrorObject, FinishReason

# A request that continues stored state needs no input.
_INPUT_ALTERNATIVES: Final = ("previous_response_id", "conversation", "prompt")
_COUNTED: Final = ("content", "arguments", "output")
_INCOMPLETE_REASONS: Final[Mapping[FinishReason, str]] = {
    "length": "max_output_tokens",
    "content_filter": "content_filter",
}


class Responses(Dialect):
    """The dialect of ``POST …/responses``."""

    name = "Responses"

    def find_problem(self, body: Mapping[str, Any]) -> ErrorObject | None:
        """Return the error in a request, or None."""
        given = body.get("input")
        if given is None:
            if not any(body.get(key) for key in _INPUT_ALTERNATIVES):
                return missing("input", "a text or a list of items")
        elif not isinstance(given, str) and not is_list_of_objects(given):
            return missing("input", "a text or a list of at least one item")
        if body.get("background"):
            message = "The scripted endpoint answers at once: leave background out or set it to false."
            return ErrorObject(code="unsupported_value", message=message, param="background")
        return None

    def prompt(self, body: Mapping[str, Any]) -> list[object]:
        """Return the instructions and the input of a request."""
        given = body.get("input")
        return [
            body.get("instructions"),
            *([given] if isinstance(given, str) else values_of(given, _COUNTED)),
        ]

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the response object of an answer."""
        return _finished(answer)

    def events(self, answer: Answer, body: Mapping[str, Any]) -> Iterator[Event]:  # noqa: ARG002 - no option
        """Return the events of an answer, numbered from 0."""
        for number, (kind, fields) in enumerate(_steps(answer)):
            yield Event.of_json({"type": kind, "sequence_number": number, **fields}, kind)


def _steps(answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return kind and fields of each event of a stream."""
    started = _started(answer)
    yield "response.created", {"response": started}
    yield "response.in_progress", {"response": started}
    for index, item in enumerate(_items(answer)):
        steps = _message_steps(item) if item["type"] == "message" else _call_steps(item)
        for kind, fields in steps:
            yield kind, {"output_index": index, **fields}
    finished = _finished(answer)
    yield f"response.{finished['status']}", {"response": finished}


def _message_steps(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the events of a message with one part, without its index in the output."""
    (part,) = item["content"]
    key, name = ("refusal", "refusal") if part["type"] == "refusal" else ("text", "output_text")
    # Texts, unlike refusals, have log probabilities.
    logprobs: dict[str, Any] = {"logprobs": []} if key == "text" else {}
    location = {"item_id": item["id"], "content_index": 0}
    yield "response.output_item.added", {"item": {**item, "status": "in_progress", "content": []}}
    yield "response.content_part.added", {**location, "part": {**part, key: ""}}
    for piece in split_text(part[key]):
        yield f"response.{name}.delta", {**location, "delta": piece, **logprobs}
    yield f"response.{name}.done", {**location, key: part[key], **logprobs}
    yield "response.content_part.done", {**location, "part": part}
    yield "response.output_item.done", {"item": item}


def _call_steps(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the events of a function call, without its index in the output."""
    location = {"item_id": item["id"]}
    yield "response.output_item.added", {"item": {**item, "status": "in_progress", "arguments": ""}}
    for piece in split_text(item["arguments"]):
        yield "response.function_call_arguments.delta", {**location, "delta": piece}
    yield "response.function_call_arguments.done", {**location, "arguments": item["arguments"]}
    yield "response.output_item.done", {"item": item}


def _items(answer: Answer) -> list[dict[str, Any]]:
    """Return the output items of an answer: at most one message, then a function call for each tool call."""
    items: list[dict[str, Any]] = []
    part: dict[str, Any] | None = None
    if answer.refusal is not None:
        part = {"type": "refusal", "refusal": answer.refusal}
    elif answer.text is not None:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": answer.text}
    if part is not None:
        status = "incomplete" if answer.finish_reason in _INCOMPLETE_REASONS else "completed"
        head = {"id": f"msg_scripted_{answer.call}", "type": "message", "role": "assistant"}
        items.append({**head, "status": status, "content": [part]})
    for index, use in enumerate(answer.tool_uses, start=1):
        head = {"id": f"fc_{answer.call}_{index}", "type": "function_call", "status": "completed"}
        items.append({**head, "call_id": use.id, "name": use.name, "arguments": use.arguments})
    return items


def _finished(answer: Answer) -> dict[str, Any]:
    reason = _INCOMPLETE_REASONS.get(answer.finish_reason)
    return {
        **_started(answer),
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "output": _items(answer),
        "usage": {
            "input_tokens": answer.tokens.prompt,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": answer.tokens.completion,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": answer.tokens.prompt + answer.tokens.completion,
        },
    }


def _started(answer: Answer) -> dict[str, Any]:
    """Return the response object of an answer at the start of a stream.

    It does not repeat the request, since a recording would hold every prompt and tool again in each event.
    """
    return {
        "id": f"resp_scripted_{answer.call}",
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": answer.model,
        "output": [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "temperature": None,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "usage": None,
    }
