"""The campaigns that make the reliability table, in two sizes."""

from __future__ import annotations

import importlib
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fault_campaigns.tally import Tally

Size = Literal["quick", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """One campaign.

    Attributes:
        name: its name on the command line.
        place: ``module:function`` in this package.
        quick: arguments of a run that takes seconds.
        full: arguments of a run that takes minutes.
    """

    name: str
    place: str
    quick: Mapping[str, Any]
    full: Mapping[str, Any]

    def run(self, root: Path, size: Size) -> Tally:
        """Run it in an empty folder."""
        module, _, function = self.place.partition(":")
        work: Callable[..., Tally] = getattr(importlib.import_module(f"fault_campaigns.{module}"), function)
        return work(root, **(self.quick if size == "quick" else self.full))


_EIGHT_WORKERS = {"workers": 8, "repeats": 25}
_ROWS: tuple[tuple[str, str, Mapping[str, Any], Mapping[str, Any]], ...] = (
    ("kills", "recordings:killed_recordings", {"kills": 20}, {"kills": 300}),
    ("disks", "recordings:refused_writes", {"tries": 10}, {"tries": 100}),
    ("recorders", "recordings:two_recorders", {"rounds": 3}, {"rounds": 50}),
    ("canaries", "canaries:canaries", {}, {}),
    ("threads", "concurrency:threads", {"workers": 8, "repeats": 1}, {"workers": 8, "repeats": 50}),
    ("tasks", "concurrency:tasks", {"callers": 4, "repeats": 1}, {"callers": 8, "repeats": 50}),
    ("sharing", "concurrency:shared_cassettes", {"workers": 4, "repeats": 2}, {"workers": 8, "repeats": 50}),
    (
        "guards",
        "guarded_threads:guarded_threads",
        {"workers": 8, "repeats": 10},
        {"workers": 8, "repeats": 500},
    ),
    ("clients", "mixed_clients:threads", {"workers": 8, "repeats": 2}, _EIGHT_WORKERS),
    ("client-tasks", "mixed_clients:tasks", {"workers": 8, "repeats": 2}, _EIGHT_WORKERS),
    (
        "workers",
        "concurrency:xdist_workers",
        {"counts": (2,), "repeats": 2},
        {"counts": (2, 4, 8), "repeats": 50},
    ),
    ("reviews", "reviews:killed_reviews", {"kills": 20}, {"kills": 400}),
    ("reviews-without-keys", "reviews:killed_without_keys", {"kills": 8}, {"kills": 100}),
    ("resumed", "reviews:resumed_runs", {"runs": 48}, {"runs": 1_000}),
    ("surroundings", "determinism:determinism", {}, {}),
    ("files", "hostile_files:hostile_files", {}, {}),
    ("names", "hostile_names:hostile_names", {}, {}),
    ("libraries", "spoilt_library:spoilt_library", {"every": 6}, {}),
)
CAMPAIGNS = tuple(
    Campaign(name=name, place=place, quick=quick, full=full) for name, place, quick, full in _ROWS
)


def run_campaigns(names: tuple[str, ...], size: Size) -> Iterator[tuple[Campaign, Tally, float]]:
    """Run campaigns one after the other, each in a folder of its own that is removed afterwards.

    Args:
        names: of the campaigns; empty for all.
        size: how thoroughly.

    Yields:
        The campaign, its tally and its seconds.
    """
    for campaign in CAMPAIGNS:
        if names and campaign.name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="redpen-") as folder:
            started = time.monotonic()
            tally = campaign.run(Path(folder), size)
            yield campaign, tally, time.monotonic() - started


def table_row(tally: Tally) -> str:
    """Return a tally as a row of a Markdown table."""
    return f"| {tally.fault} | {tally.claim} | {tally.tried:,} | {tally.survived:,} |"
