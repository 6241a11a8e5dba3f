"""The content of a scripted reply, independent of the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from redpen_evals.endpoint.forms import (
    CompletionReply,
    ContentReply,
    FinishReason,
    JsonReply,
    RefusalReply,
    Usage,
)

EVENT_STREAM: Final = "text/event-stream; charset=utf-8"

# A long run of letters or of spaces counts as several words.
_WORD: Final = r"(?:\S{1,24}\s{0,24}|\s{1,24})"
_WORDS: Final = re.compile(_WORD)
_PIECE: Final = re.compile(_WORD + "{1,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One server-sent event: its data, one line of text, and its name if the API names its events."""

    data: str
    name: str | None = None

    @classmethod
    def of_json(cls, value: object, name: str | None = None) -> Self:
        """Return an event whose data is a JSON value."""
        # ASCII escapes can represent every string, including lone surrogates and unusual line separators.
        return cls(data=json.dumps(value), name=name)

    def encode(self) -> bytes:
        """Return the bytes of the event with its final empty line."""
        head = "" if self.name is None else f"event: {self.name}\n"
        return f"{head}data: {self.data}\n\n".encode("ascii")


def split_text(text: str) -> list[str]:
    """Split a text deterministically into the pieces of a stream, a few words each.

    A text of two characters or more gives at least two pieces, an empty text none.
    """
    pieces = _PIECE.findall(text)
    if len(pieces) == 1 and len(text) > 1:
        first = _WORDS.findall(text)[0]
        middle = len(first) if first != text else len(text) // 2
        pieces = [text[:middle], text[middle:]]
    return pieces


CREATED: Final = 1_767_225_600
"""The fixed creation time of every object, 2026-01-01T00:00:00Z in Unix seconds, for reproducible replies."""

BYTES_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One call of a tool; the tool's result refers to its id."""

    id: str
    name: str
    args: Mapping[str, Any]

    @property
    def arguments(self) -> str:
        """The arguments as JSON text."""
        return json.dumps(self.args, ensure_ascii=False)

    def in_chat(self) -> dict[str, Any]:
        """Return the tool call in the format of a chat message."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Token counts of one call."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One complete answer of a model.

    Attributes:
        call: number of the call that it answers, from 1, used in ids.
        finish_reason: why the model stopped, as in chat completions.
    """

    call: int
    model: str
    text: str | None
    refusal: str | None
    tool_uses: tuple[ToolUse, ...]
    finish_reason: FinishReason
    tokens: Tokens


def answer_of(reply: CompletionReply, *, call: int, model: str, prompt: Iterable[object]) -> Answer:
    """Return the answer of a scripted reply; prompt tokens are estimated from the values of the request."""
    text = refusal = None
    match reply:
        case JsonReply():
            text = json.dumps(reply.json_value, ensure_ascii=False)
        case ContentReply():
            text = reply.content
        case RefusalReply():
            refusal = reply.refusal
    uses = tuple(
        ToolUse(id=tool.id or f"call_{call}_{index}", name=tool.name, args=tool.args)
        for index, tool in enumerate(reply.tool_calls or (), start=1)
    )
    # Counted in one format, so that a reply has the same token count in every dialect.
    message: list[object] = [text, refusal, [use.in_chat() for use in uses] or None]
    return Answer(
        call=call,
        model=model,
        text=text,
        refusal=refusal,
        tool_uses=uses,
        finish_reason=reply.finish_reason or ("tool_calls" if uses else "stop"),
        tokens=tokens_of(reply.usage, prompt=prompt, completion=message),
    )


def tokens_of(usage: Usage | None, *, prompt: Iterable[object], completion: Iterable[object]) -> Tokens:
    """Return scripted token counts, or an estimate from the values of request and answer."""
    if usage is None:
        return Tokens(prompt=_estimated(prompt), completion=_estimated(completion))
    return Tokens(prompt=usage.prompt_tokens, completion=usage.completion_tokens)


def values_of(items: object, keys: Sequence[str]) -> list[object]:
    """Return the values of some keys in the objects of a list; empty if it is not a list."""
    objects = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [item.get(key) for item in objects for key in keys]


def _estimated(values: Iterable[object]) -> int:
    """Return a deterministic estimate: for each value a quarter of its UTF-8 bytes, rounded up."""
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values if value is not None]
    return sum(-(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN) for text in texts)
