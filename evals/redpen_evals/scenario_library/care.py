"""What the files of a library tell of one another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from redpen_evals.cassettes.store import list_locations
from redpen_evals.errors import LibraryError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_case

GUARDS = "guards"
"""First part of the ids under which the calls of guards are recorded; no scenario has them."""

CassetteUse = Literal["used", "gone", "asks_no_model"]
"""Whether a scenario needs its cassettes: it does, it is gone, or its run makes no model call."""


def cassette_uses(layout: Layout, scenario_ids: Iterable[str]) -> dict[str, CassetteUse]:
    """Say of scenarios, which may be gone, whether they need their cassettes."""
    known = set(layout.scenario_ids())
    return {
        scenario_id: _use(layout, scenario_id)
        if scenario_id in known
        else "used"
        if scenario_id.startswith(f"{GUARDS}/")
        else "gone"
        for scenario_id in set(scenario_ids)
    }


def orphaned_cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the cassettes whose scenario is gone, or asks no model any more, sorted."""
    locations = list_locations(layout.cassettes)
    uses = cassette_uses(layout, (location.scenario for location in locations))
    return tuple(location.path for location in locations if uses[location.scenario] != "used")


def _use(layout: Layout, scenario_id: str) -> CassetteUse:
    try:
        return "used" if load_case(layout, scenario_id).asks_model else "asks_no_model"
    except LibraryError:
        # What is broken is reported as such; its recording is not to be thrown away for that.
        return "used"
