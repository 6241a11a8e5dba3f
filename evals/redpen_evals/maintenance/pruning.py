"""Remove cassettes that no scenario needs: orphaned, unused, redundant and temporary files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen.screen import counted
from redpen_evals.atomic_write import is_temporary, remove_leftovers
from redpen_evals.cassettes.prompts import named_prompts
from redpen_evals.maintenance.inventory import PRUNE, Entry, Fault, Inventory, Sort, read_inventory
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.prices import Prices, format_usd
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.listing import GUARDS, CassetteUse, cassette_uses


def removable(inventory: Inventory, layout: Layout, *, live: bool = True) -> Iterator[Fault]:
    """Yield what can be removed without loss, by path, and a note on recordings of unknown tests.

    Unless `live`, recordings of live models are kept, and their prompts too.

    Raises:
        ConfigurationError: no scenario and no test needs a cassette, so this is probably another library.
    """
    uses = cassette_uses(layout, [scenario for entry in inventory.entries for scenario in _scenarios(entry)])
    _check_library(inventory, layout, uses)
    removed: set[Path] = set()
    of_live = {entry.path for entry in inventory.entries if entry.location.kind == "live"}
    for fault in _removable_cassettes(inventory, layout, uses):
        if not fault.is_note and (live or fault.path not in of_live):
            removed.add(fault.path)
        yield fault
    yield from _unused_prompts(inventory, removed)
    for path in inventory.temporary:
        problem = "a temporary file of a recording that was killed or is still running"
        yield Fault(path, "leftover", problem, PRUNE)


def _check_library(inventory: Inventory, layout: Layout, uses: Mapping[str, CassetteUse]) -> None:
    """Raise ConfigurationError if the library has no scenario and no test needs a cassette."""
    entries = [item for item in inventory.entries if not item.location.scenario.startswith(f"{GUARDS}/")]
    is_tested = any(uses[entry.location.scenario] in {"used", "unknown_test"} for entry in entries)
    if entries and not is_tested and not layout.scenario_ids():
        raise ConfigurationError(
            f"{layout.scenarios}: has no scenario, so every cassette would be orphaned; "
            "set the library with `redpen --scenarios DIR`"
        )


def _removable_cassettes(
    inventory: Inventory, layout: Layout, uses: Mapping[str, CassetteUse]
) -> Iterator[Fault]:
    by_location = {entry.location: entry for entry in inventory.entries}
    folders = layout.folders() if inventory.entries and layout.known_ids() else ()
    for entry in inventory.entries:
        found = {uses[scenario] for scenario in _scenarios(entry)}
        if "used" in found:
            if _repeats_base(entry, by_location.get(replace(entry.location, variant=""))):
                yield _removal(
                    entry, "redundant", "has the same calls as its base, which a replay uses instead"
                )
        elif doubt := _doubt(entry, found, layout, folders):
            mend = f"it is kept; if no test uses it: rm {shlex.quote(str(entry.path))}"
            yield entry.fault("unknown_test", doubt, mend)
        elif uses[entry.location.scenario] == "gone":
            problem = _no_test(layout) if _may_be_test(entry, folders) else "its scenario is gone"
            yield _removal(entry, "orphaned", problem)
        else:
            yield _removal(entry, "unused", "its scenario calls no model")


def _removal(entry: Entry, sort: Sort, problem: str) -> Fault:
    mend = f"{PRUNE} --live" if entry.location.kind == "live" else PRUNE
    return entry.fault(sort, problem, mend)


def _doubt(entry: Entry, found: Container[CassetteUse], layout: Layout, folders: Sequence[str]) -> str:
    """Return why a cassette may be needed although no scenario and no test is known that uses it."""
    if "unknown_test" in found:
        return "its test file has no test of this name, which may be inherited"
    if "gone" not in found:
        return ""
    if entry.location.kind == "live" and _may_be_test(entry, folders):
        # Live recordings cost money, and tests may have another root.
        return _no_test(layout)
    if not folders and not _is_named_as_test(entry):
        return f"the library has no scenario at all, so {layout.scenarios} may be the wrong one"
    return ""


def _no_test(layout: Layout) -> str:
    return f"no scenario and no test file of it is below {layout.root or layout.scenarios.parent}"


def _may_be_test(entry: Entry, folders: Sequence[str]) -> bool:
    folder, slash, _ = entry.location.scenario.partition("/")
    return bool(slash) and (folder not in folders or _is_named_as_test(entry))


def _is_named_as_test(entry: Entry) -> bool:
    return entry.location.scenario.rpartition("/")[2].startswith("test")


def _unused_prompts(inventory: Inventory, removed: Container[Path]) -> Iterator[Fault]:
    named = {
        (entry.location.folder, name)
        for entry in inventory.entries
        if entry.path not in removed
        for name in named_prompts(entry.path)
    }
    # A damaged cassette may refer to any prompt.
    damaged = {entry.location.folder for entry in inventory.entries if entry.error and not entry.content}
    for path in inventory.prompts:
        if path.parent.parent not in damaged and (path.parent.parent, path.stem) not in named:
            yield Fault(path, "unused", "no cassette refers to this prompt", PRUNE)


def _scenarios(entry: Entry) -> tuple[str, ...]:
    # A file that was moved by hand also belongs to the scenario in its content.
    named = [entry.content.scenario] if entry.content else []
    return (entry.location.scenario, *named)


def _repeats_base(entry: Entry, base: Entry | None) -> bool:
    if not entry.location.variant or entry.cassette is None or base is None or base.cassette is None:
        return False
    return entry.cassette.calls == base.cassette.calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The files to remove from a cassettes folder.

    Attributes:
        faults: one fault per file.
        folders: folders that are empty afterwards, the innermost first.
        size_bytes: total size of the files.
        live: the recordings of live models among them, which cost money to record again.
        spared: unneeded recordings of live models that are kept.
    """

    root: Path
    faults: tuple[Fault, ...]
    folders: tuple[Path, ...]
    size_bytes: int
    live: tuple[Entry, ...]
    spared: tuple[Entry, ...]


