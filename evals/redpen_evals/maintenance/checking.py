"""Check the cassettes of a library: paths, content, and their runs."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen_evals.cassettes.digest import UNPROTECTED, is_unprotected
from redpen_evals.cassettes.file import CallFailure, CassetteFile
from redpen_evals.cassettes.prompts import prompt_problem
from redpen_evals.cassettes.secrets import find_secrets
from redpen_evals.cassettes.store import SUFFIX, CassetteLocation
from redpen_evals.evaluation import Evaluator
from redpen_evals.maintenance.inventory import (
    Entry,
    Fault,
    Inventory,
    Sort,
    accident,
    choices_of,
    old_versions,
    read_content,
)
from redpen_evals.maintenance.pruning import removable
from redpen_evals.project import Project
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.variants import Variant, read_variants


def out_of_place(inventory: Inventory, scenarios: Container[str]) -> Iterator[Fault]:
    """Yield cassettes at a wrong path, links, and files that are not cassettes."""
    for entry in inventory.entries:
        if entry.error and entry.content:
            move = _move(entry.path, entry.content, inventory.root, scenarios)
            yield entry.fault("misplaced", entry.error.problem, move or entry.error.mend)
    for path in inventory.others:
        if path.suffix == SUFFIX and (content := read_content(path)):
            move = _move(path, content, inventory.root, scenarios)
            problem = "is a cassette with a name that no replay uses"
            yield Fault(path, "misplaced", problem, move or "delete it")
        else:
            yield Fault(path, "alien", "is not a cassette", "move it elsewhere")
    for path in inventory.links:
        problem = "is a symbolic link, which may lead out of the cassettes folder"
        yield Fault(path, "link", problem, "replace it with the file")


def _move(path: Path, content: CassetteFile, root: Path, scenarios: Container[str]) -> str | None:
    if content.scenario not in scenarios:
        return None
    try:
        right = CassetteLocation(
            root=root,
            model=content.model,
            scenario=content.scenario,
            variant=content.variant,
            sample=content.sample,
        )
    except ConfigurationError:
        return None
    if right.kind != content.kind or right.path == path:
        return None
    if right.path.exists():
        return f"{right.path} exists already; delete one of them"
    return f"mv {shlex.quote(str(path))} {shlex.quote(str(right.path))}"


def damaged_prompts(inventory: Inventory) -> Iterator[Fault]:
    """Yield prompt files that cannot be read or were changed."""
    for path in inventory.prompts:
        if problem := prompt_problem(path):
            mend = "restore it, or record the cassettes that refer to it again"
            yield Fault(path, "unreadable", problem, mend)


def secrets(entry: Entry, *, live_key: str | None) -> Iterator[Fault]:
    """Yield the secrets in a cassette, and the key in use, if any."""
    if entry.content and (matches := find_secrets(entry.content, live_keys=(live_key,) if live_key else ())):
        mend = f"revoke it, remove it from the requests, then {entry.location.record_command()}"
        yield entry.fault("secret", f"holds {', '.join(matches)}", mend)


def unprotected(entry: Entry) -> Iterator[Fault]:
    """Yield a note for a cassette without the digest that would reveal an edit."""
    if entry.cassette is not None and is_unprotected(entry.cassette):
        yield entry.fault("unprotected", UNPROTECTED)


def accidents(entry: Entry) -> Iterator[Fault]:
    """Yield failed calls of a live recording; scripted failures are intended."""
    failures = [
        f"call {number} of {len(entry.calls)} ({call.phase}) {problem}"
        for number, call in enumerate(entry.calls, start=1)
        if entry.location.kind == "live" and (problem := accident(call))
    ]
    if failures:
        yield entry.fault("accident", f"was recorded with errors: {', '.join(failures)}")


def dependent_samples(entries: Sequence[Entry]) -> Iterator[Fault]:
    """Yield live samples that are copies, and a note per folder on samples with the same answers.

    The entries are sorted by path.
    """
    same: dict[Path, list[Entry]] = defaultdict(list)
    of_scripts: dict[Path, list[Entry]] = defaultdict(list)
    for group in _groups(entries):
        for index, entry in enumerate(group[1:], start=1):
            earlier = group[:index]
            if entry.location.kind == "scripted":
                of_scripts[entry.location.folder].append(entry)
            elif source := next((other for other in earlier if other.calls == entry.calls), None):
                yield entry.fault("copied", f"has the same calls as {source.path}, so it is not independent")
            elif any(_texts(other) == _texts(entry) for other in earlier):
                same[entry.location.folder].append(entry)
    for folder, samples in same.items():
        problem = (
            f"{_samples(samples)} word for word like another one of the scenario: a cache answered, or the "
            "temperature is too low"
        )
        mend = "record with --variants temperature=0.7, or with fewer --samples"
        yield Fault(folder, "same_words", problem, mend)
    for folder, samples in of_scripts.items():
        problem = f"{_samples(samples)} like the script, which always gives the same answer"
        yield Fault(folder, "scripted_sample", problem, "record samples of a live model")


def _groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    groups: dict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.calls:
            location = entry.location
            groups[location.model, location.variant, location.scenario].append(entry)
    for group in groups.values():
        yield sorted(group, key=lambda entry: entry.location.sample)


def _texts(entry: Entry) -> tuple[tuple[str | None, ...], ...]:
    return tuple(
        ()
        if isinstance(call.response, CallFailure)
        else tuple(choice.content for choice in choices_of(call.response))
        for call in entry.calls
    )


def _samples(entries: Sequence[Entry]) -> str:
    return "1 sample answers" if len(entries) == 1 else f"{len(entries):,} samples answer"


def unknown_variants(entries: Sequence[Entry], project: Project) -> Iterator[Fault]:
    """Yield a note for every folder of a variant that names none of the project's prompts and packs."""
    folders = {entry.location.folder: entry.location for entry in entries if entry.location.variant}
    for folder, location in sorted(folders.items()):
        try:
            _variant(location, project)
        except ConfigurationError as error:
            mend = "give the folder of your prompts with --prompts, or delete this one"
            yield Fault(folder, "unknown_variant", f"no run has this variant: {error}", mend)


