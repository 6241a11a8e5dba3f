"""Text that can be shown anywhere: what is not seen, or steers its neighbours, stands as its code point."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup, escape

from redpen.screen import hidden

_PLAIN = re.compile(
    "["
    r"\n\t\x20-\x7e"
    "\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    "\u0400-\u0482"  # Cyrillic
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff"  # dashes, quotes, currencies, arrows
    "]*"
)


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
    for not_seen, run in _runs(text):
        if not_seen:
            parts.append("".join(f"<span class=cp>{code_point(char)}</span>" for char in run))
        else:
            parts.append(str(escape(run)))
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def plain(text: str) -> str:
    """Return a text for an attribute or for Markdown: what is not seen stands as ``⟨U+202E⟩``."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(
        "".join(f"⟨{code_point(char)}⟩" for char in run) if not_seen else run for not_seen, run in _runs(text)
    )


def code_point(char: str) -> str:
    """Return a character's name in Unicode's notation, such as ``U+202E``."""
    return f"U+{ord(char):04X}"


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    text = text.replace("\r\n", "\n")
    for not_seen, group in groupby(zip(text, hidden(text), strict=True), key=lambda pair: pair[1]):
        yield not_seen, "".join(char for char, _ in group)
