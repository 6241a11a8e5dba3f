"""The dialects in which models are asked over HTTP, told by the path of the request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

DialectName = Literal["chat", "responses", "messages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One of them.

    Attributes:
        name: ``chat`` for OpenAI's chat completions, ``responses`` for its Responses, ``messages`` for
            Anthropic's.
        path: how the paths of its requests end.
    """

    name: DialectName
    path: str


DIALECTS: Final = (
    Dialect(name="chat", path="/chat/completions"),
    Dialect(name="responses", path="/responses"),
    Dialect(name="messages", path="/messages"),
)


def dialect_of(url: str) -> Dialect | None:
    """Return the dialect of a request that asks a model, or None where its address is of no model."""
    path = urlsplit(url).path.rstrip("/")
    return next((dialect for dialect in DIALECTS if path.endswith(dialect.path)), None)
