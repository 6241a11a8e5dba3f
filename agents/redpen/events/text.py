"""The stored form of an event, built directly if nothing in it has to be redacted or truncated.

Each step of a run writes an event. Nearly all events are small and contain no secret, as a scan of their JSON
shows; for those, nothing is copied and no Pydantic model is built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from redpen.events.model import Event
from redpen.text.keys import may_hold_key

_ESCAPES: Final = (('\\"', '"'), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\b", "\b"), ("\\f", "\f"))
_BACKSLASH: Final = "\\\\"
_BACKSLASH_MARK: Final = "\0"
"""Temporary placeholder for a backslash; this character cannot occur unescaped in JSON."""


class EventText(NamedTuple):
    """One event as JSON (``text``), and the fields that stores index."""

    run_id: str
    seq: int
    time: str
    kind: str
    agent: str
    code: str | None
    text: str


def text_of(event: Event) -> EventText:
    """Return the stored form of an event."""
    return EventText(
        event.run_id, event.seq, event.time, event.kind, event.agent, event.code, event.model_dump_json()
    )


def unchanged_json(
    content: Mapping[str, Any], *, redacted: Callable[[str], str], max_chars: int
) -> str | None:
    """Return the JSON of an event, if it can be stored unchanged.

    Args:
        content: content of the event.
        redacted: redacts known secrets from a text.
        max_chars: maximum length of the JSON, in characters.

    Returns:
        The JSON; None if it may contain a secret, is too long, or contains a value that is not JSON.
    """
    try:
        text = to_json(content, inf_nan_mode="strings", fallback=_type_name).decode()
    except (ValueError, RecursionError):
        # The value contains a lone surrogate, or is nested too deeply.
        return None
    if len(text) > max_chars or may_hold_key(text):
        return None
    written = _unescaped(text)
    if written is None or redacted(written) != written:
        return None
    return text


def _unescaped(text: str) -> str | None:
    """Return JSON with its escapes resolved, because a secret may contain escaped characters."""
    if "\\" not in text:
        return text
    if "\\u" in text:
        return None
    text = text.replace(_BACKSLASH, _BACKSLASH_MARK)
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text.replace(_BACKSLASH_MARK, "\\")


def _type_name(value: object) -> Any:
    """Return a mapping as a dict, and any other object as the name of its type."""
    return dict(value) if isinstance(value, Mapping) else type(value).__name__
