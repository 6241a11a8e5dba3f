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
        name: what it is asked for by.
        place: ``module:function`` in this package.
        quick: the arguments of a run of seconds.
        full: those of a run of minutes.
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


CAMPAIGNS = (
    Campaign(name="kills", place="recordings:killed_recordings", quick={"kills": 20}, full={"kills": 300}),
    Campaign(name="disks", place="recordings:refused_writes", quick={"tries": 10}, full={"tries": 100}),
    Campaign(name="recorders", place="recordings:two_recorders", quick={"rounds": 3}, full={"rounds": 50}),
    Campaign(name="canaries", place="canaries:canaries", quick={}, full={}),
    Campaign(
        name="threads",
        place="concurrency:threads",
        quick={"workers": 8, "repeats": 1},
        full={"workers": 8, "repeats": 50},
    ),
    Campaign(
        name="tasks",
        place="concurrency:tasks",
        quick={"callers": 4, "repeats": 1},
        full={"callers": 8, "repeats": 50},
    ),
    Campaign(
        name="sharing",
        place="concurrency:shared_cassettes",
        quick={"workers": 4, "repeats": 2},
        full={"workers": 8, "repeats": 50},
    ),
    Campaign(
        name="guards",
        place="guarded_threads:guarded_threads",
        quick={"workers": 8, "repeats": 10},
        full={"workers": 8, "repeats": 500},
    ),
    Campaign(
        name="clients",
        place="mixed_clients:threads",
        quick={"workers": 8, "repeats": 2},
        full={"workers": 8, "repeats": 25},
    ),
    Campaign(
        name="client-tasks",
        place="mixed_clients:tasks",
        quick={"workers": 8, "repeats": 2},
        full={"workers": 8, "repeats": 25},
    ),
    Campaign(
        name="workers",
        place="concurrency:xdist_workers",
        quick={"counts": (2,), "repeats": 2},
        full={"counts": (2, 4, 8), "repeats": 50},
    ),
    Campaign(name="reviews", place="reviews:killed_reviews", quick={"kills": 20}, full={"kills": 400}),
    Campaign(
        name="reviews-without-keys",
        place="reviews:killed_without_keys",
        quick={"kills": 8},
        full={"kills": 100},
    ),
    Campaign(name="resumed", place="reviews:resumed_runs", quick={"runs": 48}, full={"runs": 1_000}),
    Campaign(name="surroundings", place="determinism:determinism", quick={}, full={}),
    Campaign(name="files", place="hostile_files:hostile_files", quick={}, full={}),
    Campaign(name="names", place="hostile_names:hostile_names", quick={}, full={}),
    Campaign(name="libraries", place="spoilt_library:spoilt_library", quick={"every": 6}, full={}),
)


def run_campaigns(names: tuple[str, ...], size: Size) -> Iterator[tuple[Campaign, Tally, float]]:
    """Run campaigns one after the other, each in a folder of its own that is removed afterwards.

    Args:
        names: which; empty for all.
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
