"""A short diff of two texts."""

from __future__ import annotations

import difflib
from itertools import islice

from redpen.text.lazy_pattern import lazy_pattern

_SENTENCE_BREAK = lazy_pattern(r"(?<=[.!?])\s+")
_PIECE_CHARS = 80
_EXCERPT_LINES = 6


def diff_excerpt(before: str, after: str) -> list[str]:
    """Return the first six added or removed lines of a unified diff, without its headers.

    Args:
        before: the old text.
        after: the new text. Each of the two is split by itself: into lines if it has more than one, else into
            sentences if more than one, else into pieces of 80 characters.

    Returns:
        At most six strings that start with ``+`` or ``-``; empty for equal texts.
    """
    lines = difflib.unified_diff(_pieces(before), _pieces(after), lineterm="")
    changed = (line for line in islice(lines, 2, None) if line.startswith(("+", "-")))
    return list(islice(changed, _EXCERPT_LINES))


def _pieces(text: str) -> list[str]:
    text = text.strip()
    lines = text.splitlines()
    if len(lines) > 1:
        return lines
    sentences = _SENTENCE_BREAK.split(text)
    if len(sentences) > 1:
        return sentences
    return [text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS)]
