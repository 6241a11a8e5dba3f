"""The interface of the endpoint's APIs, and the checks that all their requests share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Final

from redpen_evals.endpoint.answer import Answer, Event
from redpen_evals.endpoint.forms import ErrorObject

_DEFAULTS_BY_STATUS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", "permission_denied"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


class Dialect(ABC):
    """One API: how requests are checked and how answers are represented."""

    name: str
    request_id_header = "x-request-id"

    @abstractmethod
    def find_problem(self, body: Mapping[str, Any]) -> ErrorObject | None:
        """Return the error in a request with valid model and stream, or None."""

    @abstractmethod
    def prompt(self, body: Mapping[str, Any]) -> list[object]:
        """Return the texts and values of a request that count as its prompt."""

    @abstractmethod
    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the JSON object of an answer that is not streamed."""

    @abstractmethod
    def events(self, answer: Answer, body: Mapping[str, Any]) -> Iterator[Event]:
        """Return the events of a streamed answer."""

    def error(self, status: int, error: ErrorObject | None) -> dict[str, Any]:
        """Return the JSON object of an error, by default in OpenAI's format."""
        fallback = "server_error" if status >= 500 else "invalid_request_error"
        kind, code = _DEFAULTS_BY_STATUS.get(status, (fallback, None))
        fields = {"message": default_message(status), "type": kind, "param": None, "code": code}
        if error is not None:
            fields |= error.model_dump(exclude_unset=True)
        return {"error": fields}


def find_problem(dialect: Dialect, body: object) -> ErrorObject | None:
    """Return the error in the JSON value of a request, None for a valid one."""
    if not isinstance(body, dict):
        return ErrorObject(code="invalid_json", message="The request body is not a JSON object.")
    if not isinstance(body.get("model"), str) or not body["model"].strip():
        return missing("model", "a non-blank text")
    if not isinstance(body.get("stream"), bool | None):
        message = "stream must be true or false."
        return ErrorObject(code="invalid_type", message=message, param="stream")
    return dialect.find_problem(body)


def check_messages(messages: object) -> ErrorObject | None:
    """Return the error in the ``messages`` of a request, or None."""
    if not is_list_of_objects(messages):
        return missing("messages", "a list of at least one message object")
    return None


def is_list_of_objects(value: object) -> bool:
    """Return whether a value is a list of at least one object, and of nothing else."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def missing(param: str, expected: str) -> ErrorObject:
    """Return the error for a missing or invalid parameter."""
    message = f"You must provide {param}: {expected}."
    return ErrorObject(code="missing_required_parameter", message=message, param=param)


def default_message(status: int) -> str:
    """Return the message of a scripted error without one."""
    return f"Scripted error with status {status}."
