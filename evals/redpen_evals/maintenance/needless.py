"""Cassettes that nobody needs: no scenario, no model call, nothing of their own."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen_evals.cassettes.prompts import named_prompts
from redpen_evals.maintenance.faults import PRUNE, Fault
from redpen_evals.maintenance.stock import Entry, Stock
from redpen_evals.scenario_library.care import CassetteUse, cassette_uses
from redpen_evals.scenario_library.layout import Layout


def needless(stock: Stock, layout: Layout) -> Iterator[Fault]:
    """Yield what can be removed without loss, by path.

    Args:
        stock: the cassettes folder.
        layout: the library that the cassettes belong to.

    Raises:
        ConfigurationError: the library holds no scenario, so that it is hardly the right one.
    """
    if stock.entries and not layout.scenario_ids():
        raise ConfigurationError(
            f"{layout.scenarios}: holds no scenario, so every cassette would be orphaned; "
            "name the library with `redpen --scenarios DIR`"
        )
    uses = cassette_uses(layout, [scenario for entry in stock.entries for scenario in _scenarios(entry)])
    removed: set[Path] = set()
    for fault in _needless_cassettes(stock, uses):
        removed.add(fault.path)
        yield fault
    yield from _unnamed_prompts(stock, removed)
    for path in stock.temporary:
        yield Fault(
            path=path,
            sort="leftover",
            problem="a recording was killed while it wrote this file, or is at it now",
            mend=PRUNE,
        )


def _needless_cassettes(stock: Stock, uses: Mapping[str, CassetteUse]) -> Iterator[Fault]:
    by_location = {entry.location: entry for entry in stock.entries}
    for entry in stock.entries:
        if any(uses[scenario] == "used" for scenario in _scenarios(entry)):
            if _repeats_base(entry, by_location.get(replace(entry.location, variant=""))):
                yield Fault(
                    path=entry.path,
                    sort="redundant",
                    problem="holds the very calls of its base, which is played in its place",
                    mend=PRUNE,
                )
        elif uses[entry.location.scenario] == "gone":
            yield Fault(path=entry.path, sort="orphaned", problem="its scenario is gone", mend=PRUNE)
        else:
            yield Fault(path=entry.path, sort="unused", problem="its scenario asks no model", mend=PRUNE)


def _unnamed_prompts(stock: Stock, removed: Container[Path]) -> Iterator[Fault]:
    named = {
        (entry.location.folder, name)
        for entry in stock.entries
        if entry.path not in removed
        for name in named_prompts(entry.path)
    }
    # What a damaged cassette names is not known.
    damaged = {entry.location.folder for entry in stock.entries if entry.error and not entry.content}
    for path in stock.prompts:
        if path.parent.parent not in damaged and (path.parent.parent, path.stem) not in named:
            yield Fault(path=path, sort="unused", problem="no cassette names this prompt", mend=PRUNE)


def _scenarios(entry: Entry) -> tuple[str, ...]:
    # A file that was moved by hand is of the scenario that it names, too.
    named = [entry.content.scenario] if entry.content else []
    return (entry.location.scenario, *named)


def _repeats_base(entry: Entry, base: Entry | None) -> bool:
    if not entry.location.variant or entry.cassette is None or base is None or base.cassette is None:
        return False
    return entry.cassette.calls == base.cassette.calls