def plan_removal(layout: Layout, *, live: bool = False) -> Removal:
    """Return the removable cassettes of a library, those of live models only if they may be removed too.

    Raises:
        ConfigurationError: no scenario and no test needs a cassette.
    """
    inventory = read_inventory(layout.cassettes)
    all_faults = tuple(fault for fault in removable(inventory, layout, live=live) if not fault.is_note)
    named = {fault.path for fault in all_faults}
    of_live = tuple(
        entry for entry in inventory.entries if entry.path in named and entry.location.kind == "live"
    )
    spared = () if live else of_live
    kept = {entry.path for entry in spared}
    faults = tuple(fault for fault in all_faults if fault.path not in kept)
    gone = {fault.path for fault in faults}
    return Removal(
        root=inventory.root,
        faults=faults,
        folders=_emptied(inventory, gone),
        size_bytes=sum(_size(path) for path in gone),
        live=of_live if live else (),
        spared=spared,
    )


def carry_out(removal: Removal) -> Iterator[tuple[Path, str]]:
    """Remove files and folders, and yield each path with an error, empty if it was removed."""
    root = removal.root.resolve()
    for path in (*(fault.path for fault in removal.faults), *removal.folders):
        # A link may have replaced the file since it was listed.
        if path.is_symlink() or not path.parent.resolve().is_relative_to(root):
            yield path, "leads out of the cassettes folder"
            continue
        try:
            yield path, _remove(path)
        except OSError as error:
            yield path, error.strerror or type(error).__name__


def _remove(path: Path) -> str:
    if path.is_dir():
        path.rmdir()
    elif is_temporary(path):
        remove_leftovers(path.parent)
        return "is being written" if path.exists() else ""
    else:
        path.unlink()
    return ""


def _emptied(inventory: Inventory, gone: Iterable[Path]) -> tuple[Path, ...]:
    absent = set(gone)
    emptied = []
    for folder in reversed(inventory.folders):
        with os.scandir(folder) as entries:
            if all(folder / entry.name in absent for entry in entries):
                absent.add(folder)
                emptied.append(folder)
    return tuple(emptied)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def recording_cost(entries: Iterable[Entry], prices: Prices) -> str:
    """Return the cost of recording live cassettes again, estimated from their token counts.

    Such as ``3 calls, 1,200 prompt and 80 completion tokens, $0.42``, with a note on unknown prices.
    """
    calls, unread = 0, 0
    tokens: dict[str, tuple[int, int]] = {}
    for entry in entries:
        cassette = entry.cassette
        if cassette is None:
            unread += 1
            continue
        calls += len(cassette.calls)
        for call in cassette.calls:
            prompt, completion = tokens_of(call)
            before = tokens.get(cassette.model, (0, 0))
            tokens[cassette.model] = (before[0] + (prompt or 0), before[1] + (completion or 0))
    cost, unpriced = prices.total_usd(tokens)
    prompts, completions = (sum(counts[at] for counts in tokens.values()) for at in (0, 1))
    parts = [
        counted(calls, "call"),
        f"{prompts:,} prompt and {completions:,} completion tokens",
    ]
    if len(unpriced) < len(tokens):
        parts.append(f"{'at least ' if unpriced else ''}{format_usd(cost)}")
    if unpriced:
        parts.append(f"no price for {', '.join(sorted(unpriced))} in {prices.path}")
    if unread:
        parts.append(f"{unread:,} of them cannot be read")
    return ", ".join(parts)
