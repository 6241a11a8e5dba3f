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
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, cast

from redpen.guards.claims.features import parts_of
from redpen.guards.claims.phrases import FAMILIES, Family
from redpen.guards.data import data_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from redpen.guards.claims.features import Bag

MAGIC = b"redpen claims 2\n"
Detected = Family | Literal["scope"]
DETECTED: tuple[Detected, ...] = (*FAMILIES, "scope")
"""What a clause may do wrong: claim something of a family, or say something known of other things than it is
known of, of more of them, or of worse."""
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
    family: Detected

    @property
    def probability(self) -> float:
        """How likely the clause makes a claim, 0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds))))


class Detector:
    """Weights in memory.

    Args:
        data: the bytes of a file of weights, see ``redpen.training.weights``.

    Attributes:
        bounds: by family the log odds from which on a clause is a concern, and those from which on it is a
            violation.

    Raises:
        ValueError: the bytes are no weights, or not whole.
    """

    def __init__(self, data: bytes) -> None:
        import numpy as np

        if not data.startswith(MAGIC):
            raise ValueError("these are no weights of claims: train them with `python -m redpen.training`")
        head = data.find(b"\n", len(MAGIC))
        header, body = json.loads(data[len(MAGIC) : head]), memoryview(data)[head + 1 :]
        hidden, count, length = header["hidden"], header["features"], header["names"]
        if len(body) != length + count * hidden + 4 * (2 * hidden + (hidden + 1) * (len(DETECTED) + 1)):
            raise ValueError("these weights are not whole: train them with `python -m redpen.training`")
        names = str(body[:length], "utf-8").split("\n")
        self._names = names
        # Found as whole numbers, all features of a revision at once: to ask for each by its name takes five
        # times as long, most of it for names that no weights have. Those with the same first bits lie side by
        # side, so that to find one is one look at memory.
        parts = chain.from_iterable(map(parts_of, names))
        groups, words, seconds = _hashes(parts, 3 * count).reshape(count, 3).T
        keys = (words * _FACTOR + seconds) ^ groups
        order = np.argsort(keys)
        self._shift = np.uint64(64 - count.bit_length())
        buckets = keys[order] >> self._shift
        sizes = np.bincount(buckets.view(np.int64), minlength=1 << count.bit_length())
        slots = np.arange(count) - (sizes.cumsum() - sizes)[buckets]
        self._keys = np.zeros((len(sizes), sizes.max()), np.uint64)
        self._keys[buckets, slots] = keys[order]
        self._order = np.zeros(self._keys.shape, np.int32)
        self._order[buckets, slots] = order
        self._rows = np.frombuffer(body, np.int8, count * hidden, length).reshape(count, hidden)
        numbers = np.frombuffer(body, "<f4", offset=length + count * hidden)
        classes = len(DETECTED) + 1
        self._scale, self._bias = numbers[:hidden], numbers[hidden : 2 * hidden]
        self._out = numbers[2 * hidden : (2 + classes) * hidden].reshape(hidden, classes)
        self._out_bias = numbers[(2 + classes) * hidden :]
        self.bounds: dict[Detected, tuple[float, float]] = dict.fromkeys(FAMILIES, tuple(header["bounds"]))
        self.bounds["scope"] = tuple(header["scope_bounds"])

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
            Weighed(log_odds=float(odd), family=DETECTED[family])
            for odd, family in zip(odds.tolist(), likeliest.tolist(), strict=True)
        ]

    def _scores(self, clauses: Sequence[Sequence[Bag]]) -> Any:
        import numpy as np

        rows, counts = self._places(clauses)
        # The sums of whole numbers so small are exact in any order.
        rows = self._rows.take(rows, axis=0).astype(np.float32)
        sums = np.add.reduceat(rows, counts.cumsum() - counts, axis=0).astype(float) * self._scale
        factor = SCALE / np.sqrt(counts + OFFSET)
        hidden = np.maximum(sums * factor[:, None] + self._bias, 0)
        return hidden @ self._out + self._out_bias

    def _places(self, clauses: Sequence[Sequence[Bag]]) -> tuple[Any, Any]:
        """Return the rows of the features of clauses, each once a clause, and how many each clause has."""
        import numpy as np

        groups, words, seconds = zip(*chain.from_iterable(clauses), strict=True)
        sizes = list(map(len, words))
        keys = _hashes(chain.from_iterable(words), sum(sizes)) * _FACTOR
        paired = np.array([second is not None for second in seconds]).repeat(sizes)
        thens = chain.from_iterable(filter(None, seconds))
        keys[paired] += _hashes(thens, int(paired.sum()))
        keys ^= _hashes(groups, len(groups)).repeat(sizes)
        buckets = keys >> self._shift
        found, slots = (self._keys[buckets] == keys[:, None]).nonzero()
        size = len(self._rows)
        owners = np.arange(0, size * len(clauses), size).repeat(list(map(len, clauses))).repeat(sizes)
        placed = owners[found] + self._order[buckets[found], slots]
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


def _hashes(words: Iterable[str], count: int) -> Any:
    """Return the hashes of so many words, which Python keeps with most of them."""
    import numpy as np

    return np.fromiter(map(hash, words), np.int64, count).view(np.uint64)


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
