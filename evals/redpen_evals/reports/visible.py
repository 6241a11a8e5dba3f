"""Text that can be shown anywhere: what is not seen, or steers its neighbours, stands as its code point."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from markupsafe import Markup, escape

_PLAIN = re.compile(
    "["
    r"\n\t\x20-\x7e"
    "\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    "\u0400-\u0482"  # Cyrillic
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff"  # dashes, quotes, currencies, arrows
    "]*"
)
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


def visible(text: str) -> Markup:
    """Return a text as HTML that shows every character of it.

    Args:
        text: any text, lone surrogates and all.

    Returns:
        Escaped text; a control, a direction mark, a blank other than space, tab and line break, and
        whatever else is not seen stands as ``<span class=cp>U+202E</span>``. The attribute has no quotes,
        so that the text breaks out of no attribute either.
    """
    if _PLAIN.fullmatch(text):
        return escape(text)
    parts = []
    for hidden, run in _runs(text):
        if hidden:
            parts.append("".join(f"<span class=cp>{code_point(char)}</span>" for char in run))
        else:
            parts.append(str(escape(run)))
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def plain(text: str) -> str:
    """Return a text for an attribute or for Markdown: what is not seen stands as ``⟨U+202E⟩``."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(
        "".join(f"⟨{code_point(char)}⟩" for char in run) if hidden else run for hidden, run in _runs(text)
    )


def code_point(char: str) -> str:
    """Return a character's name in Unicode's notation, such as ``U+202E``."""
    return f"U+{ord(char):04X}"


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    text = text.replace("\r\n", "\n")
    for hidden, group in groupby(zip(text, _hidden(text), strict=True), key=lambda pair: pair[1]):
        yield hidden, "".join(char for char, _ in group)


def _hidden(text: str) -> Iterator[bool]:
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
