"""How explanations of packs are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from redpen.policy.packs import BUILT_IN, PolicyPack


def loosened(pack: PolicyPack) -> str:
    """Say what a pack loosens on purpose; empty for nothing."""
    return f" (the pack {pack.name} loosens {', '.join(pack.loosened)})" if pack.loosened else ""


def decided_by(pack: PolicyPack, place: str) -> str:
    """Say what decides: ``place`` is the line of a file, or that it is built in."""
    return f"  decided by {'what is built in' if place == BUILT_IN else place}{loosened(pack)}"


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that stand below another."""
    return (f"    {line}" for line in lines)
