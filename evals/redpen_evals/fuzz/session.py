"""Test guards: load them, record or replay their model calls, save counterexamples."""

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
from redpen_evals.evaluation.evaluator import RecordMode
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.engine import MODEL_TIMEOUT_S, ROUNDS, TIMEOUT_S, GuardUnderTest, Show, try_cells
from redpen_evals.fuzz.properties import cells
from redpen_evals.fuzz.trials import PROPERTIES, PropertyName, Result, Trial
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.guard_adapters.program import CommandGuard
from redpen_evals.guard_adapters.recording import GuardTraffic, guard_traffic
from redpen_evals.scenario_library.drafts import LabelledDraft, draft_files, load_drafts, read_draft_file
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_any_context, merge_patch
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets, load_guard_set
from redpen_evals.targets.proxy import ModelProxy

FOLDER = "found"
"""Folder of the draft library for counterexamples."""

_HEADER = "# yaml-language-server: $schema=../../drafts.schema.json\n"
_PREFERRED = "payments-us-p1"
_EMPTY = "empty"
"""Name of the context that is written if a library has none."""

_ID_DIGITS = 10
_NOTE = "Found by fuzzing; the label is that of the property. Review it before keeping it."


def save_counterexample(layout: Layout, case: Case) -> tuple[Path, bool]:
    """Write a case as a file of the draft library, split ``dev``.

    The file is written atomically; an existing file is not changed.

    Args:
        layout: folders of the library; if it has no context, an empty one is written too.

    Returns:
        The file, and whether it was written; equal cases have the same name.

    Raises:
        ConfigurationError: the case does not make a valid file.
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
    # Unusual characters are escaped to make them visible.
    text = _HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=False, width=110)
    digest = sha256(text.encode()).hexdigest()[:_ID_DIGITS]
    path = layout.scenarios / "drafts" / FOLDER / f"{case.name}-{digest}.yaml"
    if path.exists():
        return path, False
    _check(layout, text, case)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process can only have written the same text.
    replace_file(path, text.encode())
    return path, True


def patch_between(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the JSON merge patch from one object to another; null in ``after`` counts as absent."""
    patch: JsonObject = {key: None for key in before if after.get(key) is None}
    for key, value in after.items():
        old: JsonValue = before.get(key)
        if value is None or (old == value and type(old) is type(value)):
            continue
        patch[key] = patch_between(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return copy_object(patch)


def _base(layout: Layout, context: JsonObject) -> tuple[str, JsonObject]:
    """Return name and content of a draft's base context: an equal one, any other, or a new empty one."""
    paths = {name: path for name in layout.names("contexts") if (path := layout.context_path(name))}
    contexts = {name: load_any_context(path) for name, path in paths.items()}
    for name, content in contexts.items():
        if content == context:
            return name, content
    name = _PREFERRED if _PREFERRED in contexts else next(iter(contexts), "")
    return (name, contexts[name]) if name else (_EMPTY, _write_empty(layout))


def _write_empty(layout: Layout) -> JsonObject:
    path = layout.scenarios / "contexts" / f"{_EMPTY}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, b"# Empty: drafts that were found by fuzzing bring their own facts.\n{}\n")
    return {}


def _check(layout: Layout, text: str, case: Case) -> None:
    """Raise ConfigurationError if a text is not a valid draft file, or says something else than the case."""
    with tempfile.TemporaryDirectory(prefix="redpen-") as folder:
        draft = Path(folder) / "draft.yaml"
        draft.write_text(text, encoding="utf-8")
        try:
            (read,) = read_draft_file(layout, draft, FOLDER)
        except FileError as error:
            raise ConfigurationError(f"the counterexample is not a valid draft: {error}") from error
    # Null counts as absent in patches and contexts.
    is_same_context = merge_patch({}, read.context) == merge_patch({}, case.context)
    if (read.original, read.item.revised) != (case.original, case.revised) or not is_same_context:
        raise ConfigurationError("the counterexample cannot be written to a file without a change")


_UNLABELLED: Final = frozenset({"repeat", "answers", "time", "memory"})
"""Rules whose counterexamples cannot be written as labelled drafts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is tested, and how long.

    Attributes:
        contexts: the contexts of the drafts; by default incidents are generated.
        seconds: time limit per guard, in seconds; None for none.
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

    @property
    def timeout_s(self) -> float:
        """Time limit of a guard for one text, in seconds."""
        return TIMEOUT_S if self.record == "none" else MODEL_TIMEOUT_S


def try_guard(place: str, plan: Plan) -> Result:
    """Test a guard in this process.

    Args:
        place: ``module:name``, or ``redpen`` or ``regex`` for built-in guards.

    Raises:
        ConfigurationError: there is no such guard, or it cannot be called.
        RedpenError: a saved counterexample is invalid, or the recording cannot be read or written.
    """
    built_in = {guard_set.name: guard_set for guard_set in built_in_guard_sets()}
    with importable(plan.settings.paths), _traffic(place, plan) as traffic:
        # Importing its module may create a client.
        guard_set = built_in.get(place) or load_guard_set(place, option="guard")
        return _try(GuardUnderTest(guard_set=guard_set, traffic=traffic, timeout_s=plan.timeout_s), plan)


def try_command(command: str, plan: Plan, *, folder: Path) -> Result:
    """Test a guard that is a program, given as a shell would split it; raises as ``try_guard``."""
    with _traffic(command, plan) as traffic, ModelProxy(traffic.scope) as proxy:
        environment = {**os.environ, **proxy.environment}
        limit_s = plan.timeout_s
        with CommandGuard(command, folder=folder, environment=environment, timeout_s=limit_s) as guard:
            guard_under_test = GuardUnderTest(
                guard_set=GuardSet(name=command, guards=guard),
                traffic=traffic,
                # CommandGuard enforces the limit itself and restarts the program.
                timeout_s=2 * limit_s,
                is_program=True,
            )
            return _try(guard_under_test, plan)


def found_before(layout: Layout) -> tuple[LabelledDraft, ...]:
    """Return the saved counterexamples; raises RedpenError if one is invalid."""
    folder = layout.scenarios / "drafts" / FOLDER
    return tuple(
        draft
        for path in draft_files(layout)
        if path.is_relative_to(folder)
        for draft in load_drafts(layout, path)
    )


def save_found(layout: Layout, result: Result) -> Iterator[str]:
    """Write the counterexamples into the draft library; yield a message for each."""
    for row in result.broken:
        if row.found is None or row.cell.of == "known":
            continue
        where = f"{row.cell.of}, {row.cell.name}: "
        if row.found.rule in _UNLABELLED:
            yield f"not saved: {where}it cannot be written as a labelled draft"
        else:
            yield save_case(layout, _wrongly_judged(row.found, row.problem), where=where)


def save_case(layout: Layout, case: Case, *, where: str = "") -> str:
    """Write a counterexample into the draft library, and return a message: the file, or why there is none."""
    try:
        path, written = save_counterexample(layout, case)
    except (RedpenError, OSError) as problem:
        return f"not saved: {where}{problem}"
    return f"saved as {path}" if written else f"saved before: {path}"


def _wrongly_judged(trial: Trial, problem: str) -> Case:
    """Return the case whose verdict differs from its label."""
    if trial.rule != "order" or trial.before is None:
        return trial.case
    # One of two orders is judged wrongly; the problem begins with the verdict on the second.
    is_blocked = problem.startswith("is blocked")
    return trial.case if is_blocked != (trial.case.label == "block") else trial.before


def _try(guard: GuardUnderTest, plan: Plan) -> Result:
    return try_cells(
        guard,
        cells(plan.contexts, only=plan.properties, known=found_before(plan.layout)),
        random_seed=plan.random_seed,
        rounds=plan.rounds,
        seconds=plan.seconds,
        show=plan.show,
    )


def _traffic(name: str, plan: Plan) -> AbstractContextManager[GuardTraffic]:
    return guard_traffic(name, root=plan.layout.cassettes, mode=plan.record, settings=plan.settings)
