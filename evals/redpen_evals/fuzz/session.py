"""Guards tried from start to end: loaded, asked with their model calls recorded or replayed, finds saved."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import yaml

from redpen.errors import ConfigurationError, RedpenError
from redpen.text.json_values import copy_object
from redpen.types import JsonObject, JsonValue
from redpen.yaml_files.problem import FileError
from redpen_evals.atomic_write import replace_file
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.engine import MODEL_TIMEOUT_S, ROUNDS, TIMEOUT_S, Asking, Show, try_cells
from redpen_evals.fuzz.properties import cells
from redpen_evals.fuzz.trials import PROPERTIES, Counterexample, PropertyName, Result
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.guard_adapters.program import CommandGuard
from redpen_evals.guard_adapters.recording import GuardTraffic, RecordMode, guard_traffic
from redpen_evals.scenario_library.drafts import LabelledDraft, draft_files, load_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_any_context, merge_patch
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets, load_guard_set
from redpen_evals.targets.proxy import ModelProxy

FOLDER = "found"
"""Folder of the draft library that counterexamples go to."""

_HEADER = "# yaml-language-server: $schema=../../drafts.schema.json\n"
_PREFERRED = "payments-us-p1"
_EMPTY = "empty"
"""Name of the context that is written where a library has none."""

_ID_DIGITS = 10
_NOTE = "Found by fuzzing; the label is that of the property. Read it over before it is kept."


def save_counterexample(layout: Layout, case: Case) -> tuple[Path, bool]:
    """Write a case as a file of the draft library, split ``dev``.

    The file is written atomically, and one that is there already is left as it is.

    Args:
        layout: folders of the library; where it holds no context, an empty one is written too.
        case: the counterexample.

    Returns:
        The file, and whether it was written now: the same case has the same name.

    Raises:
        ConfigurationError: the case makes no sound file.
    """
    name, base = _base(layout, case.context)
    item: dict[str, Any] = {"id": "counterexample", "revised": case.revised, "label": case.label}
    if case.codes:
        item["codes"] = list(case.codes)
    item |= {"family": case.family, "disguise": case.disguise, "split": "dev", "note": _NOTE}
    content: dict[str, Any] = {"context": name}
    if changes := patch_between(base, case.context):
        content["context_changes"] = changes
    content |= {"original": case.original, "items": [item]}
    # Unusual characters are escaped: a person has to see what there is.
    text = _HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=False, width=110)
    mark = sha256(text.encode()).hexdigest()[:_ID_DIGITS]
    path = layout.scenarios / "drafts" / FOLDER / f"{case.name}-{mark}.yaml"
    return path, _write_new(layout, path, text, case)


def patch_between(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the JSON merge patch that makes one object of another; null in ``after`` reads as absent."""
    patch: JsonObject = {key: None for key in before if after.get(key) is None}
    for key, value in after.items():
        old: JsonValue = before.get(key)
        if value is None or (old == value and type(old) is type(value)):
            continue
        patch[key] = patch_between(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return copy_object(patch)


def _same(read: LabelledDraft, case: Case) -> bool:
    # Null reads as absent, in a patch as in a context.
    return merge_patch({}, read.context) == merge_patch({}, case.context)


def _base(layout: Layout, context: JsonObject) -> tuple[str, JsonObject]:
    """Return the context that a draft is written against: its own, another, or one that is written now."""
    known = {name: path for name in layout.names("contexts") if (path := layout.context_path(name))}
    read = {name: load_any_context(path) for name, path in known.items()}
    for name, found in read.items():
        if found == context:
            return name, found
    name = _PREFERRED if _PREFERRED in read else next(iter(read), "")
    return (name, read[name]) if name else (_EMPTY, _write_empty(layout))


def _write_empty(layout: Layout) -> JsonObject:
    path = layout.scenarios / "contexts" / f"{_EMPTY}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, b"# Holds nothing: drafts that were found by fuzzing bring their own facts.\n{}\n")
    return {}


def _write_new(layout: Layout, path: Path, text: str, case: Case) -> bool:
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix="new-", suffix=".yaml")
    draft = path.parent / Path(name).name
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        (read,) = load_drafts(layout, draft)
        if (read.original, read.item.revised) != (case.original, case.revised) or not _same(read, case):
            raise ConfigurationError("the counterexample cannot be written down as it is")
        # A link, unlike a rename, never takes the place of a file that another process has just written.
        os.link(draft, path)
    except FileExistsError:
        return False
    except FileError as error:
        raise ConfigurationError(f"the counterexample makes no sound draft: {error}") from error
    finally:
        draft.unlink()
    return True


