"""Features that show whether a clause combines things that the known texts combine: numbers with their
subjects, states with the things that are in them.

A revision may reword, merge and split sentences. A fact moved to another subject ("3.4 % of checkouts",
where that is the share of payments) consists of words that are all known, but from different places. So the
words of a clause are looked up in the known clauses in pairs.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import chain, combinations, pairwise
from operator import and_
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import items_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redpen.guards.claims.clauses import Clause, Piece

_MOST_ITEMS = 16
"""Things of a clause that are paired; those of a longer one are paired up to there."""
_MOST_CLAUSES = 300
"""Known clauses that are looked at, those of the original first: a context may hold any number."""
_NEW = ("new:0", "new:1", "new:2", "new:3")


class Pairing:
    """Index of the known clauses by the words and numbers that they contain.

    Args:
        pieces: the known clauses.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        pieces = pieces[:_MOST_CLAUSES]
        self._pieces = [
            {item: at for at, item in enumerate(items_of(piece.words, piece.numbers))} for piece in pieces
        ]
        # Sets of clauses are whole numbers, a bit a clause: two of them are compared at once.
        self._of: dict[str, int] = {}
        sentences: dict[tuple[str, int], int] = {}
        for at, (piece, items) in enumerate(zip(pieces, self._pieces, strict=True)):
            place = (piece.source, piece.sentence)
            sentences[place] = sentences.get(place, 0) | 1 << at
            for item in items:
                self._of[item] = self._of.get(item, 0) | 1 << at
        self._sentence = [sentences[piece.source, piece.sentence] for piece in pieces]
        self._beside: dict[str, tuple[int, int]] = {}

    def features(self, clauses: Sequence[Clause]) -> list[str]:
        """Return the names of the features of some clauses, taken together."""
        items = items_of(clauses[0].words, clauses[0].numbers)
        if len(clauses) > 1:
            of_each = (items_of(clause.words, clause.numbers) for clause in clauses)
            items = tuple(dict.fromkeys(chain.from_iterable(of_each)))
        known = [item for item in items if item in self._of][:_MOST_ITEMS]
        found = [_NEW[min(3, len(items) - len(known))]]
        if len(known) < 2:
            return [*found, "few"]
        places = [self._of[item] for item in known]
        together = reduce(and_, places)
        home = (together & -together).bit_length() - 1 if together else self._home(places)
        there = self._pieces[home]
        borrowed = 0 if together else sum(not place >> home & 1 for place in places)
        lost = min(4, len(there) - len(known) + borrowed)
        order = [at for at in map(there.get, known) if at is not None]
        turned = sum(one > other for one, other in pairwise(order))
        found += (f"lost:{lost}", f"turned:{min(3, turned)}")
        if together:
            found.append("together")
            return found
        far = sum(not place & self._sentence[home] for place in places)
        found += (
            f"borrowed:{min(4, borrowed)}",
            f"far:{min(4, far)}",
            f"swap:{min(3, borrowed)} {min(3, lost)}",
        )
        apart = farther = parallel = rare = 0
        near = [self._near(item) for item in known]
        for (one, (sentences, likes)), (other, _) in combinations(zip(places, near, strict=True), 2):
            if not one & other:
                apart += 1
                farther += not sentences & other
                parallel += bool(likes & other)
                rare += not (one & one - 1 or other & other - 1)
        pairs = len(known) * (len(known) - 1) // 2
        for name, count in (("apart", apart), ("farther", farther), ("parallel", parallel), ("rare", rare)):
            found += (f"{name}:{min(6, count)}", f"{name}r:{10 * count // pairs}")
        return found

    def _home(self, places: Sequence[int]) -> int:
        """Return the clause that has most of some things, those that few clauses have before others."""
        weight: dict[int, int] = {}
        for place in places:
            share = 60 // place.bit_count()
            for at in _bits(place):
                weight[at] = weight.get(at, 0) + share
        return max(weight, key=lambda at: (weight[at], -at))

    def _near(self, item: str) -> tuple[int, int]:
        """Return the clauses of the sentences that speak of a thing, and those that share a thing with one
        that does."""
        found = self._beside.get(item)
        if found is None:
            sentences = likes = 0
            for at in _bits(self._of[item]):
                sentences |= self._sentence[at]
                for other in self._pieces[at]:
                    likes |= self._of[other]
            found = self._beside[item] = sentences, likes
        return found


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)
