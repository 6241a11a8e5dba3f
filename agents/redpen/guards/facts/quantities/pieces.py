"""Split a text into the pieces from which facts are read."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.tokens import BREAKS, MARKS, tokenize

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

_AHEAD = 12
_PAST_THE_END = [""] * _AHEAD
_LIST_LINE = lazy_pattern(r"\n[ \t]*(?:[-*•]|\d{1,2}[.)]) |\n[ \t]*\n")
# A clear end of a sentence before a clear beginning; abbreviations are too short to match.
_BOUNDARY = lazy_pattern(r"[.!?\n](?:(?<=[a-z]{4}[.!?]) (?=[A-Z][a-z])|(?<=\n))")


def _ends(text: str) -> Iterator[int]:
    """Yield the ends of the parts that are read independently: lines and clearly separate sentences."""
    for match in _BOUNDARY.finditer(text):
        start, end = match.span()
        if end > start + 1:
            yield end
        elif text[start - 1 : start] in vocab.sentence_ends or _LIST_LINE.match(text, start):
            yield start
    yield len(text)


@lru_cache(maxsize=32)
def parts_of(text: str) -> frozenset[str]:
    """Return the parts of a text that are read independently, without surrounding blanks."""
    return frozenset(text[begin:end].strip() for begin, end in pairwise((0, *_ends(text))))


class Pieces:
    """The words, numbers and marks of a text in parallel lists.

    An empty piece follows every part that is read independently, and several follow the last one, so that
    rules can look ahead without checking the length.

    Args:
        text: any text.
        known: parts that are left out.
        ends: further ends of parts, besides those that the text itself shows.

    Attributes:
        text: the text, with blanks in place of parts that are left out.
        count: number of pieces, the empty ones between parts included.
        raw: the pieces as written.
        low: the same in lower case, without the possessive ending of days and times ("tonight's").
        starts: index of the first character of each piece.
        ends: index after the last character of each piece.
        is_word: whether each piece is a word.
        breaks: whether the text has several lines.
    """

    __slots__ = ("breaks", "count", "ends", "is_word", "low", "raw", "starts", "text")

    def __init__(self, text: str, *, known: Container[str] = (), ends: Iterable[int] = ()) -> None:
        tokens = tokenize(text)
        raw, low, starts = tokens.raw, tokens.folded, tokens.starts
        if tokens.breaks:
            kept = [index for index, piece in enumerate(raw) if piece[0] not in BREAKS]
            raw, low = [raw[index] for index in kept], [low[index] for index in kept]
            starts = [starts[index] for index in kept]
        if "'" in text:
            low = [vocab.OWNERS.get(word, word) for word in low]
        bounds = sorted({0, *ends, *_ends(text)})
        if len(bounds) > 2 or known:
            given = (raw, low, starts)
            raw, low, starts = [], [], []
            last = 0
            for begin, end in pairwise(bounds):
                first, last = last, bisect_left(given[2], end, last)
                if text[begin:end].strip() in known:
                    text = text[:begin] + " " * (end - begin) + text[end:]
                    continue
                raw += (*given[0][first:last], "")
                low += (*given[1][first:last], "")
                starts += (*given[2][first:last], end)
        self.text = text
        self.count = len(raw)
        self.raw = raw = raw + _PAST_THE_END
        self.low = low + _PAST_THE_END
        self.starts = starts = starts + [len(text)] * _AHEAD
        self.ends = list(map(add, starts, map(len, raw)))
        if text.isascii() and "'" not in text:
            # Words consist only of letters in this case, and this takes half the time.
            self.is_word = list(map(str.isalpha, raw))
        else:
            self.is_word = [piece[:1].isalpha() or piece[:1] in MARKS for piece in raw]
        self.breaks = not (text.isprintable() or BREAKS.isdisjoint(text))

    def glued(self, index: int) -> bool:
        """Whether no character separates this piece from the next."""
        return self.ends[index] == self.starts[index + 1] and self.low[index + 1] != ""

    def glued_before(self, index: int) -> bool:
        """Whether no character separates this piece from the one before."""
        return self.ends[index - 1] == self.starts[index] and self.low[index - 1] != ""

    def digits(self, index: int) -> bool:
        """Whether the piece is a number written in digits."""
        word: str = self.low[index]
        return word[:1].isdigit()

    def past_hyphen(self, index: int) -> int:
        """Return the index after a hyphen at a piece, if there is one, else the index."""
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
        """Return the index of the first piece that begins at an offset or after it."""
        return bisect_left(self.starts, offset, 0, self.count)

    def clause_before(self, index: int, most: int, ends: Container[str]) -> list[str]:
        """Return up to ``most`` pieces before one in its clause, which begins after one of ``ends``."""
        for place in range(index - 1, max(-1, index - most), -1):
            if not self.low[place] or self.low[place] in ends:
                return self.low[place + 1 : index]
        return self.low[max(0, index - most + 1) : index]

    def clause_after(self, index: int, most: int) -> list[str]:
        """Return up to ``most`` pieces of a clause, beginning with one."""
        words = self.low[index : index + most - 1]
        return words[: next((at for at, word in enumerate(words) if not word or word in vocab.stops), most)]

    def fact(self, index: int, end: int, *readings: Reading) -> Fact:
        """Return the fact of the pieces from ``index`` up to ``end``."""
        start, last = self.starts[index], self.ends[end - 1]
        return Fact(readings=readings, start=start, end=last, text=self.text[start:last])

    def opens_line(self, index: int) -> bool:
        """Whether only list marks and brackets precede the piece on its line."""
        if not self.low[index - 1]:
            return True
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