_UNLABELLED: Final = frozenset({"repeat", "answers", "time", "memory"})
"""Rules whose counterexamples no labelled draft can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is tried, and how long.

    Attributes:
        layout: the folders of the library and its cassettes.
        contexts: to try it in; by default incidents are generated.
        properties: the ones to try.
        random_seed: the same gives the same examples.
        rounds: how many, at the most.
        seconds: how long at the most, a guard; None for as long as it takes.
        record: whether model calls are recorded.
        settings: what the project says of its own code.
        show: called with the progress, in words.
    """

    layout: Layout
    contexts: tuple[JsonObject, ...] = ()
    properties: tuple[PropertyName, ...] = PROPERTIES
    random_seed: int = 0
    rounds: int = ROUNDS
    seconds: float | None = None
    record: RecordMode = "none"
    settings: OwnSettings = field(default_factory=OwnSettings)
    show: Show = lambda _text: None


def try_guard(place: str, plan: Plan) -> Result:
    """Try a guard of this process.

    Args:
        place: ``module:name``, or ``redpen`` or ``regex`` for those that Redpen brings.
        plan: what is tried.

    Raises:
        ConfigurationError: there is no such guard, or it cannot be called.
        RedpenError: a draft that was found before has faults.
        RedpenError: its recording cannot be read or written.
    """
    built_in = {guard_set.name: guard_set for guard_set in built_in_guard_sets()}
    with importable(plan.settings.paths), _traffic(place, plan) as traffic:
        # Its module may make a client when it is imported.
        guard_set = built_in.get(place) or load_guard_set(place, option="guard")
        timeout_s = TIMEOUT_S if plan.record == "none" else MODEL_TIMEOUT_S
        return _try(Asking(guard_set=guard_set, traffic=traffic, timeout_s=timeout_s), plan)


def try_command(command: str, plan: Plan, *, folder: Path) -> Result:
    """Try a guard that is a program; raises as ``try_guard``.

    Args:
        command: program and arguments, as a shell would split them.
        plan: what is tried.
        folder: where it works.
    """
    with _traffic(command, plan) as traffic, ModelProxy(traffic.scope) as proxy:
        environment = {**os.environ, **proxy.environment}
        timeout_s = TIMEOUT_S if plan.record == "none" else MODEL_TIMEOUT_S
        with CommandGuard(command, folder=folder, environment=environment, timeout_s=timeout_s) as guard:
            asking = Asking(
                guard_set=GuardSet(name=command, guards=guard),
                traffic=traffic,
                # It is ended by its own guard, which starts it again.
                timeout_s=2 * timeout_s,
                is_program=True,
            )
            return _try(asking, plan)


def found_before(layout: Layout) -> tuple[LabelledDraft, ...]:
    """Return the drafts that fuzzing has found and saved; raises RedpenError where one has faults."""
    folder = layout.scenarios / "drafts" / FOLDER
    return tuple(
        draft
        for path in draft_files(layout)
        if path.is_relative_to(folder)
        for draft in load_drafts(layout, path)
    )


def save_found(layout: Layout, result: Result) -> Iterator[str]:
    """Write what was found into the draft library; yield what became of each counterexample."""
    for row in result.broken:
        if row.found is None or row.cell.of == "known":
            continue
        where = f"{row.cell.of}, {row.cell.name}"
        if row.found.trial.rule in _UNLABELLED:
            yield f"not saved: {where}: no labelled draft shows it"
            continue
        try:
            path, written = save_counterexample(layout, wrongly_judged(row.found))
        except (RedpenError, OSError) as problem:
            yield f"not saved: {where}: {problem}"
        else:
            yield f"saved as {path}" if written else f"saved before: {path}"


def wrongly_judged(found: Counterexample) -> Case:
    """Return the text whose verdict is not that of its label."""
    trial = found.trial
    if trial.rule != "order" or trial.before is None:
        return trial.case
    # One of two orders is judged wrongly, and the problem tells how the second is.
    is_blocked = found.problem.startswith("is blocked")
    return trial.case if is_blocked != (trial.case.label == "block") else trial.before


def _try(asking: Asking, plan: Plan) -> Result:
    chosen = cells(plan.contexts, only=plan.properties, known=found_before(plan.layout))
    return try_cells(
        asking, chosen, random_seed=plan.random_seed, rounds=plan.rounds, seconds=plan.seconds, show=plan.show
    )


def _traffic(name: str, plan: Plan) -> AbstractContextManager[GuardTraffic]:
    return guard_traffic(name, root=plan.layout.cassettes, mode=plan.record, settings=plan.settings)
