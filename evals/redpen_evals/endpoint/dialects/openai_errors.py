"""Errors in the shape that chat completions and Responses share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from redpen_evals.endpoint.dialects.dialect import default_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redpen_evals.endpoint.forms import ErrorObject

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
