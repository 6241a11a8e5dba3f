"""Makes text safe to display: without terminal controls, hidden characters and direction overrides."""

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
# Letters, marks and symbols by category that are invisible.
_BLANK_SIGNS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_BLANK_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_PRESENTATION = frozenset("\ufe0e\ufe0f")
_JOINER = "\u200d"
_KEYCAPS = frozenset("0123456789#*")
_PLAIN_LINE = re.compile(r"[ -~]*")
_NOT_PLAIN = re.compile(r"[^ -~\n]")
_BREAKS = frozenset("\n\t")


def shown(text: str) -> str:
    r"""Return a text as one line that is safe to display.

    Args:
        text: any text.

    Returns:
        The text with line breaks, tabs and ``hidden`` characters escaped, such as ``\x1b``. Right-to-left
        text is isolated, so that it does not reorder the text around it.
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
    r"""Return the characters of a text; line breaks, tabs and hidden ones are escaped, such as ``\u200b``."""
    return [
        _escape(char) if is_hidden or char in _BREAKS else char
        for char, is_hidden in zip(text, hidden(text), strict=True)
    ]


def hidden(text: str) -> Iterator[bool]:
    """Yield for each character of a text whether it is invisible or affects its neighbours.

    Hidden are controls, direction and zero-width characters, tags, unassigned characters, and every blank
    other than space, tab and line break; also a combining mark without a base, and each mark after the
    fourth. The joiners of an emoji are not hidden.
    """
    marks = _MOST_MARKS
    for at, char in enumerate(text):
        if _is_mark(char):
            # Marks without a base, or many of them, would be drawn over neighbouring characters.
            marks += 1
            yield marks > _MOST_MARKS
        elif _is_invisible(char):
            is_joiner = _belongs_to_emoji(text, at)
            marks = 0 if is_joiner or char in _SEEN_BLANKS else _MOST_MARKS
            yield not is_joiner
        else:
            marks = 0
            yield False


def json_text(value: Mapping[str, Any], *, encoding: str, indent: int | None = None) -> str:
    """Return an object as JSON that is safe to display.

    Args:
        value: a JSON object.
        encoding: name of the codec of the output.
        indent: number of spaces for each level; by default the JSON is one line.

    Returns:
        JSON with hidden characters escaped, and other characters too if the codec cannot encode the text.
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        written.encode(encoding)
    except UnicodeEncodeError:
        written = json.dumps(value, allow_nan=False, indent=indent)
    return _NOT_PLAIN.sub(_json_char, written)


def shortened(text: str, most: int) -> str:
    """Return the first ``most`` characters of a text, with an ellipsis if it has more."""
    return text if len(text) <= most else f"{text[:most]}…"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, such as ``3 faults``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def fit(text: str, encoding: str) -> str:
    """Return a text with characters that an encoding lacks escaped.

    Args:
        text: a text without lone surrogates.
        encoding: name of a codec.
    """
    return text.encode(encoding, "backslashreplace").decode(encoding)


def shows_colour(out: TextIO) -> bool:
    """Return whether a stream is a terminal with colours, and colours are not turned off."""
    # https://no-color.org: any non-empty value turns colours off.
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS and not _is_invisible(char)


@lru_cache(maxsize=4096)
def _is_invisible(char: str) -> bool:
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
    return json.dumps(char)[1:-1] if _is_invisible(char) else char
