"""A row of words that tie a trouble to its cause."""

from __future__ import annotations

from typing import Literal, NamedTuple

Side = Literal["after", "before", "because"]


class CauseRow(NamedTuple):
    """Words that tie a trouble to its cause.

    Attributes:
        words: the words in order; alternatives are parted by ``/``.
        side: where the cause stands; ``because`` is followed by a whole clause.
        blocks: a text that gives a cause so.
        passes: a text with these words that gives none.
        trouble: whether the words tie a cause only where their subject is the trouble.
    """

    words: str
    side: Side
    blocks: str
    passes: str
    trouble: bool = False
