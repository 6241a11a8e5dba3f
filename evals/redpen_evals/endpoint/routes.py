"""What the endpoint answers without its script: the list of models, and errors in no API in particular."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from redpen_evals.endpoint.answer import CREATED
from redpen_evals.endpoint.dialects.by_path import CHAT
from redpen_evals.endpoint.forms import ErrorObject
from redpen_evals.endpoint.rendering import error_response
from redpen_evals.endpoint.wire import Response

if TYPE_CHECKING:
    from redpen_evals.endpoint.wire import Request

MODELS_PATH: Final = "/v1/models"


def answer_without_script(request: Request, *, model: str) -> Response:
    """Return the answer to a request that no API takes for a call of a model.

    Args:
        request: any request.
        model: name of the only model that there is.
    """
    if request.method == "GET" and request.path == MODELS_PATH:
        return Response.of_json(200, {"object": "list", "data": [_model_object(model)]})
    if request.method == "GET" and request.path.startswith(MODELS_PATH + "/"):
        name = unquote(request.path.removeprefix(MODELS_PATH + "/"))
        if name == model:
            return Response.of_json(200, _model_object(model))
        return plain_error(404, f"The model '{name}' does not exist.", "model_not_found", "model")
    return plain_error(404, f"Unknown request URL: {request.method} {request.path}.", "unknown_url")


def plain_error(status: int, message: str, code: str, param: str | None = None) -> Response:
    """Return an error of a request that is in no API in particular, in OpenAI's shape."""
    return error_response(CHAT, status, ErrorObject(message=message, code=code, param=param))


def _model_object(model: str) -> dict[str, Any]:
    return {"id": model, "object": "model", "created": CREATED, "owned_by": "redpen"}
