"""Events as the text that is stored, made at once where nothing in them has to be struck or cut.

An event is made at every step of a run. Nearly all hold no secret and are small, which one look at their JSON
shows; for those nothing is copied, and no model of the event is made only to be written out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from redpen.events.model import Event
from redpen.text.keys import may_hold_key

_ESCAPES: Final = (('\\"', '"'), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\b", "\b"), ("\\f", "\f"))
_BACKSLASH: Final = "\\\\"
_PLACE: Final = "\0"
"""Stands for a backslash meanwhile: JSON has no such character but as an escape."""


class EventText(NamedTuple):
    """One event as JSON, and what of it a store finds it by."""

    run_id: str
    seq: int
    time: str
    kind: str
    agent: str
    code: str | None
    text: str


def text_of(event: Event) -> EventText:
    """Return an event as it is stored."""
    return EventText(
        event.run_id, event.seq, event.time, event.kind, event.agent, event.code, event.model_dump_json()
    )


def harmless_json(content: Mapping[str, Any], *, struck: Callable[[str], str], most: int) -> str | None:
    """Return the JSON of an event that can be kept as it is.

    Args:
        content: of the event; what its texts hold need not be copied.
        struck: strikes known secrets from a text.
        most: longest JSON that needs no look at the length of each text, in characters.

    Returns:
        The JSON, or None: it holds what looks like a secret, is long, or holds what JSON has no form for.
    """
    try:
        text = to_json(content, inf_nan_mode="strings", fallback=_of_own).decode()
    except (ValueError, RecursionError):
        # Such as a lone surrogate, or what nests without end.
        return None
    if len(text) > most or may_hold_key(text):
        return None
    written = _unescaped(text)
    if written is None or struck(written) != written:
        return None
    return text


def _unescaped(text: str) -> str | None:
    """Return JSON as its strings read: a secret may hold what JSON escapes."""
    if "\\" not in text:
        return text
    if "\\u" in text:
        return None
    text = text.replace(_BACKSLASH, _PLACE)
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text.replace(_PLACE, "\\")


def _of_own(value: object) -> Any:
    """Return what JSON has of an object of somebody's own: its type."""
    return dict(value) if isinstance(value, Mapping) else type(value).__name__
