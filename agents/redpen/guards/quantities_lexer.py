"""The pieces of a text as the quantity grammar walks over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Container

_AHEAD = 12
_MARGIN = frozenset("-*•‣·–—>#|([{\"'“‘")
HYPHENS = frozenset("-–—")


_OWNERS = {
    f"{word}'s": word
    for word in (
        "today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday week month "
        "quarter year hour day minute second morning afternoon evening night weekend noon midnight"
    ).split()
}
"""Days and times that own something (tonight's run): the thing owned changes no day."""


class Pieces:
    """Words, numbers and marks of a text in parallel lists, without its line breaks.

    ``low`` is padded at the end, so that a rule may look a few pieces ahead without asking for the length.
    """

    __slots__ = ("breaks", "count", "ends", "is_word", "low", "raw", "starts", "text")

    def __init__(self, text: str) -> None:
        # The shared cache is for whole texts; this one is a part of them.
        tokens = tokenize.__wrapped__(text)
        kept = [token for token in tokens if token[0] != "break"]
        self.text = text
        self.count = len(kept)
        self.raw = [token[1] for token in kept]
        self.low = [token[2] for token in kept]
        if "'" in text:
            self.low = [_OWNERS.get(word, word) for word in self.low]
        self.starts = [token[3] for token in kept]
        self.ends = [token[4] for token in kept]
        self.is_word = [token[0] == "word" for token in kept]
        self.breaks = (
            [token[3] for token in tokens if token[0] == "break"] if len(tokens) != len(kept) else []
        )
        last = len(text)
        self.low += [""] * _AHEAD
        self.raw += [""] * _AHEAD
        self.starts += [last] * _AHEAD
        self.ends += [last] * _AHEAD
        self.is_word += [False] * _AHEAD

    def glued(self, index: int) -> bool:
        """Whether nothing stands between this piece and the next."""
        return index + 1 < self.count and self.ends[index] == self.starts[index + 1]

    def glued_before(self, index: int) -> bool:
        """Whether nothing stands between this piece and the one before."""
        return index > 0 and self.ends[index - 1] == self.starts[index]

    def digits(self, index: int) -> bool:
        """Whether the piece is a number written in digits."""
        return self.low[index][:1].isdigit()

    def past_hyphen(self, index: int) -> int:
        """Return the index, or the next one when a hyphen stands here."""
        return index + 1 if self.low[index] == "-" else index

    def past(self, index: int, words: Container[str], most: int = 3) -> int:
        """Return the index after up to ``most`` pieces out of ``words``."""
        for _ in range(most):
            if not self.low[index] or self.low[index] not in words:
                break
            index += 1
        return index

    def opens_line(self, index: int) -> bool:
        """Whether only list marks and brackets stand before the piece on its line."""
        place = self.starts[index]
        for _ in range(_AHEAD):
            place -= 1
            if place < 0 or self.text[place] == "\n":
                return True
            if self.text[place] != " " and self.text[place] not in _MARGIN:
                return False
        return False

    def broken(self, index: int) -> bool:
        """Whether a line ends between this piece and the next."""
        return "\n" in self.text[self.ends[index] : self.starts[index + 1]]
