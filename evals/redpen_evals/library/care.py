"""What the files of a library tell of one another."""

from __future__ import annotations

from pathlib import Path

from redpen_evals.cassettes.store import list_locations
from redpen_evals.library.layout import Layout


def orphaned_cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the cassettes whose scenario is gone, sorted."""
    known = set(layout.scenario_ids())
    return tuple(
        location.path for location in list_locations(layout.cassettes) if location.scenario not in known
    )
