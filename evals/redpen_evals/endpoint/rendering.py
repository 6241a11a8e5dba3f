"""Render a scripted reply as an HTTP response in the API of the request."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from redpen_evals.endpoint.answer import CREATED, answer_of
from redpen_evals.endpoint.dialects import CHAT
from redpen_evals.endpoint.dialects.chat import ChatCompletions, Completion
from redpen_evals.endpoint.dialects.dialect import Dialect
from redpen_evals.endpoint.forms import (
    BodyReply,
    BytesReply,
    ChoicesReply,
    CompletionReply,
    ErrorObject,
    HttpReply,
    StatusReply,
)
from redpen_evals.endpoint.wire import Request, Response


def render(
    reply: HttpReply, *, dialect: Dialect, call: int, request: Mapping[str, Any], model: str
) -> Response:
    """Return the HTTP response for a scripted reply.

    Args:
        reply: any form but a fault.
        request: JSON body of the request, from which prompt tokens are estimated; its ``stream`` selects
            whether the answer is streamed.
    """
    headers = {dialect.request_id_header: f"req-scripted-{call}"}
    headers |= {name: str(value) for name, value in reply.headers.items()}
    match reply:
        case CompletionReply():
            answer = answer_of(reply, call=call, model=model, prompt=dialect.prompt(request))
            if request.get("stream"):
                return Response.of_events(dialect.events(answer, request), headers)
            return Response.of_json(200, dialect.whole(answer), headers)
        case ChoicesReply() if isinstance(dialect, ChatCompletions):
            completion = Completion.of_choices(reply, call=call, model=model, prompt=dialect.prompt(request))
            if request.get("stream"):
                return Response.of_events(completion.events(request), headers)
            return Response.of_json(200, completion.whole(), headers)
        case ChoicesReply():
            message = (
                f"Reply {call} of the script is given as `choices`, which only chat completions have, and "
                f"the request is in {dialect.name}: give it as `content`, `json`, `refusal` or `tool_calls`."
            )
            return error_response(dialect, 400, ErrorObject(code="choices_are_chat_only", message=message))
        case StatusReply():
            status, body = reply.status, _status_body(reply, dialect)
        case BodyReply():
            status, body = 200, reply.body.encode()
        case BytesReply():
            status, body = 200, base64.b64decode(reply.body_base64)
        case _:
            raise TypeError(f"{type(reply).__name__} is not a form of reply")
    return Response(status=status, body=body, headers=headers)


def error_response(dialect: Dialect, status: int, error: ErrorObject) -> Response:
    """Return an error of the endpoint itself in the format of an API."""
    return Response.of_json(status, dialect.error(status, error))


def _status_body(reply: StatusReply, dialect: Dialect) -> bytes:
    if reply.body is not None:
        return reply.body.encode()
    if reply.body_base64 is not None:
        return base64.b64decode(reply.body_base64)
    if reply.error is None and reply.status < 400:
        return b""
    return json.dumps(dialect.error(reply.status, reply.error)).encode("ascii")


MODELS_PATH: Final = "/v1/models"


def answer_without_script(request: Request, *, model: str) -> Response:
    """Return the answer to a request that is not a model call in any API."""
    if request.method == "GET" and request.path == MODELS_PATH:
        return Response.of_json(200, {"object": "list", "data": [_model_object(model)]})
    if request.method == "GET" and request.path.startswith(MODELS_PATH + "/"):
        name = unquote(request.path.removeprefix(MODELS_PATH + "/"))
        if name == model:
            return Response.of_json(200, _model_object(model))
        return plain_error(404, f"The model '{name}' does not exist.", "model_not_found", "model")
    return plain_error(404, f"Unknown request URL: {request.method} {request.path}.", "unknown_url")


def plain_error(status: int, message: str, code: str, param: str | None = None) -> Response:
    """Return an error for a request outside any API, in OpenAI's format."""
    return error_response(CHAT, status, ErrorObject(message=message, code=code, param=param))


def _model_object(model: str) -> dict[str, Any]:
    return {"id": model, "object": "model", "created": CREATED, "owned_by": "redpen"}
