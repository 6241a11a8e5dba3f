"""Text that is safe to show: nothing in it steers a terminal, hides, or moves its neighbours."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TextIO

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_SEEN_BLANKS = frozenset(" \n\t")
_MARKS = frozenset({"Mn", "Mc", "Me"})
_MOST_MARKS = 4
# Letters, marks and symbols by category that show nothing all the same.
_BLANK_SIGNS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_BLANK_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_PRESENTATION = frozenset("\ufe0e\ufe0f")
_JOINER = "\u200d"
_KEYCAPS = frozenset("0123456789#*")
_PLAIN_LINE = re.compile(r"[ -~]*")
_NOT_PLAIN = re.compile(r"[^ -~\n]")
_BREAKS = frozenset("\n\t")


def shown(text: str) -> str:
    r"""Return a text as one line that can be shown anywhere.

    Args:
        text: any text.

    Returns:
        The text with line breaks, tabs and what ``hidden`` finds as their escapes, such as ``\x1b``. What
        reads from right to left is isolated, so that it leaves the order of its neighbours alone.
    """
    if _PLAIN_LINE.fullmatch(text):
        return text
    pieces = escaped(text)
    backward = [
        at for at, piece in enumerate(pieces) if unicodedata.bidirectional(piece[0]) in _RIGHT_TO_LEFT
    ]
    if backward:
        pieces[backward[0]] = "\u2068" + pieces[backward[0]]
        pieces[backward[-1]] += "\u2069"
    return "".join(pieces)


def escaped(text: str) -> list[str]:
    r"""Return the characters of a text, line breaks, tabs and hidden ones as escapes such as ``\u200b``."""
    return [
        _escape(char) if not_seen or char in _BREAKS else char
        for char, not_seen in zip(text, hidden(text), strict=True)
    ]


def hidden(text: str) -> Iterator[bool]:
    """Yield for every character of a text whether a reader does not see it, or it steers its neighbours.

    These are controls, direction and zero-width characters, tags, unassigned ones, and every blank other than
    space, tab and line break; so too a combining mark that has nothing to stand on, and what is piled up over
    four of them. What joins an emoji is seen.
    """
    marks = _MOST_MARKS
    for at, char in enumerate(text):
        if _is_mark(char):
            # A mark that has nothing to stand on, or a pile of them, would draw over its neighbours.
            marks += 1
            yield marks > _MOST_MARKS
        elif _shows_nothing(char):
            kept = _belongs_to_emoji(text, at)
            marks = 0 if kept or char in _SEEN_BLANKS else _MOST_MARKS
            yield not kept
        else:
            marks = 0
            yield False


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


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS and not _shows_nothing(char)


@lru_cache(maxsize=4096)
def _shows_nothing(char: str) -> bool:
    if char in _SEEN_BLANKS:
        return False
    if char in _BLANK_SIGNS or any(low <= ord(char) <= high for low, high in _BLANK_RANGES):
        return True
    return unicodedata.category(char) in _HIDDEN_CATEGORIES


def _belongs_to_emoji(text: str, at: int) -> bool:
    before = text[at - 1] if at else ""
    if text[at] in _PRESENTATION:
        return before in _KEYCAPS or _is_pictograph(before)
    if text[at] != _JOINER:
        return False
    if before in _PRESENTATION and at > 1:
        before = text[at - 2]
    return _is_pictograph(before) and _is_pictograph(text[at + 1 : at + 2])


def _is_pictograph(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in {"So", "Sk"}


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _json_char(match: re.Match[str]) -> str:
    char = match[0]
    return json.dumps(char)[1:-1] if _shows_nothing(char) else char
