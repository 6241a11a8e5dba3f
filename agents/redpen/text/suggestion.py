"""Suggests the nearest match of a misspelt word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MAX_CHARS = 200
"""Longer words get no suggestion, because comparing them is slow."""


def suggestion(word: object, known: Iterable[object]) -> str:
    """Return ``" (did you mean `x`?)"`` for the nearest known word; empty if none is near."""
    if len(str(word)) > MAX_CHARS:
        return ""
    near = difflib.get_close_matches(str(word), sorted(map(str, known)), n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
