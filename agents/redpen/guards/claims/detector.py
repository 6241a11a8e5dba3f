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
from functools import lru_cache
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, Any, cast

from redpen.guards.claims.phrases import FAMILIES, Family
from redpen.guards.data import data_path

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from pathlib import Path

MAGIC = b"redpen claims 1\n"
SCALE, OFFSET = 8.0, 20.0
"""The sum of the rows of a clause is multiplied by ``SCALE / sqrt(rows + OFFSET)``."""
SHIPPED = "claims.weights"
UNSEEN = "unseen"
"""How the features begin that count stems which no training has seen."""


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


def with_unseen(clause: Iterable[str], names: Container[str]) -> list[str]:
    """Return the features of a clause with how many of its stems no training has seen.

    Args:
        clause: its features.
        names: those that were seen.
    """
    features = list(clause)
    unseen = sum(name.startswith("s:") and name not in names for name in features)
    fresh = sum(name.startswith("new:") and f"s:{name[4:]}" not in names for name in features)
    return [*features, f"{UNSEEN}:{min(3, unseen)}", f"{UNSEEN}-new:{min(3, fresh)}"]


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
        self._place: dict[str, int] = {name: at for at, name in enumerate(names)}
        self._rows = np.frombuffer(body, np.int8, count * hidden, length).reshape(count, hidden)
        numbers = np.frombuffer(body, "<f4", offset=length + count * hidden)
        classes = len(FAMILIES) + 1
        self._scale, self._bias = numbers[:hidden], numbers[hidden : 2 * hidden]
        self._out = numbers[2 * hidden : (2 + classes) * hidden].reshape(hidden, classes)
        self._out_bias = numbers[(2 + classes) * hidden :]
        self.block: float = header["block"]
        self.concern: float = header["concern"]

    def weigh(self, clauses: Sequence[Iterable[str]]) -> list[Weighed]:
        """Weigh clauses.

        Args:
            clauses: the features of each.
        """
        if not clauses:
            return []
        scores = self._scores(clauses)
        top = scores[:, 1:].max(axis=1)
        import numpy as np

        odds = top + np.log(np.exp(scores[:, 1:] - top[:, None]).sum(axis=1)) - scores[:, 0]
        likeliest = scores[:, 1:].argmax(axis=1)
        return [
            Weighed(log_odds=float(odd), family=FAMILIES[family])
            for odd, family in zip(odds.tolist(), likeliest.tolist(), strict=True)
        ]

    def _scores(self, clauses: Sequence[Iterable[str]]) -> Any:
        import numpy as np

        find = self._place.get
        features: list[int] = []
        counts: list[int] = []
        for clause in clauses:
            found = set(map(find, with_unseen(clause, self._place), repeat(-1)))
            found.discard(-1)
            counts.append(len(found) or 1)
            features += found or (0,)
        rows = self._rows.take(np.array(features), axis=0).astype(np.int32)
        starts = [0, *accumulate(counts[:-1])]
        sums = np.add.reduceat(rows, starts, axis=0) * self._scale
        factor = SCALE / np.sqrt(np.array(counts) + OFFSET)
        hidden = np.maximum(sums * factor[:, None] + self._bias, 0)
        return hidden @ self._out + self._out_bias

    def influence(self, clause: Iterable[str]) -> dict[str, float]:
        """Return how much each feature of a clause speaks for a claim, by the slope of the odds at it."""
        import numpy as np

        names = sorted({name for name in with_unseen(clause, self._place) if name in self._place})
        rows = self._rows[[self._place[name] for name in names]] * self._scale
        factor = SCALE / math.sqrt(len(names) + OFFSET)
        hidden = rows.sum(axis=0) * factor + self._bias
        scores = np.maximum(hidden, 0) @ self._out + self._out_bias
        powers = np.exp(scores[1:] - scores[1:].max())
        slope = self._out[:, 1:] @ (powers / powers.sum()) - self._out[:, 0]
        shares = rows @ (slope * (hidden > 0)) * factor
        return dict(zip(names, cast("list[float]", shares.tolist()), strict=True))


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
