"""The stale map of a run: changes, the calls that each makes stale, and the cost to record them again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Final

from redpen.screen import shown
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation
from redpen_evals.prices import Prices, format_usd
from redpen_evals.records.model import ScenarioResult, StaleCall, StaleCalls
from redpen_evals.variants import MODEL


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleChange:
    """One change, over all runs that it made stale.

    Attributes:
        phase: of the calls that changed.
        what: the place in the request, e.g. ``messages[0].content``; empty for new calls.
        name: of the change, e.g. ``critique prompt``, or its ``origin``.
        calls: number of calls that changed in this place.
        scenarios: number of their scenarios.
        excerpts: the changed words with their number of calls, the most frequent first.
        follows: number of later calls that it makes stale, by phase, in the order of the run.
        origin: ``file:line`` of the changed words in the project; empty if unknown.
    """

    phase: str
    what: str
    name: str
    calls: int
    scenarios: int
    excerpts: tuple[tuple[str, int], ...]
    follows: tuple[tuple[str, int], ...]
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The cost of recording all stale calls again.

    Attributes:
        calls: number of known calls.
        prompt_tokens: of their requests, from the last recording.
        completion_tokens: of their answers, likewise.
        uncounted: number of calls without token counts.
        unknown_runs: number of runs that were never recorded, so that their calls are unknown.
        scripted: whether all replies are scripted, so that recording is free.
        cost_usd: of the tokens, in US dollars; None if a model has no price.
        no_price: why there is no cost, if so.
        commands: that record them.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    uncounted: int
    unknown_runs: int
    scripted: bool
    cost_usd: Decimal | None
    no_price: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleMap:
    """The stale runs of a suite.

    Attributes:
        model: of the recordings, except for variants that name another.
        runs: number of runs, one per scenario, variant and sample.
        scenarios: number of scenarios.
        stale_runs: number of stale runs.
        stale_scenarios: number of scenarios with a stale run.
        missing: number of stale runs that were never recorded.
        changes: that made the others stale, the ones with most calls first.
        recording: the cost of recording them again.
    """

    model: str
    runs: int
    scenarios: int
    stale_runs: int
    stale_scenarios: int
    missing: int
    changes: tuple[StaleChange, ...]
    recording: Recording


_MESSAGE: Final = re.compile(r"messages\[(\d+)\]")
_INSIDE: Final = " → "
_WORDS: Final = {
    "": "call that is new",
    "(method)": "HTTP method",
    "(url)": "URL",
    "(body)": "request body",
    "repeated": "call repeated",
    "extra": "call that is new",
    "empty": "call without a recording",
}


def change_name(phase: str, what: str, origin: str = "") -> str:
    """Return the name of a changed place.

    Args:
        phase: of the call, e.g. ``critique``.
        what: the place, e.g. ``messages[1].content → incident_context.region``, or another reason.
        origin: ``file:line`` of the changed words; empty if unknown.

    Returns:
        The origin if known, such as ``prompts/reply.md:2``; else a name such as ``critique prompt``,
        ``critique payload incident_context.region``, ``draft parameter temperature``, ``revise call that is
        new``.
    """
    if origin:
        return origin
    place = _place(what)
    # Anything but a place is a complete reason.
    return f"{phase}: {what}" if place is None else f"{phase} {place}"


def _place(what: str) -> str | None:
    if what in _WORDS:
        return _WORDS[what]
    message, _, inside = what.partition(_INSIDE)
    if " " in message:
        return None
    match _MESSAGE.match(message):
        case None:
            return f"parameter {what}"
        case message_index if message_index[1] == "0" and not inside:
            return "prompt"
        case message_index if message_index[1] == "1":
            return f"payload {inside}".rstrip()
        case message_index:
            return f"message {int(message_index[1]) + 1} {inside}".rstrip()


_Place = tuple[str, str, str]
"""Phase and place of a changed call, and the origin of the changed words."""


@dataclass(slots=True)
class _Group:
    calls: int = 0
    scenarios: set[str] = field(default_factory=set)
    excerpts: Counter[str] = field(default_factory=Counter)
    follows: Counter[str] = field(default_factory=Counter)
    first_position: dict[str, int] = field(default_factory=dict)


def stale_map(results: Iterable[ScenarioResult], *, model: str, prices: Prices) -> StaleMap:
    """Return the stale map of results.

    A call that is stale because of an earlier one is attributed to the nearest changed call before it.

    Args:
        results: of one run, stale or not.
        model: of the recordings, except for variants that name another.
        prices: of models.

    Returns:
        The map; without changes if nothing is stale.
    """
    runs = list(results)
    stale = [(run, run.stale or StaleCalls(calls=())) for run in runs if run.outcome == "stale"]
    return StaleMap(
        model=model,
        runs=len(runs),
        scenarios=len({run.scenario for run in runs}),
        stale_runs=len(stale),
        stale_scenarios=len({run.scenario for run, _ in stale}),
        missing=sum(calls.missing for _, calls in stale),
        changes=_changes(stale),
        recording=_recording(stale, model=model, prices=prices),
    )


def _changes(stale: Sequence[tuple[ScenarioResult, StaleCalls]]) -> tuple[StaleChange, ...]:
    groups: dict[_Place, _Group] = {}
    for run, stale_calls in stale:
        last: _Group | None = None
        for call in stale_calls.calls:
            if call.why != "follows":
                last = groups.setdefault((call.phase, call.what, call.origin), _Group())
                last.calls += 1
                last.scenarios.add(run.scenario)
                last.excerpts.update([call.excerpt] if call.excerpt else [])
            elif last is not None:
                last.follows[call.phase] += 1
                last.first_position.setdefault(call.phase, call.position)
    changes = [_change(place, group) for place, group in groups.items()]
    return tuple(sorted(changes, key=lambda change: (-_weight(change), change.name)))


def _change(place: _Place, group: _Group) -> StaleChange:
    phase, what, origin = place
    follows = sorted(group.follows.items(), key=lambda item: (group.first_position[item[0]], item[0]))
    return StaleChange(
        phase=phase,
        what=what,
        name=change_name(phase, what, origin),
        origin=origin,
        calls=group.calls,
        scenarios=len(group.scenarios),
        excerpts=_by_count(group.excerpts),
        follows=tuple(follows),
    )


def _by_count(counter: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    # Ties are sorted by text, so that the order of the results does not matter.
    return tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _weight(change: StaleChange) -> int:
    return change.calls + sum(calls for _, calls in change.follows)


def _recording(
    stale: Sequence[tuple[ScenarioResult, StaleCalls]], *, model: str, prices: Prices
) -> Recording:
    by_model: dict[str, list[StaleCall]] = {}
    for run, stale_calls in stale:
        by_model.setdefault(_model_of(run, model), []).extend(stale_calls.calls)
    calls = [call for of_model in by_model.values() for call in of_model]
    costs = {name: prices.cost_usd(name, *_tokens(of_model)) for name, of_model in by_model.items()}
    known = [cost for cost in costs.values() if cost is not None]
    prompt_tokens, completion_tokens = _tokens(calls)
    return Recording(
        calls=len(calls),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        uncounted=sum(call.prompt_tokens is None or call.completion_tokens is None for call in calls),
        unknown_runs=sum(stale_calls.missing and not stale_calls.calls for _, stale_calls in stale),
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
    models = (
        knob.removeprefix(f"{MODEL}=") for knob in run.variant.split(",") if knob.startswith(f"{MODEL}=")
    )
    return next(models, model)


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
        # Only the result has the node id of a test that makes its runs by itself.
        test_command = runs[0].command or ""
        if alone and test_command and " -k " not in test_command:
            command = test_command
        commands[command if alone else command.rpartition(" -k ")[0]] = None
    return tuple(commands)


_MAX_EXCERPT_CHARS: Final = 160
_RECORD: Final = "to record again"
_NEVER: Final = "never recorded"


def stale_lines(stale: StaleMap, limit: int = 8) -> list[str]:
    """Return a stale map as lines, about six for one changed prompt.

    Args:
        stale: the map.
        limit: maximum number of changes shown, at least 1; the others are counted.

    Returns:
        Aligned lines without colour, safe to show; none if nothing is stale.
    """
    if not stale.stale_runs:
        return []
    return list(_lines(stale, limit))


def _lines(stale: StaleMap, limit: int) -> Iterator[str]:
    yield _head(stale)
    changes = stale.changes[:limit]
    names = [shown(change.name) for change in changes]
    width = max(map(len, [*names, _RECORD]))
    counts = [_counted(change) for change in changes]
    count_width = max(map(len, counts), default=0)
    for name, count, change in zip(names, counts, changes, strict=True):
        yield f"  {name.ljust(width)}  {count.ljust(count_width)}  {_follows(change)}".rstrip()
        yield from _excerpt(change)
    if rest := stale.changes[limit:]:
        calls = sum(change.calls for change in rest)
        yield f"  and {_number(len(rest), 'more change')} of {_number(calls, 'call')}"
    if stale.missing:
        yield f"  {_NEVER.ljust(width)}  {_number(stale.missing, 'run')}"
    yield f"  {_RECORD.ljust(width)}  {_effort(stale.recording)}"
    yield from (f"    {shown(line)}" for line in stale.recording.no_price.splitlines())
    yield from (f"  {shown(command)}" for command in stale.recording.commands)


def _head(stale: StaleMap) -> str:
    of = f"{stale.stale_scenarios:,} of {_number(stale.scenarios, 'scenario')}"
    verb = "is" if stale.stale_scenarios == 1 else "are"
    if stale.runs == stale.scenarios:
        return f"{of} {verb} stale"
    return f"{of} {verb} stale, in {stale.stale_runs:,} of {stale.runs:,} runs"


def _counted(change: StaleChange) -> str:
    return f"{_number(change.calls, 'call')} in {_number(change.scenarios, 'scenario')}"


def _follows(change: StaleChange) -> str:
    if not change.follows:
        return ""
    later = ", ".join(f"{shown(phase)} {calls:,}" for phase, calls in change.follows)
    return f"{shown(change.phase)} changed → {later}"


def _excerpt(change: StaleChange) -> Iterator[str]:
    if not change.excerpts:
        return
    text = shown(change.excerpts[0][0])
    cut = f"{text[:_MAX_EXCERPT_CHARS].rstrip()} …" if len(text) > _MAX_EXCERPT_CHARS else text
    others = len(change.excerpts) - 1
    yield f"    {cut}" + (f"  (and {_number(others, 'other wording')})" if others else "")


def _effort(recording: Recording) -> str:
    unknown = _number(recording.unknown_runs, "run")
    if not recording.calls:
        return f"{unknown} with an unknown number of calls"
    tokens = f"{recording.prompt_tokens:,} prompt and {recording.completion_tokens:,} completion tokens"
    parts = [_number(recording.calls, "call"), f"{tokens} as recorded before"]
    if recording.scripted:
        return ", ".join([*parts, "free: the replies are scripted"])
    excluded = []
    if recording.uncounted:
        excluded.append(f"{_number(recording.uncounted, 'call')} without token counts")
    if recording.unknown_runs:
        excluded.append(f"{unknown} never recorded")
    if recording.cost_usd is not None:
        least = "at least " if excluded else ""
        parts.append(f"{least}{format_usd(recording.cost_usd)}")
    message = ", ".join(parts)
    return f"{message} (not included: {', '.join(excluded)})" if excluded else message


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
