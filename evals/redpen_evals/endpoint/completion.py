"""What the endpoint says: chat completions, model objects and errors in the shape of OpenAI's API."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

from redpen_evals.endpoint.forms import (
    BodyReply,
    BytesReply,
    ChoicesReply,
    ContentReply,
    JsonReply,
    RefusalReply,
    StatusReply,
)
from redpen_evals.endpoint.wire import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redpen_evals.endpoint.forms import CompletionReply, HttpReply

CREATED: Final = 1_767_225_600
"""The fixed time of every object, 2026-01-01T00:00:00Z in Unix seconds: replies are the same in every run."""

BYTES_PER_TOKEN: Final = 4

_FIRST_ERROR_STATUS: Final = 400
_FIRST_SERVER_ERROR_STATUS: Final = 500

_ERROR_OF_STATUS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", "permission_denied"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


def render(reply: HttpReply, *, call: int, request: Mapping[str, Any], model: str) -> Response:
    """Return the response that a scripted reply stands for.

    Args:
        reply: any form but a fault.
        call: number of the call, from 1; it makes the ids.
        request: JSON body of the request, from which prompt tokens are estimated.
        model: name of the model that the reply claims to come from.
    """
    headers = {"x-request-id": f"req-scripted-{call}"}
    headers |= {name: str(value) for name, value in reply.headers.items()}
    match reply:
        case JsonReply() | ContentReply() | RefusalReply():
            message = _message(reply)
            default = "tool_calls" if reply.tool_calls else "stop"
            finish_reason = reply.finish_reason or default
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
            value = _completion(reply, [choice], call=call, request=request, model=model)
            return Response.of_json(200, value, headers)
        case ChoicesReply():
            value = _completion(reply, reply.choices, call=call, request=request, model=model)
            return Response.of_json(200, value, headers)
        case StatusReply():
            return Response(status=reply.status, body=_status_body(reply), headers=headers)
        case BodyReply():
            return Response(status=200, body=reply.body.encode(), headers=headers)
        case BytesReply():
            return Response(status=200, body=base64.b64decode(reply.body_base64), headers=headers)
        case _:
            problem = f"{type(reply).__name__} is no form of reply"
            raise TypeError(problem)


def model_object(model: str) -> dict[str, Any]:
    """Return the entry of one model in ``GET /v1/models``."""
    return {"id": model, "object": "model", "created": CREATED, "owned_by": "redpen"}


def error_response(status: int, message: str, code: str | None, param: str | None = None) -> Response:
    """Return an error of the endpoint itself in OpenAI's shape."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Response.of_json(status, {"error": error})


def estimate_tokens(text: str) -> int:
    """Return a deterministic guess at the tokens of a text: a quarter of its UTF-8 bytes, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def _message(reply: CompletionReply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    match reply:
        case JsonReply():
            message["content"] = json.dumps(reply.json_value, ensure_ascii=False)
        case ContentReply():
            message["content"] = reply.content
        case RefusalReply():
            message["refusal"] = reply.refusal
    if reply.tool_calls:
        message["tool_calls"] = reply.tool_calls
    return message


def _completion(
    reply: CompletionReply | ChoicesReply,
    choices: object,
    *,
    call: int,
    request: Mapping[str, Any],
    model: str,
) -> dict[str, Any]:
    if reply.usage is None:
        prompt_tokens = _tokens_of(_messages_in(request.get("messages")))
        completion_tokens = _tokens_of(_messages_in(choices))
    else:
        prompt_tokens, completion_tokens = reply.usage.prompt_tokens, reply.usage.completion_tokens
    return {
        "id": f"chatcmpl-scripted-{call}",
        "object": "chat.completion",
        "created": CREATED,
        "model": model,
        "choices": choices,
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
        "system_fingerprint": "scripted",
    }


def _messages_in(items: object) -> list[Mapping[str, Any]]:
    """Return the messages of a request's ``messages`` or of a completion's ``choices``."""
    objects = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [item["message"] if isinstance(item.get("message"), dict) else item for item in objects]


def _tokens_of(messages: list[Mapping[str, Any]]) -> int:
    total = 0
    for message in messages:
        for key in ("content", "refusal", "tool_calls"):
            part = message.get(key)
            if part is not None:
                total += estimate_tokens(part if isinstance(part, str) else json.dumps(part))
    return total


def _status_body(reply: StatusReply) -> bytes:
    if reply.body is not None:
        return reply.body.encode()
    if reply.body_base64 is not None:
        return base64.b64decode(reply.body_base64)
    if reply.error is None and reply.status < _FIRST_ERROR_STATUS:
        return b""
    status = reply.status
    fallback = (
        ("server_error", None) if status >= _FIRST_SERVER_ERROR_STATUS else ("invalid_request_error", None)
    )
    kind, code = _ERROR_OF_STATUS.get(status, fallback)
    error = {"message": f"Scripted error with status {status}.", "type": kind, "param": None, "code": code}
    if reply.error is not None:
        error |= reply.error.model_dump(exclude_unset=True)
    return json.dumps({"error": error}).encode("ascii")
