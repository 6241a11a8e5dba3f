"""The words by which a disguised word is recognised: what guards read, and what stands in a text beside."""

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
"""Words so few that it takes less to look for each of them in a text than to list the words of the text."""
_STOPS = str.maketrans(dict.fromkeys('.,;:!?()[]{}"/\\|…—–“”', " "))


class Loose(NamedTuple):
    """The words of a text in lower case, and those of letters alone that are none by themselves."""

    found: list[str]
    strange: set[str]


NOTHING_LOOSE = Loose([], set())
"""Of a text none of whose words needs a closer look."""


@lru_cache(maxsize=32)
def _letters_of(text: str) -> frozenset[str]:
    """Return the words of letters of a text in lower case; kept, since an original has many revisions."""
    return frozenset((_ASCII_LETTERS if text.isascii() else _LETTERS).findall(text))


BEGINNING = 3
"""Letters by which ``Vocabulary.beginnings`` knows words."""


@lru_cache(maxsize=1)
def _whole(prose: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    return prose | names | SHORT


@lru_cache(maxsize=1)
def _beginnings(prose: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:BEGINNING] for words in (prose, names) for word in words)


class Vocabulary:
    """Known words in lower case.

    Args:
        prose: words of updates and of the rules for them, in all their forms.
        names: words of names: places, companies.
        beside: a text whose words count as well when a disguised word is looked up, such as the original
            of a revision. A piece of a word that stands there is no word for that.
    """

    __slots__ = ("_beside", "names", "prose")

    def __init__(self, prose: frozenset[str], names: frozenset[str] = frozenset(), beside: str = "") -> None:
        self.prose = prose
        self.names = names
        self._beside = beside.lower()

    def __contains__(self, word: str) -> bool:
        """Whether a disguised word may be this one."""
        if word in self.prose or word in self.names:
            return True
        # Most words asked for stand nowhere in it: to look for one is less work than to list them all.
        if word not in self._beside:
            return False
        return word in _letters_of(self._beside)

    def may_hold(self, words: list[str]) -> bool:
        """Whether one of some disguised words may be a known one: quicker than to ask for each."""
        if not (self.prose.isdisjoint(words) and self.names.isdisjoint(words)):
            return True
        if len(words) < _FEW and not any(map(self._beside.__contains__, words)):
            return False
        return not _letters_of(self._beside).isdisjoint(words)

    @property
    def beginnings(self) -> frozenset[str]:
        """The first letters of the words that are ``whole``, except those shorter than that."""
        return _beginnings(self.prose, self.names)

    def whole(self, piece: str) -> bool:
        """Whether a piece is a word by itself, so that it need not be a part of another."""
        if len(piece) < SHORTEST:
            return piece in SHORT
        return piece in self.prose or piece in self.names

    def loose(self, text: str) -> Loose:
        """Return the words of a text, and which of them are not known."""
        found = text.lower().translate(_STOPS).split()
        return Loose(found, self.strange(found))

    def strange(self, found: Iterable[str]) -> set[str]:
        """Return which of some pieces in lower case are letters alone and no words by themselves."""
        known = _whole(self.prose, self.names)
        return set(filter(str.isalpha, set(found).difference(known)))
