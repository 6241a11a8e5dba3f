"""Recorded calls that no run makes any more, found by replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from redpen_evals.evaluation import Evaluator
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Entry
from redpen_evals.maintenance.variants import variant_of
from redpen_evals.project import Project
from redpen_evals.scenario_library.layout import Layout

_UNPLAYED = "unplayed"


def unplayed(
    entry: Entry, layout: Layout, project: Project, *, prompts: Path | None = None
) -> Iterator[Fault]:
    """Yield how many calls of a cassette its run never makes; nothing leaves this machine.

    A run that is stale, or whose variant is gone, yields nothing: what it would ask is not known.

    Args:
        entry: the cassette.
        layout: the library of its scenario.
        project: what it belongs to.
        prompts: folder of the user's own prompts, which variants may name.
    """
    location = entry.location
    variant = variant_of(location, prompts=prompts)
    if entry.cassette is None or variant is None:
        return
    evaluator = Evaluator(layout=layout, model=location.model, root=project.root, own=project.own_agents)
    result = evaluator.evaluate(location.scenario, variant=variant, sample=location.sample)
    if _UNPLAYED in result.broken:
        yield Fault(
            path=entry.path,
            sort="unplayed",
            problem=f"its run makes {len(result.calls)} of the {len(entry.cassette.calls)} recorded calls",
            mend=location.record_command(),
        )
