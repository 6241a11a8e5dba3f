"""The pieces of a text as the quantity grammar walks over them."""

from __future__ import annotations

from bisect import bisect_left
from operator import add
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading
from redpen.text.tokens import BREAKS, MARKS, Tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Container

_AHEAD = 12


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
        folded = [vocab.OWNERS.get(word, word) for word in folded]
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

    def is_capital(self, index: int) -> bool:
        """Whether the piece begins with a capital."""
        return self.raw[index][:1].isupper()

    def index_at(self, offset: int) -> int:
        """Return the index of the first piece that begins at a place in the text or after it."""
        return bisect_left(self.starts, offset, 0, self.count)

    def clause_before(self, index: int, most: int, ends: Container[str]) -> list[str]:
        """Return up to ``most`` pieces before one in its clause, which begins after one of ``ends``."""
        for place in range(index - 1, max(-1, index - most), -1):
            if self.low[place] in ends:
                return self.low[place + 1 : index]
        return self.low[max(0, index - most + 1) : index]

    def clause_after(self, index: int, most: int) -> list[str]:
        """Return up to ``most`` pieces from one on in its clause."""
        words = self.low[index : min(index + most - 1, self.count)]
        return words[: next((at for at, word in enumerate(words) if word in vocab.stops), most)]

    def fact(self, index: int, end: int, *readings: Reading) -> Fact:
        """Return the fact that the pieces from ``index`` up to ``end`` state."""
        start, last = self.starts[index], self.ends[end - 1]
        return Fact(readings=readings, start=start, end=last, text=self.text[start:last])

    def opens_line(self, index: int) -> bool:
        """Whether only list marks and brackets stand before the piece on its line."""
        place = self.starts[index]
        for _ in range(_AHEAD):
            place -= 1
            if place < 0 or self.text[place] == "\n":
                return True
            if self.text[place] != " " and self.text[place] not in vocab.margin:
                return False
        return False

    def broken(self, index: int) -> bool:
        """Whether a line ends between this piece and the next."""
        return "\n" in self.text[self.ends[index] : self.starts[index + 1]]
