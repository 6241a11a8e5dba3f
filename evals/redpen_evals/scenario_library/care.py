"""What the files of a library tell of one another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from redpen.yaml_files.problem import FileError
from redpen_evals.cassettes.store import JUDGED_DRAFTS, list_locations
from redpen_evals.judges.guard_set import judged_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_case

GUARDS = "guards"
"""First part of the ids under which the calls of guards are recorded; no scenario has them."""

CassetteUse = Literal["used", "gone", "asks_no_model"]
"""Whether a scenario needs its cassettes: it does, it is gone, or its run makes no model call."""


def cassette_uses(layout: Layout, scenario_ids: Iterable[str]) -> dict[str, CassetteUse]:
    """Say of scenarios, and drafts that judges were asked about, whether they need their cassettes."""
    known, asked = set(layout.scenario_ids()), set(scenario_ids)
    of_judges = {one for one in asked - known if one.startswith(f"{JUDGED_DRAFTS}/")}
    judged = judged_drafts(layout) if of_judges else frozenset()
    uses: dict[str, CassetteUse] = {}
    for scenario_id in asked:
        if scenario_id in known:
            uses[scenario_id] = _use(layout, scenario_id)
        else:
            # Guards that ask a model are found by their module alone, so theirs are never offered.
            is_needed = scenario_id in judged or scenario_id.startswith(f"{GUARDS}/")
            uses[scenario_id] = "used" if is_needed else "gone"
    return uses


def orphaned_cassettes(layout: Layout) -> tuple[Path, ...]:
    """Return the cassettes whose scenario is gone, or asks no model any more, sorted."""
    locations = list_locations(layout.cassettes)
    uses = cassette_uses(layout, (location.scenario for location in locations))
    return tuple(location.path for location in locations if uses[location.scenario] != "used")


def _use(layout: Layout, scenario_id: str) -> CassetteUse:
    try:
        return "used" if load_case(layout, scenario_id).asks_model else "asks_no_model"
    except FileError:
        # What is broken is reported as such; its recording is not to be thrown away for that.
        return "used"
