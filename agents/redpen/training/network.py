"""An embedding bag with one hidden layer, trained by Adagrad; bitwise reproducible on every machine.

Only sums in a fixed order, products, quotients and square roots are used: no linear-algebra library, whose
order of summation depends on the processor, and no logarithms or exponentials of the platform.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redpen.guards.claims.detector import OFFSET, SCALE

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_BATCH = 128
_LN2 = 0.6931471805599453
_TERMS = tuple(1.0 / float(np.prod(range(1, n + 1), dtype=np.float64)) for n in range(13, -1, -1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Clauses as rows of features.

    Attributes:
        features: feature indices of all rows, concatenated.
        starts: start index of each row, then the end of the last one; no row is empty.
    """

    features: Ints
    starts: Ints

    def take(self, rows: Ints) -> Rows:
        """Return the rows with the given indices."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)
        return Rows(features=self.features[places], starts=starts)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.starts) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Training parameters of a network."""

    hidden: int = 64
    rate: float = 0.08
    drop: float = 0.5
    drop_hidden: float = 0.2
    decay: float = 1e-6
    epochs: int = 5


def exp(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return e to the power of x, computed with sums and products only."""
    x = np.maximum(x, -700.0)
    turns = np.rint(x / _LN2)
    rest = x - turns * _LN2
    total = np.zeros_like(rest)
    for term in _TERMS:
        total = total * rest + term
    powers: NDArray[np.float64] = np.ldexp(total, turns.astype(np.int32))
    return powers


def product(left: Floats, right: Floats) -> Floats:
    """Return the matrix product; each sum is taken in column order."""
    terms = np.ascontiguousarray(left.T)[:, :, None] * right[:, None, :]
    total: Floats = terms.sum(0)
    return total


class Network:
    """A classifier of clauses.

    Args:
        features: number of features; feature 0 is the bias, which every row has.
        outputs: number of classes; the first is "no claim", the last "unrelated news".
        settings: training parameters.
    """

    def __init__(self, features: int, outputs: int, settings: Settings) -> None:
        random = np.random.RandomState(0)
        hidden = settings.hidden
        self._random, self._settings = random, settings
        self.rows = ((random.random_sample((features, hidden)) - 0.5) * 0.18).astype(np.float32)
        self.bias = np.zeros(hidden, np.float32)
        self.out = ((random.random_sample((hidden, outputs)) - 0.5) * 1.0).astype(np.float32)
        self.out_bias = np.zeros(outputs, np.float32)
        self.out_bias[0] = 1.5
        self._grown = [np.full_like(item, 1e-4) for item in (self.rows, self.bias, self.out, self.out_bias)]

    def logits(self, rows: Rows) -> Floats:
        """Return the class scores of each row."""
        found = [self._logits(rows.take(part)) for part in _batches(np.arange(len(rows)))]
        return np.concatenate(found) if found else np.zeros((0, len(self.out_bias)), np.float32)

    def _logits(self, rows: Rows) -> Floats:
        counts = np.diff(rows.starts)
        sums = np.add.reduceat(self.rows.take(rows.features, axis=0), rows.starts[:-1], axis=0)
        factor = (SCALE / np.sqrt(counts + OFFSET)).astype(np.float32)
        hidden = np.maximum(sums * factor[:, None] + self.bias, 0)
        return product(hidden, self.out) + self.out_bias

    def train_epoch(self, rows: Rows, used: Ints, labels: Ints, weights: Floats) -> None:
        """Train once on each of the rows with the indices ``used``."""
        for part in _batches(used[self._random.permutation(len(used))]):
            self._step(rows.take(part), labels[part], weights[part] / np.float32(len(part)))

    def _step(self, rows: Rows, labels: Ints, weights: Floats) -> None:
        settings = self._settings
        counts = np.diff(rows.starts)
        factor = (SCALE / np.sqrt(counts * (1 - settings.drop) + OFFSET)).astype(np.float32)
        owners = np.repeat(np.arange(len(rows)), counts)
        is_kept = (self._random.random_sample(len(rows.features)) > settings.drop) | (rows.features == 0)
        kept = np.flatnonzero(is_kept)
        features, owners = rows.features[kept], owners[kept]
        starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=len(rows)))[:-1]])
        sums = np.add.reduceat(self.rows.take(features, axis=0), starts, axis=0) * factor[:, None] + self.bias
        alive = (sums > 0) * (self._random.random_sample(sums.shape) > settings.drop_hidden)
        mask = (alive / (1 - settings.drop_hidden)).astype(np.float32)
        hidden = sums * mask
        scores = (product(hidden, self.out) + self.out_bias).astype(np.float64)
        powers = exp(scores - scores.max(1, keepdims=True))
        errors = (powers / powers.sum(1, keepdims=True)).astype(np.float32)
        errors[np.arange(len(labels)), labels] -= 1
        errors *= weights[:, None]
        back = product(errors, np.ascontiguousarray(self.out.T)) * mask
        # By feature, then by row. No row has a feature twice, so any sort gives the same order.
        by_feature, by_row = np.divmod(np.sort(features * len(rows) + owners), len(rows))
        firsts = np.flatnonzero(np.concatenate([[True], by_feature[1:] != by_feature[:-1]]))
        columns = by_feature[firsts]
        gradient = _grouped_sums(back * factor[:, None], by_row, firsts)
        values = self.rows.take(columns, axis=0)
        gradient += settings.decay * values
        grown, grown_bias, grown_out, grown_out_bias = self._grown
        squares = grown.take(columns, axis=0) + gradient * gradient
        grown[columns] = squares
        self.rows[columns] = values - settings.rate * gradient / np.sqrt(squares)
        small = settings.rate * 0.3
        for values, squares, slope in (
            (self.out, grown_out, (hidden[:, :, None] * errors[:, None, :]).sum(0)),
            (self.out_bias, grown_out_bias, errors.sum(0)),
            (self.bias, grown_bias, back.sum(0)),
        ):
            np.add(squares, slope * slope, out=squares)
            np.subtract(values, small * slope / np.sqrt(squares), out=values)


def _grouped_sums(values: Floats, rows: Ints, firsts: Ints) -> Floats:
    """Return the sums of some rows of ``values`` in groups, of which ``firsts`` has the start indices."""
    sums: Floats = values.take(rows[firsts], axis=0)
    # Most features occur once in a batch, and a sum of one row takes as long as that of several.
    lengths = np.diff(firsts, append=len(rows))
    several = np.flatnonzero(lengths > 1)
    starts = np.cumsum(lengths[several]) - lengths[several]
    summands = values.take(rows[np.repeat(lengths > 1, lengths)], axis=0)
    sums[several] = np.add.reduceat(summands, starts, axis=0)
    return sums


def odds(scores: Floats) -> NDArray[np.float64]:
    """Return the odds that a row makes any claim, i.e. is in neither the first nor the last class."""
    powers = exp((scores - scores.max(1, keepdims=True)).astype(np.float64))
    claims = powers[:, 1:-1]
    total = claims[:, 0].copy()
    for at in range(1, claims.shape[1]):
        total += claims[:, at]
    return total / (powers[:, 0] + powers[:, -1])


def _batches(rows: Ints) -> list[Ints]:
    return [rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH)]
