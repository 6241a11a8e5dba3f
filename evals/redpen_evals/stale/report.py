"""The report on stale runs: changes, the calls that each makes stale, and the cost to record them again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redpen.screen import counted, shown
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation
from redpen_evals.prices import Prices, format_usd
from redpen_evals.records.model import ScenarioResult, StaleCall, StaleCalls
from redpen_evals.variants import split_model

_Stale = Sequence[tuple[ScenarioResult, StaleCalls]]

_MAX_EXCERPT_CHARS: Final = 160
_RECORD: Final = "to record again"
_NEVER: Final = "never recorded"


def stale_lines(
    results: Iterable[ScenarioResult], *, model: str, prices: Prices, limit: int = 8
) -> list[str]:
    """Return the report on the stale results of a run, about six lines for one changed prompt.

    A call that is stale because of an earlier one is attributed to the nearest changed call before it.

    Args:
        results: of one run, stale or not.
        model: of the recordings, except for variants that name another.
        prices: of models.
        limit: maximum number of changes shown, at least 1; the others are counted.

    Returns:
        Aligned lines without colour, safe to show; none if nothing is stale.
    """
    runs = list(results)
    stale = [(run, run.stale or StaleCalls(calls=())) for run in runs if run.outcome == "stale"]
    return list(_lines(runs, stale, model=model, prices=prices, limit=limit)) if stale else []


@dataclass(slots=True, kw_only=True)
class _Change:
    """One change, over all runs that it made stale; `follows` counts the later calls by phase."""

    phase: str
    name: str
    is_new: bool
    calls: int = 0
    scenarios: set[str] = field(default_factory=set)
    excerpts: Counter[str] = field(default_factory=Counter)
    follows: Counter[str] = field(default_factory=Counter)
    first_position: dict[str, int] = field(default_factory=dict)


def _lines(
    runs: Sequence[ScenarioResult], stale: _Stale, *, model: str, prices: Prices, limit: int
) -> Iterator[str]:
    yield _head(runs, [run for run, _ in stale])
    changes = _changes(stale)
    names = [shown(change.name) for change in changes[:limit]]
    width = max(map(len, [*names, _RECORD]))
    counts = [
        f"{counted(change.calls, 'call')} in {counted(len(change.scenarios), 'scenario')}"
        for change in changes[:limit]
    ]
    count_width = max(map(len, counts), default=0)
    for name, count, change in zip(names, counts, changes, strict=False):
        yield f"  {name.ljust(width)}  {count.ljust(count_width)}  {_follows(change)}".rstrip()
        yield from _excerpt(change)
    if rest := changes[limit:]:
        calls = sum(change.calls for change in rest)
        yield f"  and {counted(len(rest), 'more change')} of {counted(calls, 'call')}"
    if missing := sum(calls.missing for _, calls in stale):
        yield f"  {_NEVER.ljust(width)}  {counted(missing, 'run')}"
    effort, unpriced = _effort(stale, model, prices)
    yield f"  {_RECORD.ljust(width)}  {effort}"
    for name in unpriced:
        yield from (f"    {shown(line)}" for line in prices.explain_missing(name).splitlines())
    yield from (f"  {shown(command)}" for command in _commands([run for run, _ in stale], model))


def _head(runs: Sequence[ScenarioResult], stale: Sequence[ScenarioResult]) -> str:
    scenarios, stale_scenarios = ({run.scenario for run in some} for some in (runs, stale))
    verb = "is" if len(stale_scenarios) == 1 else "are"
    head = f"{len(stale_scenarios):,} of {counted(len(scenarios), 'scenario')} {verb} stale"
    return head if len(runs) == len(scenarios) else f"{head}, in {len(stale):,} of {len(runs):,} runs"


def _changes(stale: _Stale) -> list[_Change]:
    """Return the changes, the ones with most calls first."""
    changes: dict[tuple[str, str, str], _Change] = {}
    for run, stale_calls in stale:
        last: _Change | None = None
        for call in stale_calls.calls:
            if call.why != "follows":
                name = change_name(call.phase, call.what, call.origin)
                place = call.phase, call.what, call.origin
                change = _Change(phase=call.phase, name=name, is_new=call.why == "new")
                last = changes.setdefault(place, change)
                last.calls += 1
                last.scenarios.add(run.scenario)
                last.excerpts.update([call.excerpt] if call.excerpt else [])
            elif last is not None:
                last.follows[call.phase] += 1
                first = last.first_position.get(call.phase, call.position)
                last.first_position[call.phase] = min(first, call.position)
    return sorted(changes.values(), key=lambda change: (-change.calls - change.follows.total(), change.name))


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
    """Return the name of a changed place, given the phase of its call.

    Args:
        phase: of the call, e.g. ``critique``.
        what: the place, e.g. ``messages[1].content → incident_context.region``, or another reason.
        origin: ``file:line`` of the changed words, which is the name if it is known.

    Returns:
        Such as ``prompts/reply.md:2``, ``critique prompt``, ``critique payload incident_context.region``,
        ``draft parameter temperature``, ``revise call that is new``.
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


