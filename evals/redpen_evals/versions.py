"""The versions of the packages that shape a recording or a run."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Final

from redpen import DISTRIBUTION

_DISTRIBUTIONS: Final = {"redpen": DISTRIBUTION, "openai": "openai", "vcrpy": "vcrpy"}
"""By their names in recordings and records."""


def installed_versions() -> dict[str, str]:
    """Return the installed versions by name, ``source`` for a checkout that is not installed."""
    return {name: _version(distribution) for name, distribution in _DISTRIBUTIONS.items()}


@cache
def _version(distribution: str) -> str:
    # Each recording holds them, and each lookup parses the whole metadata of a package.
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "source"
