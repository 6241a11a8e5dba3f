"""The APIs of the endpoint: requests, answers, events and errors."""

from __future__ import annotations

from typing import Final

from redpen_evals.endpoint.dialects.chat import ChatCompletions
from redpen_evals.endpoint.dialects.dialect import Dialect
from redpen_evals.endpoint.dialects.messages import Messages
from redpen_evals.endpoint.dialects.responses import Responses

CHAT: Final = ChatCompletions()
RESPONSES: Final = Responses()
MESSAGES: Final = Messages()


def dialect_of(path: str) -> Dialect | None:
    """Return the API that answers a POST to a path, or None if none does.

    Any prefix before the API's own path is accepted, since gateways use different ones.
    """
    if path.endswith("/chat/completions"):
        return CHAT
    if path.endswith("/responses"):
        return RESPONSES
    # Other APIs have paths such as /threads/ID/messages.
    if path == "/messages" or path.endswith("/v1/messages"):
        return MESSAGES
    return None
