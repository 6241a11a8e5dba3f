"""The pieces of a text as the quantity grammar walks over them."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

_SINGLE_NUMBERS = "¹²³¼-¾⁰⁴-⁹₀-₉⅐-ↂ①-⒛⓪-⓿❶-➓"
_LETTERS = rf"(?:(?![{_SINGLE_NUMBERS}])[^\W\d_]|[\u0300-\u036f])"
_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# Every character is in some match, so that their lengths add up to their places; no repeat goes back.
_CUT = re.compile(
    r" |[A-Za-z]++(?=[\x00-&(-\x7f]|\Z)"
    rf"|{_LETTERS}++(?:['’ʼ＇]{_LETTERS}++)*+"
    rf"|\d++(?:[.,'’_\u00a0\u2009\u202f]\d++)*+|[{_SINGLE_NUMBERS}]|[{_BREAKS}]\s*+"
    rf"|[^\S{_BREAKS}]++|\S|."
).findall
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_MARKS = frozenset(map(chr, range(0x300, 0x370)))
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "＇": "'"})
_AHEAD = 12
_MARGIN = frozenset("-*•‣·–—>#|([{\"'“‘")
HYPHENS = frozenset("-–—")


_OWNERS = {
    f"{word}'s": word
    for word in (
        "today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday week "
        "month quarter year hour day minute second morning afternoon evening night weekend noon midnight"
    ).split()
}
"""Days and times that own something (tonight's run): the thing owned changes no day."""


class Pieces:
    """Words, numbers and marks of a text in parallel lists, without its line breaks.

    ``low`` is padded at the end, so that a rule may look a few pieces ahead without asking for the length.
    """

    __slots__ = ("breaks", "count", "ends", "is_word", "low", "raw", "starts", "text")

    def __init__(self, text: str) -> None:
        cut = _CUT(text)
        breaks: list[int] = []
        pairs = [pair for pair in zip(cut, accumulate(map(len, cut)), strict=True) if pair[0] != " "]
        if not text.isprintable():
            breaks = [end - len(piece) for piece, end in pairs if piece[0] in _LINE_ENDS]
            pairs = [pair for pair in pairs if not pair[0].isspace()]
        raw = [piece for piece, _ in pairs]
        ends = [end for _, end in pairs]
        self.text = text
        self.count = len(raw)
        self.raw = raw
        self.starts = [end - len(piece) for piece, end in pairs]
        self.ends = ends
        self.breaks = breaks
        self.low = [piece.lower() for piece in raw]
        if not text.isascii():
            self.low = [piece if piece.isascii() else piece.translate(_APOSTROPHES) for piece in self.low]
        if "'" in text:
            self.low = [_OWNERS.get(word, word) for word in self.low]
        self.is_word = [piece[0].isalpha() for piece in raw]
        if not text.isascii():
            self.is_word = [word or piece[0] in _MARKS for word, piece in zip(self.is_word, raw, strict=True)]
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
