"""The versions of what shapes a recording or a run."""

from __future__ import annotations

from importlib import metadata
from typing import Final

from redpen import DISTRIBUTION

_DISTRIBUTIONS: Final = {"redpen": DISTRIBUTION, "openai": "openai", "vcrpy": "vcrpy"}
"""By the names that recordings and records have for them."""


def installed_versions() -> dict[str, str]:
    """Return the installed versions by name, ``source`` for a checkout that is not installed."""
    versions = {}
    for name, distribution in _DISTRIBUTIONS.items():
        try:
            versions[name] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            versions[name] = "source"
    return versions
