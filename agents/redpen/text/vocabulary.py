"""The words by which a disguised word is recognised: words of the guards, and those of another text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_LETTERS = lazy_pattern(r"[^\W\d_]{2,40}+")
_ASCII_LETTERS = lazy_pattern(r"[a-z]{2,40}+")
SHORT = frozenset("a i am an as at be by do go he if in is it me my no of ok on or so to up us we".split())
SHORTEST = 3
_FEW = 200
"""Below this number of words, searching a text for each is faster than listing the words of the text."""
_STOPS = str.maketrans(dict.fromkeys('.,;:!?()[]{}"/\\|…—–“”', " "))


class ScannedWords(NamedTuple):
    """The words of a text in lower case, and which of those that consist of letters are unknown."""

    words: list[str]
    unknown: set[str]


NO_WORDS = ScannedWords([], set())
"""The words of a text without disguised words."""


@lru_cache(maxsize=32)
def _letters_of(text: str) -> frozenset[str]:
    """Return the alphabetic words of a text in lower case; cached, because an original has many revisions."""
    return frozenset((_ASCII_LETTERS if text.isascii() else _LETTERS).findall(text))


PREFIX_CHARS = 3
"""Length of the ``Vocabulary.prefixes``, in characters."""


@lru_cache(maxsize=1)
def _known_words(prose: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    return prose | names | SHORT


@lru_cache(maxsize=1)
def _prefixes(prose: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:PREFIX_CHARS] for words in (prose, names) for word in words)


class Vocabulary:
    """Known words in lower case.

    Args:
        prose: words of updates and of the rules for them, in all their forms.
        names: words of names: places, companies.
        beside: a text whose words are also known when a disguised word is looked up, such as the original
            of a revision; they do not count for ``is_word``.
    """

    __slots__ = ("_beside", "names", "prose")

    def __init__(self, prose: frozenset[str], names: frozenset[str] = frozenset(), beside: str = "") -> None:
        self.prose = prose
        self.names = names
        self._beside = beside.lower()

    def __contains__(self, word: str) -> bool:
        """Whether a disguised word may be read as this one."""
        if word in self.prose or word in self.names:
            return True
        # Most words do not occur in the text at all, and a substring search is faster than listing its words.
        if word not in self._beside:
            return False
        return word in _letters_of(self._beside)

    def contains_any(self, words: list[str]) -> bool:
        """Whether any of some disguised words may be a known one; faster than a lookup of each."""
        if not (self.prose.isdisjoint(words) and self.names.isdisjoint(words)):
            return True
        if len(words) < _FEW and not any(map(self._beside.__contains__, words)):
            return False
        return not _letters_of(self._beside).isdisjoint(words)

    @property
    def prefixes(self) -> frozenset[str]:
        """The first ``PREFIX_CHARS`` letters of the known words of prose and names."""
        return _prefixes(self.prose, self.names)

    def is_word(self, piece: str) -> bool:
        """Whether a piece is a word by itself, and need not be part of a split one."""
        if len(piece) < SHORTEST:
            return piece in SHORT
        return piece in self.prose or piece in self.names

    def scan(self, text: str) -> ScannedWords:
        """Return the words of a text, and which of them are unknown."""
        words = text.lower().translate(_STOPS).split()
        return ScannedWords(words, self.unknown(words))

    def unknown(self, words: Iterable[str]) -> set[str]:
        """Return which of some words in lower case consist of letters and are unknown."""
        known = _known_words(self.prose, self.names)
        return set(filter(str.isalpha, set(words).difference(known)))