def _follows(change: _Change) -> str:
    if not change.follows:
        return ""
    phases = sorted(change.follows, key=lambda phase: (change.first_position[phase], phase))
    later = ", ".join(f"{shown(phase)} {change.follows[phase]:,}" for phase in phases)
    return f"{shown(change.phase)} {'is new' if change.is_new else 'changed'} → {later}"


def _excerpt(change: _Change) -> Iterator[str]:
    if not change.excerpts:
        return
    # Ties are broken by the text, so that the order of the results does not matter.
    text = shown(min(change.excerpts, key=lambda excerpt: (-change.excerpts[excerpt], excerpt)))
    cut = f"{text[:_MAX_EXCERPT_CHARS].rstrip()} …" if len(text) > _MAX_EXCERPT_CHARS else text
    others = len(change.excerpts) - 1
    yield f"    {cut}" + (f"  (and {counted(others, 'other wording')})" if others else "")


def _effort(stale: _Stale, model: str, prices: Prices) -> tuple[str, list[str]]:
    """Return what it takes to record all stale calls again, and the models without a price."""
    by_model: dict[str, list[StaleCall]] = {}
    for run, stale_calls in stale:
        by_model.setdefault(_model_of(run, model), []).extend(stale_calls.calls)
    cost, unpriced = prices.total_usd({name: _tokens(calls) for name, calls in by_model.items()})
    calls = [call for of_model in by_model.values() for call in of_model]
    unknown = sum(stale_calls.missing and not stale_calls.calls for _, stale_calls in stale)
    if not calls:
        return f"{counted(unknown, 'run')} with an unknown number of calls", unpriced
    prompt_tokens, completion_tokens = _tokens(calls)
    message = f"{counted(len(calls), 'call')}, {prompt_tokens:,} prompt and {completion_tokens:,} completion "
    message += "tokens as recorded before"
    if by_model.keys() <= {SCRIPTED_MODEL}:
        return f"{message}, free: the replies are scripted", unpriced
    excluded = []
    if uncounted := sum(call.prompt_tokens is None or call.completion_tokens is None for call in calls):
        excluded.append(f"{counted(uncounted, 'call')} without token counts")
    if unknown:
        excluded.append(f"{counted(unknown, 'run')} never recorded")
    if not unpriced:
        message += f", {'at least ' if excluded else ''}{format_usd(cost)}"
    return f"{message} (not included: {', '.join(excluded)})" if excluded else message, unpriced


def _tokens(calls: Iterable[StaleCall]) -> tuple[int, int]:
    counts = [(call.prompt_tokens or 0, call.completion_tokens or 0) for call in calls]
    return sum(prompt for prompt, _ in counts), sum(completion for _, completion in counts)


def _model_of(run: ScenarioResult, model: str) -> str:
    recorded = run.stale.model if run.stale else ""
    return recorded or split_model(run.variant)[0] or model


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
