"""Parses quoted pieces of an instruction; each quotation mark pairs with its own kind."""

from __future__ import annotations

from dataclasses import dataclass

_CLOSING = {'"': '"', "“": "”", "«": "»", "„": "“”", "‹": "›", "「": "」", "‘": "’", "'": "'"} | {
    # Reversed pairs, as some languages and some models write them.
    "”": "”",
    "»": "«",
}
# These are apostrophes too, so they do not open after a letter, nor close before one.
_APOSTROPHES = "'‘’"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A quoted piece: its trimmed text, and its span including the marks."""

    text: str
    start: int
    end: int


def quoted_pieces(text: str) -> tuple[Quoted, ...]:
    """Return the outermost quoted pieces of a text, in order.

    Args:
        text: e.g. ``ADD "We'll share updates"``; an apostrophe does not end the piece.

    Returns:
        One ``Quoted`` per pair; an unpaired mark is ignored.
    """
    pieces = []
    # A mark that has no partner here has none further on, so the search fails at most once for each kind.
    unpaired: set[str] = set()
    at = 0
    while at < len(text):
        opens = _opens(text, at) and text[at] not in unpaired
        end = _closing_mark(text, at) if opens else None
        if end is None:
            if opens:
                unpaired.add(text[at])
            at += 1
            continue
        # Some models escape quotation marks twice, which leaves a backslash before each.
        inside = text[at + 1 : end].strip().removesuffix("\\").rstrip()
        pieces.append(Quoted(text=inside, start=at, end=end + 1))
        at = end + 1
    return tuple(pieces)


def outside_quotes(text: str) -> str:
    """Return the text with every quoted piece replaced by one space."""
    parts, at = [], 0
    for piece in quoted_pieces(text):
        parts.append(text[at : piece.start])
        at = piece.end
    parts.append(text[at:])
    return " ".join(parts)


def _opens(text: str, at: int) -> bool:
    mark = text[at]
    if mark not in _CLOSING:
        return False
    return mark not in _APOSTROPHES or not (at and text[at - 1].isalnum())


def _closing_mark(text: str, start: int) -> int | None:
    closing = _CLOSING[text[start]]
    for at in range(start + 1, len(text)):
        if text[at] not in closing:
            continue
        followed_by_letter = at + 1 < len(text) and text[at + 1].isalnum()
        if text[at] not in _APOSTROPHES or not followed_by_letter:
            return at
    return None
