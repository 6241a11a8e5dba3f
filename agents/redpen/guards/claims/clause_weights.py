"""What each feature of a clause weighs, as fitted on labelled edits; see ``clause_features``.

``clause_weights.txt`` says how much a feature speaks for a restricted claim (above nought) or against one,
and ``family_weights.txt`` how much it speaks for a family where a claim is made. Both hold hundredths of a
natural logarithm of odds, are written by ``python -m redpen_evals.training`` and read when first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import get_args

from redpen.guards.claims.phrases import Family


@lru_cache(maxsize=1)
def clause_weights() -> Mapping[str, int]:
    """Return what each feature weighs for a claim, in hundredths; one that is not in it weighs nothing."""
    return MappingProxyType({feature: int(weight) for weight, feature in _rows("clause_weights.txt")})


@lru_cache(maxsize=1)
def family_weights() -> Mapping[str, Mapping[Family, int]]:
    """Return what each feature weighs for each family, in hundredths, where a claim is made."""
    families: tuple[Family, ...] = get_args(Family)
    found = {}
    for weights, feature in _rows("family_weights.txt"):
        named = dict(pair.split("=") for pair in weights.split(","))
        found[feature] = {family: int(named[family]) for family in families if family in named}
    return MappingProxyType(found)


def _rows(name: str) -> list[tuple[str, str]]:
    from importlib.resources import files

    text = (files("redpen.guards.claims") / name).read_text("utf-8")
    rows = (line.partition(" ") for line in text.splitlines() if not line.startswith("#"))
    return [(weight, feature) for weight, _, feature in rows]
