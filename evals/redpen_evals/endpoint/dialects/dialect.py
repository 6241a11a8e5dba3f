"""What every API that the endpoint speaks can do, and the checks that all their requests share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from redpen_evals.endpoint.forms import ErrorObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from redpen_evals.endpoint.answer import Answer, Event
    from redpen_evals.endpoint.forms import ErrorObject


class Dialect(Protocol):
    """One API: how its requests are read and how an answer is said in it."""

    @property
    def name(self) -> str:
        """What people call the API."""

    @property
    def request_id_header(self) -> str:
        """The response header in which the API gives the id of a request."""

    def find_problem(self, body: Mapping[str, Any]) -> ErrorObject | None:
        """Return why a request has no answer in this API, or None if it has one.

        Args:
            body: JSON object of the request; model and stream are checked already.
        """

    def prompt(self, body: Mapping[str, Any]) -> list[object]:
        """Return the texts and values of a request that count as its prompt."""

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the JSON object of an answer that comes at once."""

    def events(self, answer: Answer, body: Mapping[str, Any]) -> Iterator[Event]:
        """Return the events of an answer that is streamed.

        Args:
            answer: what is said.
            body: JSON object of the request.
        """

    def error(self, status: int, error: ErrorObject | None) -> dict[str, Any]:
        """Return the JSON object of an error.

        Args:
            status: HTTP status, from which follows what the error object leaves out.
            error: what is known of the error.
        """


def find_problem(dialect: Dialect, body: object) -> ErrorObject | None:
    """Return why no answer can be made to a request, or None if one can.

    Args:
        dialect: API of the request.
        body: JSON value of the request, or None if it cannot be read.
    """
    if not isinstance(body, dict):
        return ErrorObject(code="invalid_json", message="The request body is not a JSON object.")
    if not isinstance(body.get("model"), str) or not body["model"].strip():
        return missing("model", "a text that is not blank")
    if not isinstance(body.get("stream"), bool | None):
        message = "stream has to be true or false."
        return ErrorObject(code="invalid_type", message=message, param="stream")
    return dialect.find_problem(body)


def check_messages(messages: object) -> ErrorObject | None:
    """Return what is wrong with the ``messages`` of a request, or None if nothing is."""
    if not isinstance(messages, list) or not messages or not all(isinstance(item, dict) for item in messages):
        return missing("messages", "a list of at least one message object")
    return None


def missing(param: str, wanted: str) -> ErrorObject:
    """Return the error of a parameter that is not there or of no use."""
    message = f"You must provide {param}: {wanted}."
    return ErrorObject(code="missing_required_parameter", message=message, param=param)


def default_message(status: int) -> str:
    """Return what a scripted error says that gives no message."""
    return f"Scripted error with status {status}."


_FIRST_SERVER_ERROR_STATUS: Final = 500
_OF_STATUS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", "permission_denied"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


def openai_error(status: int, error: ErrorObject | None) -> dict[str, Any]:
    """Return the JSON object of an error.

    Args:
        status: HTTP status, from which follows what the error object leaves out.
        error: what is known of the error.
    """
    fallback = "server_error" if status >= _FIRST_SERVER_ERROR_STATUS else "invalid_request_error"
    kind, code = _OF_STATUS.get(status, (fallback, None))
    shown = {"message": default_message(status), "type": kind, "param": None, "code": code}
    if error is not None:
        shown |= error.model_dump(exclude_unset=True)
    return {"error": shown}
