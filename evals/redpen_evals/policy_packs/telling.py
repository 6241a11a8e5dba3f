"""How explanations of packs are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from redpen.policy.packs import PolicyPack


def loosened(pack: PolicyPack) -> str:
    """Say what a pack loosens on purpose; empty for nothing."""
    return f" (the pack {pack.name} loosens {', '.join(pack.loosened)})" if pack.loosened else ""


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that stand below another."""
    return (f"    {line}" for line in lines)
