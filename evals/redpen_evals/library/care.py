"""What the files of a library tell of one another."""

from __future__ import annotations

from pathlib import Path

from redpen_evals.cassettes.store import list_locations
from redpen_evals.library.errors import LibraryError
from redpen_evals.library.layout import Layout
from redpen_evals.library.loading import load_case


def orphaned_cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the cassettes whose scenario is gone, or asks no model any more, sorted."""
    known = {scenario_id for scenario_id in layout.scenario_ids() if _may_have_cassette(layout, scenario_id)}
    return tuple(
        location.path for location in list_locations(layout.cassettes) if location.scenario not in known
    )


def _may_have_cassette(layout: Layout, scenario_id: str) -> bool:
    try:
        return load_case(layout, scenario_id).asks_model
    except LibraryError:
        # What is broken is reported as such; its recording is not to be thrown away for that.
        return True
