"""Text that is safe to show: nothing in it steers a terminal, hides, or moves its neighbours."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, TextIO

_MARKS = frozenset({"Mn", "Mc", "Me"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_MOST_MARKS = 4
_PLAIN_LINE = re.compile(r"[ -~]*")
_NOT_PLAIN = re.compile(r"[^ -~\n]")


def shown(text: str) -> str:
    r"""Return a text as one line that can be shown anywhere.

    Args:
        text: any text.

    Returns:
        The text with every character that is not seen or steers (controls, line breaks, direction and
        zero-width characters, tags, unassigned ones) as its escape, ``\x1b``; so too a combining mark
        that has nothing to stand on, and what is piled up over ``_MOST_MARKS`` of them. What reads from
        right to left is isolated, so that it leaves the order of its neighbours alone.
    """
    if _PLAIN_LINE.fullmatch(text):
        return text
    pieces: list[str] = []
    marks = _MOST_MARKS
    for char in text:
        if unicodedata.category(char) in _MARKS:
            marks += 1
            kept = marks <= _MOST_MARKS
        else:
            kept = _is_seen(char)
            marks = 0 if kept else _MOST_MARKS
        pieces.append(char if kept else _escape(char))
    backward = [
        at for at, piece in enumerate(pieces) if unicodedata.bidirectional(piece[0]) in _RIGHT_TO_LEFT
    ]
    if backward:
        pieces[backward[0]] = "\u2068" + pieces[backward[0]]
        pieces[backward[-1]] += "\u2069"
    return "".join(pieces)


def json_text(value: Mapping[str, Any], *, encoding: str, indent: int | None = None) -> str:
    """Return an object as JSON that can be shown anywhere.

    Args:
        value: an object that JSON can hold.
        encoding: name of the codec that it will be written in.
        indent: spaces a level; by default all stands on one line.

    Returns:
        JSON with letters of every script as they are if the codec has them; what is not seen or steers
        stands as its escape.
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        written.encode(encoding)
    except UnicodeEncodeError:
        written = json.dumps(value, allow_nan=False, indent=indent)
    return _NOT_PLAIN.sub(_json_char, written)


def fit(text: str, encoding: str) -> str:
    """Return a text with what an encoding cannot hold as escapes.

    Args:
        text: a text without lone surrogates.
        encoding: name of a codec.
    """
    return text.encode(encoding, "backslashreplace").decode(encoding)


def shows_colour(out: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours, and nobody asked for none."""
    # https://no-color.org: any value but the empty one asks for none.
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_seen(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _json_char(match: re.Match[str]) -> str:
    char = match[0]
    return char if _is_seen(char) else json.dumps(char)[1:-1]
