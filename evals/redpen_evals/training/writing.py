"""Weights as the two files that the guards read."""

from __future__ import annotations

from redpen_evals.training.fitting import Weights

_HEAD = "# Hundredths of a logarithm of odds; written by `python -m redpen_evals.training`.\n"


def weight_files(weights: Weights) -> dict[str, str]:
    """Return ``clause_weights.txt`` and ``family_weights.txt``, each with what it holds."""
    claim = [f"{weight} {feature}" for feature, weight in weights.claim.items()]
    families = [
        f"{','.join(f'{family}={weight}' for family, weight in row.items())} {feature}"
        for feature, row in weights.families.items()
    ]
    return {
        name: _HEAD + "".join(f"{row}\n" for row in rows)
        for name, rows in (("clause_weights.txt", claim), ("family_weights.txt", families))
    }
