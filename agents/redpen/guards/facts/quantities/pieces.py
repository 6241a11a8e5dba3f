"""The pieces of a text as the quantity grammar walks over them."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from redpen.guards.data import word_map
from redpen.text.tokens import BREAKS, MARKS, Tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Container

_AHEAD = 12
_MARGIN = frozenset("-*•‣·–—>#|([{\"'“‘")
HYPHENS = frozenset("-–—")


_OWNERS = word_map("quantities_lexer", "owners")
"""Days and times that own something (tonight's run): the thing owned changes no day."""


_PAST_THE_END = [""] * _AHEAD
_NO_WORDS = [False] * _AHEAD


def read_tokens(text: str) -> Tokens:
    """Return the tokens of a text as the quantity grammar reads them: without line ends and owning days."""
    tokens = tokenize(text)
    raw, folded, starts = tokens.raw, tokens.folded, tokens.starts
    if tokens.breaks:
        kept = [index for index, piece in enumerate(raw) if piece[0] not in BREAKS]
        raw = [raw[index] for index in kept]
        folded = [folded[index] for index in kept]
        starts = [starts[index] for index in kept]
    if "'" in text:
        folded = [_OWNERS.get(word, word) for word in folded]
    return Tokens(raw, folded, starts, [])


class Pieces:
    """Words, numbers and marks of a part of a text in parallel lists.

    All are padded at the end, so that a rule may look a few pieces ahead without asking for the length.

    Args:
        text: the part.
        raw: its tokens as they stand; the list is taken over, as are the others.
        low: the same as ``read_tokens`` folds them.
        starts: index of the first character of each in the part.
    """

    __slots__ = ("breaks", "count", "ends", "is_word", "low", "raw", "starts", "text")

    def __init__(self, text: str, raw: list[str], low: list[str], starts: list[int]) -> None:
        if not text.isascii():
            is_word = [piece[0].isalpha() or piece[0] in MARKS for piece in raw]
        elif "'" in text:
            is_word = [piece[0].isalpha() for piece in raw]
        else:
            # Nothing but letters is in a word then, and this takes half the time.
            is_word = list(map(str.isalpha, raw))
        after = [len(text)] * _AHEAD
        self.text = text
        self.count = len(raw)
        self.breaks = not (text.isprintable() or BREAKS.isdisjoint(text))
        self.ends = list(map(add, starts, map(len, raw)))
        self.ends += after
        raw += _PAST_THE_END
        low += _PAST_THE_END
        starts += after
        is_word += _NO_WORDS
        self.raw, self.low, self.starts, self.is_word = raw, low, starts, is_word

    def glued(self, index: int) -> bool:
        """Whether nothing stands between this piece and the next."""
        return index + 1 < self.count and self.ends[index] == self.starts[index + 1]

    def glued_before(self, index: int) -> bool:
        """Whether nothing stands between this piece and the one before."""
        return index > 0 and self.ends[index - 1] == self.starts[index]

    def digits(self, index: int) -> bool:
        """Whether the piece is a number written in digits."""
        word: str = self.low[index]
        return word[:1].isdigit()

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
