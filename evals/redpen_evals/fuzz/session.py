"""Guards tried from start to end: loaded, asked with their model calls recorded or replayed, finds saved."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redpen.errors import RedpenError
from redpen.types import JsonObject
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.fuzz.asking import MODEL_TIMEOUT_S, TIMEOUT_S, Asking
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.engine import ROUNDS, Show, try_cells
from redpen_evals.fuzz.properties import PROPERTIES, PropertyName, cells
from redpen_evals.fuzz.result import Counterexample, Result
from redpen_evals.fuzz.saving import FOLDER, save_counterexample
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.guard_adapters.program import CommandGuard
from redpen_evals.guard_adapters.recording import GuardTraffic, RecordMode, guard_traffic
from redpen_evals.scenario_library.drafts import LabelledDraft, draft_files, load_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets, load_guard_set
from redpen_evals.targets.proxy import ModelProxy

_UNLABELLED: Final = frozenset({"repeat", "answers", "time", "memory"})
"""Rules whose counterexamples no labelled draft can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is tried, and how long.

    Attributes:
        layout: the folders of the library and its cassettes.
        contexts: to try it in; by default incidents are generated.
        properties: the ones to try.
        chance: the same gives the same examples.
        rounds: how many, at the most.
        seconds: how long at the most, a guard; None for as long as it takes.
        record: whether model calls are recorded.
        settings: what the project says of its own code.
        show: is told how far it has come, in words.
    """

    layout: Layout
    contexts: tuple[JsonObject, ...] = ()
    properties: tuple[PropertyName, ...] = PROPERTIES
    chance: int = 0
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
        guard_set = built_in.get(place) or load_guard_set(place, said="guard")
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
        asking, chosen, chance=plan.chance, rounds=plan.rounds, seconds=plan.seconds, show=plan.show
    )


def _traffic(name: str, plan: Plan) -> AbstractContextManager[GuardTraffic]:
    return guard_traffic(name, root=plan.layout.cassettes, mode=plan.record, settings=plan.settings)
