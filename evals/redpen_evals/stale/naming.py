"""A changed place of a request in the words of somebody who edits prompts."""

from __future__ import annotations

import re
from typing import Final

_MESSAGE: Final = re.compile(r"messages\[(\d+)\]")
_INSIDE: Final = " → "
_WORDS: Final = {
    "": "call that is new",
    "(method)": "HTTP method",
    "(url)": "URL",
    "(body)": "request body",
    "repeated": "call repeated",
    "extra": "call that is new",
    "empty": "call without a recording",
}


def change_name(phase: str, what: str, origin: str = "") -> str:
    """Name a changed place.

    Args:
        phase: of the call, e.g. ``critique``.
        what: the place, e.g. ``messages[1].content → incident_context.region``, or what happened.
        origin: ``file:line`` where the changed words stand; empty where that is not known.

    Returns:
        The file and line where they are known, such as ``prompts/reply.md:2``; else such as ``critique
        prompt``, ``critique payload incident_context.region``, ``draft parameter temperature``, ``revise call
        that is new``.
    """
    if origin:
        return origin
    place = _place(what)
    # What is no place is a whole sentence of the harness's.
    return f"{phase}: {what}" if place is None else f"{phase} {place}"


def _place(what: str) -> str | None:
    if what in _WORDS:
        return _WORDS[what]
    message, _, inside = what.partition(_INSIDE)
    if " " in message:
        return None
    match _MESSAGE.match(message):
        case None:
            return f"parameter {what}"
        case found if found[1] == "0" and not inside:
            return "prompt"
        case found if found[1] == "1":
            return f"payload {inside}".rstrip()
        case found:
            return f"message {int(found[1]) + 1} {inside}".rstrip()
