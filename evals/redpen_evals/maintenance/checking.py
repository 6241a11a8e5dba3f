"""Everything that is wrong with the cassettes of a library."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redpen_evals.maintenance.ages import old_versions
from redpen_evals.maintenance.contents import accidents, secrets, unreadable
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.needless import needless
from redpen_evals.maintenance.places import out_of_place
from redpen_evals.maintenance.samples import dependent_samples
from redpen_evals.maintenance.stock import Stock
from redpen_evals.maintenance.variants import unknown_variants
from redpen_evals.project import Project
from redpen_evals.scenario_library.layout import Layout


def check_cassettes(
    stock: Stock,
    layout: Layout,
    *,
    installed: Mapping[str, str],
    live_key: str | None = None,
    prompts: Path | None = None,
    project: Project | None = None,
) -> list[Fault]:
    """Return the faults of all cassettes by path, then the notes.

    Args:
        stock: the cassettes folder.
        layout: the library that the cassettes belong to.
        installed: versions of packages by name, to tell old recordings.
        live_key: the key in use, which must be in no cassette.
        prompts: folder of the user's own prompts, which variants may name.
        project: whose cassettes are all replayed too, which takes longer, to find the calls that no run
            makes; None replays none.

    Raises:
        ConfigurationError: there is no library, or it holds no scenario.
    """
    from redpen_evals.maintenance.replaying import unplayed

    found = list(needless(stock, layout))
    left_out = {fault.path for fault in found}
    for entry in stock.entries:
        found += secrets(entry, live_key=live_key)
        if entry.path in left_out:
            continue
        found += unreadable(entry)
        found += accidents(entry)
        if project is not None:
            found += unplayed(entry, layout, project, prompts=prompts)
    misplaced = out_of_place(stock, frozenset(layout.scenario_ids()))
    found += [fault for fault in misplaced if fault.path not in left_out]
    found += dependent_samples([entry for entry in stock.entries if entry.path not in left_out])
    found += unknown_variants(stock.entries, prompts=prompts)
    found += old_versions(stock.entries, installed)
    return sorted(found, key=lambda fault: (fault.is_note, fault.path, fault.sort, fault.problem))
