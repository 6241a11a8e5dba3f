"""Rows as aligned lines, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_GAP = "  "


def aligned(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()
) -> list[str]:
    """Return a header and its rows as lines; a column without a value in any row is left out.

    Args:
        header: one name a column.
        rows: each as long as the header.
        right: numbers of the columns, from 0, that stand at their right end.
    """
    held = held_columns(header, rows)
    table = [[line[at] for at in held] for line in (header, *rows)]
    widths = [max(_width(line[at]) for line in table) for at in range(len(held))]
    return [
        _GAP.join(
            _padded(cell, width, right=column in right)
            for cell, width, column in zip(line, widths, held, strict=True)
        ).rstrip()
        for line in table
    ]


def held_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the columns, from 0, that hold a value in any row."""
    return [at for at in range(len(header)) if any(row[at] for row in rows)]


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    # A terminal gives East Asian characters two columns, and none to what stands over another.
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
        for char in text
    )
