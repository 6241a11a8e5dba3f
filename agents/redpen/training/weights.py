"""Serialises a network to the weights file that ``redpen.guards.claims.detector`` reads.

The file consists of a line that identifies the format, a line of JSON (sizes and bounds), the names of the
features (one per line), their rows as 8-bit integers, and all other numbers as 32-bit floats.
"""

from __future__ import annotations

import json

import numpy as np

from redpen.guards.claims.detector import MAGIC
from redpen.training.fitting import Fitted, Recipe

MOST_FEATURES = 110_000
_CLIPPED = 0.9995
"""Share of the values of a column within the range of its 8-bit scale; larger values are clipped."""


def weights_of(fitted: Fitted, recipe: Recipe) -> bytes:
    """Return a network as bytes.

    Args:
        fitted: the network.
        recipe: the parameters that it was fitted with; its bounds are stored too.
    """
    network, rows = fitted.network, fitted.network.rows
    strength = np.abs(rows).max(axis=1)
    strength[0] = np.inf
    # Ties are broken by index, so that every machine keeps the same rows.
    kept = np.sort(np.lexsort((np.arange(len(strength)), -strength))[:MOST_FEATURES])
    rows = rows[kept]
    ordered = np.sort(np.abs(rows), axis=0)
    scale = (ordered[int(_CLIPPED * (len(rows) - 1))] / np.float32(127) + np.float32(1e-9)).astype(np.float32)
    small = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
    numbers = [scale, network.bias, network.out.ravel(), network.out_bias]
    names = "\n".join(fitted.names[at] for at in kept.tolist()).encode()
    header = {
        "bounds": recipe.bounds,
        "scope_bounds": recipe.scope_bounds,
        "fact_bound": recipe.fact_bound,
        "features": len(kept),
        "hidden": rows.shape[1],
        "names": len(names),
        "news_bound": recipe.news_bound,
    }
    parts: list[bytes] = [np.asarray(item, np.float32).astype("<f4").tobytes() for item in numbers]
    body = b"".join(parts)
    stored: bytes = small.tobytes()
    return MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n" + names + stored + body
