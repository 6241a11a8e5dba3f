"""The stale map as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redpen.screen import shown
from redpen_evals.prices import format_usd
from redpen_evals.stale.mapping import Recording, StaleChange, StaleMap

_MAX_EXCERPT_CHARS: Final = 160
_RECORD: Final = "to record again"
_NEVER: Final = "never recorded"


def stale_lines(found: StaleMap, limit: int = 8) -> list[str]:
    """Return a stale map as lines, about six for one changed prompt.

    Args:
        found: the map.
        limit: how many changes are shown, at least 1; the others are counted.

    Returns:
        Aligned lines without colour, safe to show; none where nothing is stale.
    """
    if not found.stale_runs:
        return []
    return list(_lines(found, limit))


def _lines(found: StaleMap, limit: int) -> Iterator[str]:
    yield _head(found)
    changes = found.changes[:limit]
    names = [shown(change.name) for change in changes]
    width = max(map(len, [*names, _RECORD]))
    counts = [_counted(change) for change in changes]
    count_width = max(map(len, counts), default=0)
    for name, count, change in zip(names, counts, changes, strict=True):
        yield f"  {name.ljust(width)}  {count.ljust(count_width)}  {_follows(change)}".rstrip()
        yield from _excerpt(change)
    if left := found.changes[limit:]:
        calls = sum(change.calls for change in left)
        yield f"  and {_number(len(left), 'more change')} of {_number(calls, 'call')}"
    if found.missing:
        yield f"  {_NEVER.ljust(width)}  {_number(found.missing, 'run')}"
    yield f"  {_RECORD.ljust(width)}  {_effort(found.recording)}"
    yield from (f"    {shown(line)}" for line in found.recording.no_price.splitlines())
    yield from (f"  {shown(command)}" for command in found.recording.commands)


def _head(found: StaleMap) -> str:
    of = f"{found.stale_scenarios:,} of {_number(found.scenarios, 'scenario')}"
    verb = "is" if found.stale_scenarios == 1 else "are"
    if found.runs == found.scenarios:
        return f"{of} {verb} stale"
    return f"{of} {verb} stale, in {found.stale_runs:,} of {found.runs:,} runs"


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
        return f"{unknown}, whose calls nobody knows yet"
    tokens = f"{recording.prompt_tokens:,} prompt and {recording.completion_tokens:,} completion tokens"
    parts = [_number(recording.calls, "call"), f"{tokens} as recorded before"]
    if recording.scripted:
        return ", ".join([*parts, "free: the replies are scripted"])
    lacking = []
    if recording.uncounted:
        lacking.append(f"{_number(recording.uncounted, 'call')} without token counts")
    if recording.unknown_runs:
        lacking.append(f"{unknown} never recorded")
    if recording.cost_usd is not None:
        least = "at least " if lacking else ""
        parts.append(f"{least}{format_usd(recording.cost_usd)}")
    said = ", ".join(parts)
    return f"{said} (not in it: {', '.join(lacking)})" if lacking else said


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
