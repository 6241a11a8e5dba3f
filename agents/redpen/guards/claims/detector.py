"""The learned detector: how likely a clause makes a claim, and of which family.

An embedding bag over the features of a clause with one hidden layer, trained by ``python -m
redpen.training``.
The rows are whole numbers of eight bits, so that their sums are exact; the weights are read when first
asked for.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from redpen.guards.claims.features import parts_of
from redpen.guards.claims.phrases import FAMILIES, Family
from redpen.guards.data import data_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from redpen.guards.claims.features import Bag

MAGIC = b"redpen claims 1\n"
SCALE, OFFSET = 8.0, 20.0
"""The sum of the rows of a clause is multiplied by ``SCALE / sqrt(rows + OFFSET)``."""
SHIPPED = "claims.weights"
# Of the hashes of its group and words a feature is made one number of 64 bits by which it is found.
_FACTOR = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What the detector makes of a clause.

    Attributes:
        log_odds: logarithm of the odds that it makes a claim.
        family: the likeliest family.
    """

    log_odds: float
    family: Family

    @property
    def probability(self) -> float:
        """How likely the clause makes a claim, 0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds))))


class Detector:
    """Weights in memory.

    Args:
        data: the bytes of a file of weights, see ``redpen.training.weights``.

    Attributes:
        block: log odds from which on a clause is a violation.
        concern: log odds from which on it is a concern.

    Raises:
        ValueError: the bytes are no weights, or not whole.
    """

    def __init__(self, data: bytes) -> None:
        import numpy as np

        if not data.startswith(MAGIC):
            raise ValueError("these are no weights of claims: train them with `python -m redpen.training`")
        head, _, body = data[len(MAGIC) :].partition(b"\n")
        header = json.loads(head)
        hidden, count, length = header["hidden"], header["features"], header["names"]
        if len(body) != length + count * hidden + 4 * (2 * hidden + (hidden + 1) * (len(FAMILIES) + 1)):
            raise ValueError("these weights are not whole: train them with `python -m redpen.training`")
        names = body[:length].decode("utf-8").split("\n")
        self._names = names
        # Found as whole numbers, all features of a revision at once: to ask for each by its name takes five
        # times as long, most of it for names that no weights have.
        groups, words, seconds = zip(*map(parts_of, names), strict=True)
        keys = (_hashes(words) * _FACTOR + _hashes(seconds)) ^ _hashes(groups)
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        self._rows = np.frombuffer(body, np.int8, count * hidden, length).reshape(count, hidden)
        numbers = np.frombuffer(body, "<f4", offset=length + count * hidden)
        classes = len(FAMILIES) + 1
        self._scale, self._bias = numbers[:hidden], numbers[hidden : 2 * hidden]
        self._out = numbers[2 * hidden : (2 + classes) * hidden].reshape(hidden, classes)
        self._out_bias = numbers[(2 + classes) * hidden :]
        self.block: float = header["block"]
        self.concern: float = header["concern"]

    def weigh(self, clauses: Sequence[Sequence[Bag]]) -> list[Weighed]:
        """Weigh clauses.

        Args:
            clauses: the features of each.
        """
        if not clauses:
            return []
        scores = self._scores(clauses)
        import numpy as np

        top = scores[:, 1:].max(axis=1)
        odds = top + np.log(np.exp(scores[:, 1:] - top[:, None]).sum(axis=1)) - scores[:, 0]
        likeliest = scores[:, 1:].argmax(axis=1)
        return [
            Weighed(log_odds=float(odd), family=FAMILIES[family])
            for odd, family in zip(odds.tolist(), likeliest.tolist(), strict=True)
        ]

    def _scores(self, clauses: Sequence[Sequence[Bag]]) -> Any:
        import numpy as np

        rows, counts = self._places(clauses)
        starts = [0, *accumulate(counts[:-1].tolist())]
        sums = np.add.reduceat(self._rows.take(rows, axis=0), starts, axis=0, dtype=np.int32) * self._scale
        factor = SCALE / np.sqrt(counts + OFFSET)
        hidden = np.maximum(sums * factor[:, None] + self._bias, 0)
        return hidden @ self._out + self._out_bias

    def _places(self, clauses: Sequence[Sequence[Bag]]) -> tuple[Any, Any]:
        """Return the rows of the features of clauses, each once a clause, and how many each clause has."""
        import numpy as np

        bags = [(owner, bag) for owner, clause in enumerate(clauses) for bag in clause]
        # Pairs come last, so that only these have second words.
        bags.sort(key=_is_of_pairs)
        sizes = [len(bag.words) for _, bag in bags]
        keys = _hashes([word for _, bag in bags for word in bag.words]) * _FACTOR
        seconds = _hashes([word for _, bag in bags if bag.seconds is not None for word in bag.seconds])
        keys[len(keys) - len(seconds) :] += seconds
        keys ^= _hashes([bag.group for _, bag in bags]).repeat(sizes)
        size = len(self._keys)
        at = self._keys.searchsorted(keys)
        at[at == size] = 0
        found = self._keys[at] == keys
        owners = np.array([owner for owner, _ in bags]).repeat(sizes)[found]
        placed = owners * size + self._order[at[found]]
        placed.sort()
        once = np.ones(len(placed), bool)
        np.not_equal(placed[1:], placed[:-1], out=once[1:])
        placed = placed[once]
        counts = np.bincount(placed // size, minlength=len(clauses))
        if not counts.all():
            # A clause none of whose features is known has the first, which every clause has.
            placed = np.union1d(placed, np.flatnonzero(counts == 0) * size)
            counts = np.maximum(counts, 1)
        return placed % size, counts

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self._names)}

    def influence(self, clause: Iterable[str]) -> dict[str, float]:
        """Return how much each feature of a clause, by name, speaks for a claim: the slope of the odds."""
        import numpy as np

        names = sorted({name for name in clause if name in self._place})
        rows = self._rows[[self._place[name] for name in names]] * self._scale
        factor = SCALE / math.sqrt(len(names) + OFFSET)
        hidden = rows.sum(axis=0) * factor + self._bias
        scores = np.maximum(hidden, 0) @ self._out + self._out_bias
        powers = np.exp(scores[1:] - scores[1:].max())
        slope = self._out[:, 1:] @ (powers / powers.sum()) - self._out[:, 0]
        shares = rows @ (slope * (hidden > 0)) * factor
        return dict(zip(names, cast("list[float]", shares.tolist()), strict=True))


def _hashes(words: Sequence[str]) -> Any:
    """Return the hashes of words, which Python keeps with most of them."""
    import numpy as np

    return np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)


def _is_of_pairs(owned: tuple[int, Bag]) -> bool:
    return owned[1].seconds is not None


@lru_cache(maxsize=1)
def shipped_detector() -> Detector:
    """Return the detector with the weights that the package ships."""
    return read_detector(data_path(SHIPPED))


def read_detector(path: Path) -> Detector:
    """Return the detector with the weights of a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no weights, or not all of them.
    """
    return Detector(path.read_bytes())