def _variant(location: CassetteLocation, project: Project) -> Variant:
    knobs = [knob for knob in location.variant.split(",") if knob]
    (variant,) = read_variants(
        model=location.model, variants=knobs, folder=project.prompts, packs=project.packs
    )
    if variant.cassette_label != location.variant:
        raise ConfigurationError(f"it is the same as {variant.cassette_label or 'the base'}")
    return variant


def unplayed(entry: Entry, layout: Layout, project: Project) -> Iterator[Fault]:
    """Replay a cassette and yield a fault if the run does not make all of its calls.

    A stale run, or one whose variant is gone, yields nothing.
    """
    location = entry.location
    if entry.cassette is None:
        return
    try:
        variant = _variant(location, project)
    except ConfigurationError:
        return
    evaluator = Evaluator(
        layout=layout,
        model=location.model,
        root=project.root,
        own=project.own_agents,
        packs=project.packs,
    )
    result = evaluator.evaluate(location.scenario, variant=variant, sample=location.sample)
    if "unplayed" in result.broken:
        yield entry.fault(
            "unplayed", f"its run makes {len(result.calls)} of the {len(entry.calls)} recorded calls"
        )


def check_cassettes(
    inventory: Inventory,
    layout: Layout,
    project: Project,
    *,
    installed: Mapping[str, str],
    live_key: str | None = None,
    replay: bool = False,
) -> list[Fault]:
    """Return the faults of all cassettes by path, then the notes.

    Args:
        inventory: the cassettes folder.
        layout: the library that the cassettes belong to.
        project: its project.
        installed: installed versions by package name.
        live_key: the key in use, which must not be in a cassette.
        replay: whether to replay all cassettes too, which takes longer, and find unplayed calls.

    Raises:
        ConfigurationError: no scenario and no test needs a cassette.
    """
    faults = list(removable(inventory, layout))
    left_out = {fault.path for fault in faults if not fault.is_note}
    for entry in inventory.entries:
        faults += secrets(entry, live_key=live_key)
        if entry.path in left_out:
            continue
        if entry.error and not entry.content:
            sort: Sort = "edited" if entry.error.kind == "edited" else "unreadable"
            faults.append(entry.fault(sort, entry.error.problem, entry.error.mend))
        faults += unprotected(entry)
        faults += accidents(entry)
        if replay:
            faults += unplayed(entry, layout, project)
    faults += [fault for fault in damaged_prompts(inventory) if fault.path not in left_out]
    misplaced = out_of_place(inventory, frozenset(layout.known_ids()))
    faults += [fault for fault in misplaced if fault.path not in left_out]
    faults += dependent_samples([entry for entry in inventory.entries if entry.path not in left_out])
    faults += unknown_variants(inventory.entries, project)
    faults += old_versions(inventory.entries, installed)
    return sorted(faults, key=lambda fault: (fault.is_note, fault.path, fault.sort, fault.problem))
