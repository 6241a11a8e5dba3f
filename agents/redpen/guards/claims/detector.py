"""The learned detector: the probabilities that a clause makes a claim of a family, or is unrelated news.

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
from itertools import chain
from typing import TYPE_CHECKING, Literal

from redpen.guards.claims.phrases import FAMILIES, Family
from redpen.guards.data import data_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from redpen.guards.claims.features import Feature

MAGIC = b"redpen claims 4\n"
Detected = Family | Literal["scope"]
DETECTED: tuple[Detected, ...] = (*FAMILIES, "scope")
"""Classes of findings: the families of claims, and ``scope``, a known statement about another subject, a
larger group or a worse state."""
_CLASSES = len(DETECTED) + 3
"""Outputs of the network: no claim, ``DETECTED`` in order, a new fact, unrelated news."""
SCALE, OFFSET = 8.0, 20.0
"""The sum of the rows of a clause is multiplied by ``SCALE / sqrt(rows + OFFSET)``."""
SHIPPED = "claims.weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The scores of a clause.

    Attributes:
        log_odds: natural log odds that it makes a claim.
        family: the likeliest family.
        news: natural log odds that it is unrelated to the incident.
        fact: natural log odds that it makes a claim or states a new fact of the incident.
    """

    log_odds: float
    family: Detected
    news: float
    fact: float

    @property
    def probability(self) -> float:
        """How likely the clause makes a claim, 0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds))))


class Detector:
    """Weights in memory.

    Args:
        data: the bytes of a file of weights, see ``redpen.training.weights``.

    Attributes:
        bounds: by family, the lowest log odds of a concern and of a violation.
        news_bound: lowest log odds of unrelated news.
        fact_bound: highest log odds of a new fact, less a share of those of unrelated news, of a clause that
            states none.

    Raises:
        ValueError: the bytes are not weights, or are truncated.
    """

    def __init__(self, data: bytes) -> None:
        import numpy as np

        if not data.startswith(MAGIC):
            raise ValueError("these are no weights of claims: train them with `python -m redpen.training`")
        head = data.find(b"\n", len(MAGIC))
        header, body = json.loads(data[len(MAGIC) : head]), memoryview(data)[head + 1 :]
        hidden, count, length = header["hidden"], header["features"], header["names"]
        # By the words of a feature, joined: reading a tuple of each name would take three times as long.
        names = str(body[:length], "utf-8", "replace").replace(":", " ").split("\n")
        size = length + count * hidden + 4 * (2 * hidden + (hidden + 1) * _CLASSES)
        if len(names) != count or len(body) != size:
            raise ValueError("these weights are not whole: train them with `python -m redpen.training`")
        self._places = {name: place for place, name in enumerate(names)}
        self._rows = np.frombuffer(body, np.int8, count * hidden, length).reshape(count, hidden)
        numbers = np.frombuffer(body, "<f4", offset=length + count * hidden)
        self._scale, self._bias = numbers[:hidden], numbers[hidden : 2 * hidden]
        self._out = numbers[2 * hidden : (2 + _CLASSES) * hidden].reshape(hidden, _CLASSES)
        self._out_bias = numbers[(2 + _CLASSES) * hidden :]
        self.bounds: dict[Detected, tuple[float, float]] = dict.fromkeys(FAMILIES, tuple(header["bounds"]))
        self.bounds["scope"] = tuple(header["scope_bounds"])
        self.news_bound: float = header["news_bound"]
        self.fact_bound: float = header["fact_bound"]

    def weigh(self, clauses: Sequence[Iterable[Feature]]) -> list[Weighed]:
        """Return the scores of clauses.

        Args:
            clauses: the features of each clause.
        """
        if not clauses:
            return []
        import numpy as np

        place_of = self._places.get
        # An unknown feature counts as feature 0, the bias, which every clause has.
        found = [{place_of(" ".join(feature), 0) for feature in clause} for clause in clauses]
        counts = np.array(list(map(len, found)))
        # Sums of small integers are exact in any order.
        rows = self._rows.take(list(chain.from_iterable(found)), axis=0).astype(np.float32)
        sums = np.add.reduceat(rows, counts.cumsum() - counts, axis=0).astype(float) * self._scale
        factor = SCALE / np.sqrt(counts + OFFSET)
        hidden = np.maximum(sums * factor[:, None] + self._bias, 0)
        scores = hidden @ self._out + self._out_bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        claims, facts, news = powers[:, 1:-2].sum(axis=1), powers[:, -2], powers[:, -1]
        parts, total = (claims, news, claims + facts), powers.sum(axis=1)
        odds = np.log([part / (total - part) for part in parts]).T.tolist()
        likeliest = scores[:, 1:-2].argmax(axis=1).tolist()
        return [
            Weighed(log_odds=claim, family=DETECTED[family], news=unrelated, fact=fact)
            for (claim, unrelated, fact), family in zip(odds, likeliest, strict=True)
        ]

    def influence(self, clause: Iterable[Feature]) -> dict[Feature, float]:
        """Return the contribution of each feature to the log odds of a claim (gradient times input)."""
        import numpy as np

        places = {feature: self._places.get(" ".join(feature)) for feature in clause}
        named = {feature: place for feature, place in places.items() if place is not None}
        rows = self._rows[list(named.values())] * self._scale
        factor = SCALE / math.sqrt(len(named) + OFFSET)
        hidden = rows.sum(axis=0) * factor + self._bias
        scores = np.maximum(hidden, 0) @ self._out + self._out_bias
        powers = np.exp(scores - scores.max())
        claims, others = powers.copy(), powers.copy()
        claims[[0, -2, -1]], others[1:-2] = 0, 0
        slope = self._out @ (claims / claims.sum() - others / others.sum())
        shares = rows @ (slope * (hidden > 0)) * factor
        return dict(zip(named, shares.tolist(), strict=True))


@lru_cache(maxsize=1)
def shipped_detector() -> Detector:
    """Return the detector with the weights that the package ships."""
    return read_detector(data_path(SHIPPED))


def read_detector(path: Path) -> Detector:
    """Return the detector with the weights of a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is not weights, or is truncated.
    """
    return Detector(path.read_bytes())
