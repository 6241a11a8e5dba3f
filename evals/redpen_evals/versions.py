"""The versions of what shapes a recording or a run."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Final

from redpen import DISTRIBUTION

_DISTRIBUTIONS: Final = {"redpen": DISTRIBUTION, "openai": "openai", "vcrpy": "vcrpy"}
"""By the names that recordings and records have for them."""


def installed_versions() -> dict[str, str]:
    """Return the installed versions by name, ``source`` for a checkout that is not installed."""
    return {name: _version(distribution) for name, distribution in _DISTRIBUTIONS.items()}


@cache
def _version(distribution: str) -> str:
    # Each recording says them, and to look one up is to parse all that its package says of itself.
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "source"
