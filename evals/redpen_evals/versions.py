"""The versions of what shapes a recording or a run."""

from __future__ import annotations

from importlib import metadata
from typing import Final

_VERSIONED: Final = ("redpen", "openai", "vcrpy")


def installed_versions() -> dict[str, str]:
    """Return the installed versions by name of the package; ``source`` for a checkout not installed."""
    versions = {}
    for name in _VERSIONED:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "source"
    return versions
