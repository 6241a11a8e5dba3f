"""Server-sent events: a recorded stream, event by event.

Source: WHATWG HTML, 9.2 Server-sent events.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_EVENT_END: Final = re.compile(rb"(?:\r\n|\n|\r){2}")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def split_events(content: bytes) -> list[bytes]:
    """Return the events of a stream, each with the blank line that ends it; joined they are the stream."""
    ends = [match.end() for match in _EVENT_END.finditer(content)]
    if not ends or ends[-1] != len(content):
        ends.append(len(content))
    return [content[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]


def event_values(content: bytes) -> list[dict[str, Any]]:
    """Return the JSON objects that the events of a stream carry; what is no object is left out."""
    values = []
    for event in split_events(content):
        lines = _LINE_END.split(event.decode("utf-8", "replace"))
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        try:
            value = json.loads(data)
        except ValueError:
            continue
        if isinstance(value, dict):
            values.append(value)
    return values
