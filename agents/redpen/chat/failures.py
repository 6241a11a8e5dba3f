"""Maps failures of model calls to stops, with API keys redacted from their messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.errors import Stop

if TYPE_CHECKING:
    from openai import APIStatusError

    from redpen.chat.budget import CallStats

_MESSAGE_CHARS = 300
_SHORT_KEY_CHARS = 8
_KEY_SHAPED = re.compile(r"\b(?:sk|pk|rk)-[\w*.\-]{4,200}|\bBearer\s{1,4}\S{1,400}", re.IGNORECASE)


def model_stop(reason: str, kind: str, message: str, *, secret: str = "", suffix: str = "") -> Stop:
    """Return the stop for a model failure.

    Args:
        reason: the ``llm_*`` stop reason.
        kind: type of the error, a class name or a short label.
        message: description of the failure; the key in use and everything that looks like a key are redacted.
        secret: the key in use.
        suffix: text to append to the message, e.g. ``CallStats.describe()``.
    """
    message = message.encode("utf-8", "replace").decode("utf-8")
    if secret:
        # A short key is a placeholder for a local server; redacting it inside words would garble the message.
        edge = r"\b" if len(secret) < _SHORT_KEY_CHARS else ""
        message = re.sub(f"{edge}{re.escape(secret)}{edge}", "[key]", message)
    message = _KEY_SHAPED.sub("[key]", message)
    return Stop(reason, error={"type": kind, "message": message[:_MESSAGE_CHARS] + suffix})


def stop_of(error: Exception, *, secret: str, stats: CallStats) -> Stop:
    """Return the stop for an exception that the client raised.

    Args:
        error: the exception.
        secret: the key in use.
        stats: statistics of the call; the message mentions repeated attempts.
    """
    message, cause = str(error), str(error.__cause__ or "")
    message = message if cause in message else f"{message} {cause}"
    kind, suffix = type(error).__name__, stats.describe()
    return model_stop(_reason(error), kind, message, secret=secret, suffix=suffix)


def _reason(error: Exception) -> str:
    import openai

    match error:
        case openai.APIConnectionError():
            return "llm_timeout"
        case openai.APIStatusError():
            return _reason_of_status(error)
        case ValueError() | RecursionError():
            return "llm_invalid_json"
        case _:
            return "llm_server_error"


def _reason_of_status(error: APIStatusError) -> str:
    match error.status_code:
        case 401 | 403:
            return "llm_auth"
        case 429:
            return "llm_rate_limited"
        case status if 400 <= status < 500:
            # Some servers reject a filtered prompt with an error status instead of a finish reason.
            return "llm_content_filtered" if error.code == "content_filter" else "llm_bad_request"
        case _:
            return "llm_server_error"
