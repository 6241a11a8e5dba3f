"""What stands around a fact: its sentence, the words of its clause."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.data import word_set
from redpen.text.lazy_pattern import lazy_pattern

_SENTENCE_REACH = 240
_END = lazy_pattern(r"[.!?](?=\s|$)|\n")


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands before and after a piece in its sentence, in lower case.

    Args:
        text: what a reader sees.
        start: index of the first character of the piece.
        end: index after its last.
    """
    before = text[max(0, start - _SENTENCE_REACH) : start]
    begin = max((match.end() for match in _END.finditer(before)), default=0)
    after = text[end : end + _SENTENCE_REACH]
    stop = _END.search(after)
    return before[begin:].lower().lstrip(), after[: stop.end() if stop else _SENTENCE_REACH].lower()


_REACH = 70
STEM = 5
"""Letters by which words of clauses are compared."""
_WORD = lazy_pattern(r"[a-z]{4,}")
_CUT = lazy_pattern(r"[.;:!?,()\n•\d]| (?:and|but|while|as|where|so) ")
_EMPTY = word_set("surroundings", "empty")

Words = frozenset[str]


@lru_cache(maxsize=512)
def words_at(text: str, start: int, end: int) -> Words:
    """Return the first letters of the words of the clause around a place, numbers and fillers left out.

    Args:
        text: what a reader sees.
        start: index of the first character of the place.
        end: index after its last.
    """
    left = _CUT.split(text[max(0, start - _REACH) : start].lower())[-1]
    right = text[end : end + _REACH].lower()
    cut = _CUT.search(right)
    words = _WORD.findall(left) + _WORD.findall(right, 0, cut.start() if cut else _REACH)
    return frozenset(word[:STEM] for word in words if word not in _EMPTY)
