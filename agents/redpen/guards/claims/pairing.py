"""Features that show whether a clause pairs numbers and states with the same subjects as the known clauses.

A revision may reword, merge and split sentences. A fact moved to another subject ("3.4 % of checkouts", when
3.4 % is the share of payments) consists of known words from different clauses, so all words of a clause are
looked up together.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import chain, pairwise
from operator import and_
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import items_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redpen.guards.claims.clauses import Clause, Piece

_MOST_ITEMS = 16
"""Items of a clause that are looked up; the rest of a longer one is ignored."""
_MOST_CLAUSES = 300
"""Known clauses that are read, those of the original first; a context may have any number."""


class Pairing:
    """Index of the known clauses by the words and numbers that they contain.

    Args:
        pieces: the known clauses.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        pieces = pieces[:_MOST_CLAUSES]
        self._items = [
            {item: at for at, item in enumerate(items_of(piece.words, piece.numbers))} for piece in pieces
        ]
        self._of: dict[str, set[int]] = {}
        for number, items in enumerate(self._items):
            for item in items:
                self._of.setdefault(item, set()).add(number)
        self._sentences = [(piece.source, piece.sentence) for piece in pieces]

    def features(self, clauses: Sequence[Clause]) -> list[tuple[str, ...]]:
        """Return the features of some clauses together, each as a group and its values."""
        of_each = (items_of(clause.words, clause.numbers) for clause in clauses)
        items = tuple(dict.fromkeys(chain.from_iterable(of_each)))
        known = [item for item in items if item in self._of][:_MOST_ITEMS]
        found: list[tuple[str, ...]] = [("new", str(min(3, len(items) - len(known))))]
        if len(known) < 2:
            return [*found, ("few",)]
        places = [self._of[item] for item in known]
        together = reduce(and_, places)
        home = min(together) if together else self._home(places)
        there = self._items[home]
        borrowed = sum(home not in place for place in places)
        lost = min(4, len(there) - len(known) + borrowed)
        order = [there[item] for item in known if item in there]
        turned = sum(one > other for one, other in pairwise(order))
        found += (("lost", str(lost)), ("turned", str(min(3, turned))))
        if together:
            return [*found, ("together",)]
        sentence = {at for at, other in enumerate(self._sentences) if other == self._sentences[home]}
        far = sum(sentence.isdisjoint(place) for place in places)
        swap = ("swap", str(min(3, borrowed)), str(min(3, lost)))
        return [*found, ("borrowed", str(min(4, borrowed))), ("far", str(min(4, far))), swap]

    @staticmethod
    def _home(places: Sequence[set[int]]) -> int:
        """Return the clause that contains most of some items; rare items count more."""
        weights = Counter[int]()
        for place in places:
            weights.update(dict.fromkeys(place, 60 // len(place)))
        return max(weights, key=lambda at: (weights[at], -at))
