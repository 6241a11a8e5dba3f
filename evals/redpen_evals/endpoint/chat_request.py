"""Checks the JSON body of a request for a chat completion, as far as a script needs it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from redpen_evals.endpoint.wire import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a request is refused.

    Attributes:
        code: stable code of the answer's error object.
        message: text for people.
        param: parameter at fault, if it is one.
    """

    code: str
    message: str
    param: str | None = None


def read_json(request: Request) -> Any:
    """Return the JSON value of a request's body, or None if there is none or it cannot be read."""
    try:
        return json.loads(request.body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def find_problem(body: object) -> Problem | None:
    """Return why no chat completion can be made from a JSON body, or None if one can.

    Args:
        body: what ``read_json`` returned.
    """
    if not isinstance(body, dict):
        return Problem(code="invalid_json", message="The request body is not a JSON object.")
    if not isinstance(body.get("model"), str) or not body["model"].strip():
        message = "You must provide a model: a text that is not blank."
        return Problem(code="missing_required_parameter", message=message, param="model")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(item, dict) for item in messages):
        message = "You must provide messages: a list of at least one message object."
        return Problem(code="missing_required_parameter", message=message, param="messages")
    if body.get("stream"):
        message = "The scripted endpoint does not stream: leave stream out or set it to false."
        return Problem(code="unsupported_value", message=message, param="stream")
    return None


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is no JSON number"
    raise ValueError(message)
