"""From the results of a run to its stale map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation
from redpen_evals.prices import Prices
from redpen_evals.records.model import ScenarioResult, StaleCall, StaleCalls
from redpen_evals.stale.model import Recording, StaleChange, StaleMap
from redpen_evals.stale.naming import change_name
from redpen_evals.variants import MODEL

_Place = tuple[str, str, str]
"""Phase and place of a changed call, and where the changed words stand."""


@dataclass(slots=True)
class _Gathered:
    calls: int = 0
    scenarios: set[str] = field(default_factory=set)
    excerpts: Counter[str] = field(default_factory=Counter)
    follows: Counter[str] = field(default_factory=Counter)
    first_position: dict[str, int] = field(default_factory=dict)


def stale_map(results: Iterable[ScenarioResult], *, model: str, prices: Prices) -> StaleMap:
    """Gather what is stale in many results.

    A call that is stale because of an earlier one is put down to the nearest changed call before it.

    Args:
        results: of one run, the stale ones and the others.
        model: whose recordings they use, but for the variants that name another.
        prices: what models cost.

    Returns:
        The map; without changes where nothing is stale.
    """
    runs = list(results)
    stale = [(run, run.stale or StaleCalls(calls=())) for run in runs if run.outcome == "stale"]
    return StaleMap(
        model=model,
        runs=len(runs),
        scenarios=len({run.scenario for run in runs}),
        stale_runs=len(stale),
        stale_scenarios=len({run.scenario for run, _ in stale}),
        missing=sum(found.missing for _, found in stale),
        changes=_changes(stale),
        recording=_recording(stale, model=model, prices=prices),
    )


def _changes(stale: Sequence[tuple[ScenarioResult, StaleCalls]]) -> tuple[StaleChange, ...]:
    gathered: dict[_Place, _Gathered] = {}
    for run, found in stale:
        last: _Gathered | None = None
        for call in found.calls:
            if call.why != "follows":
                last = gathered.setdefault((call.phase, call.what, call.origin), _Gathered())
                last.calls += 1
                last.scenarios.add(run.scenario)
                last.excerpts.update([call.excerpt] if call.excerpt else [])
            elif last is not None:
                last.follows[call.phase] += 1
                last.first_position.setdefault(call.phase, call.position)
    changes = [_change(place, one) for place, one in gathered.items()]
    return tuple(sorted(changes, key=lambda change: (-_weight(change), change.name)))


def _change(place: _Place, one: _Gathered) -> StaleChange:
    phase, what, origin = place
    return StaleChange(
        phase=phase,
        what=what,
        name=change_name(phase, what, origin),
        origin=origin,
        calls=one.calls,
        scenarios=len(one.scenarios),
        excerpts=_by_count(one.excerpts),
        follows=tuple(sorted(one.follows.items(), key=lambda item: (one.first_position[item[0]], item[0]))),
    )


def _by_count(counter: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    # By text where the counts are equal, so that the order of the results does not matter.
    return tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _weight(change: StaleChange) -> int:
    return change.calls + sum(calls for _, calls in change.follows)


def _recording(
    stale: Sequence[tuple[ScenarioResult, StaleCalls]], *, model: str, prices: Prices
) -> Recording:
    by_model: dict[str, list[StaleCall]] = {}
    for run, found in stale:
        by_model.setdefault(_model_of(run, model), []).extend(found.calls)
    calls = [call for of_model in by_model.values() for call in of_model]
    costs = {name: prices.cost_usd(name, *_tokens(of_model)) for name, of_model in by_model.items()}
    known = [cost for cost in costs.values() if cost is not None]
    prompt_tokens, completion_tokens = _tokens(calls)
    return Recording(
        calls=len(calls),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        uncounted=sum(call.prompt_tokens is None or call.completion_tokens is None for call in calls),
        unknown_runs=sum(found.missing and not found.calls for _, found in stale),
        scripted=set(by_model) <= {SCRIPTED_MODEL},
        cost_usd=sum(known, start=Decimal(0)) if len(known) == len(costs) else None,
        no_price="\n".join(prices.explain_missing(name) for name, cost in costs.items() if cost is None),
        commands=_commands([run for run, _ in stale], model),
    )


def _tokens(calls: Iterable[StaleCall]) -> tuple[int, int]:
    counts = [(call.prompt_tokens or 0, call.completion_tokens or 0) for call in calls]
    return sum(prompt for prompt, _ in counts), sum(completion for _, completion in counts)


def _model_of(run: ScenarioResult, model: str) -> str:
    if run.stale is not None and run.stale.model:
        return run.stale.model
    named = (
        knob.removeprefix(f"{MODEL}=") for knob in run.variant.split(",") if knob.startswith(f"{MODEL}=")
    )
    return next(named, model)


def _commands(stale: Sequence[ScenarioResult], model: str) -> tuple[str, ...]:
    commands: dict[str, None] = {}
    for variant in sorted({run.variant for run in stale}):
        runs = [run for run in stale if run.variant == variant]
        location = CassetteLocation(
            root=Path(),
            model=model,
            scenario=runs[0].scenario,
            variant=variant,
            sample=max(run.sample for run in runs),
        )
        command = location.record_command("stale")
        alone = len({run.scenario for run in stale}) == 1
        # A test that makes its runs by itself is named by its node id, which only its result knows.
        told = runs[0].command or ""
        if alone and told and " -k " not in told:
            command = told
        commands[command if alone else command.rpartition(" -k ")[0]] = None
    return tuple(commands)
