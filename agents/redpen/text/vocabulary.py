"""The words by which a disguised word is recognised: what guards read, and what stands in a text beside."""

from __future__ import annotations

import re
from typing import NamedTuple

_LETTERS = re.compile(r"[^\W\d_]{2,40}+")
_SHORT = frozenset("a i am an as at be by do go he if in is it me my no of ok on or so to up us we".split())
_SHORTEST = 3
_STOPS = str.maketrans(dict.fromkeys('.,;:!?()[]{}"/\\|…—–“”', " "))


class Loose(NamedTuple):
    """The words of a text in lower case, and those of letters alone that are none by themselves."""

    found: list[str]
    strange: set[str]


class Vocabulary:
    """Known words in lower case.

    Args:
        prose: words of updates and of the rules for them, in all their forms.
        names: words of names: places, companies.
        beside: a text whose words count as well when a disguised word is looked up, such as the original
            of a revision. A piece of a word that stands there is no word for that.
    """

    __slots__ = ("_beside", "_own", "names", "prose")

    def __init__(self, prose: frozenset[str], names: frozenset[str] = frozenset(), beside: str = "") -> None:
        self.prose = prose
        self.names = names
        self._beside = beside.lower()
        self._own: frozenset[str] | None = None

    def __contains__(self, word: str) -> bool:
        """Whether a disguised word may be this one."""
        if word in self.prose or word in self.names:
            return True
        # Most words asked for stand nowhere in it: to look for one is less work than to list them all.
        if word not in self._beside:
            return False
        if self._own is None:
            self._own = frozenset(_LETTERS.findall(self._beside))
        return word in self._own

    def whole(self, piece: str) -> bool:
        """Whether a piece is a word by itself, so that it need not be a part of another."""
        if len(piece) < _SHORTEST:
            return piece in _SHORT
        return piece in self.prose or piece in self.names

    def loose(self, text: str) -> Loose:
        """Return the words of a text, and which of them are not known."""
        found = text.lower().translate(_STOPS).split()
        strange = {word for word in set(found) - self.prose if word.isalpha() and not self.whole(word)}
        return Loose(found, strange)
