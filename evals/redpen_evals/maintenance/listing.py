"""The cassettes as a list or as JSON: model, calls, size and age."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any, Final

from redpen_evals.cassettes.encoding import Body, JsonBody, encode_body
from redpen_evals.cassettes.file import Call, CallFailure, CassetteFile
from redpen_evals.maintenance.conversation import latencies_ms
from redpen_evals.maintenance.stock import Entry, age, name_of, versions
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen

_HEADER: Final = ("cassette", "model", "kind", "calls", "size", "age", "recorded with")
_RIGHT: Final = frozenset({3, 4, 5})
_KILO: Final = 1000


def list_lines(entries: Sequence[Entry], *, now: datetime.datetime, screen: Screen = PLAIN) -> Iterator[str]:
    """Yield a header, an aligned line a cassette, and the sums by model.

    Args:
        entries: the cassettes.
        now: the time, with its zone, from which ages are reckoned.
        screen: where the lines are shown.
    """
    if not entries:
        yield "no cassettes"
        return
    yield from table_lines(_HEADER, [_row(entry, now) for entry in entries], right=_RIGHT, screen=screen)
    yield ""
    yield from table_lines((), list(_sums(entries)), right=frozenset({1, 3, 5}), screen=screen)


def list_values(entries: Sequence[Entry], *, now: datetime.datetime) -> dict[str, Any]:
    """Return the same as JSON values, sizes in bytes."""
    return {
        "cassettes": [_values(entry, now) for entry in entries],
        "count": len(entries),
        "calls": sum(map(_calls, entries)),
        "size_bytes": sum(entry.size_bytes for entry in entries),
    }


def size_text(size_bytes: int) -> str:
    """Return a size in the unit that suits it, such as ``21.3 kB``."""
    size = float(size_bytes)
    for unit in ("B", "kB", "MB"):
        if size < _KILO:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"


def _row(entry: Entry, now: datetime.datetime) -> tuple[str, ...]:
    location, cassette = entry.location, entry.cassette
    where = (name_of(location), location.model, location.kind)
    if cassette is None:
        problem = entry.error.problem if entry.error else ""
        return (*where, "-", size_text(entry.size_bytes), "-", f"broken: {problem}")
    releases = ", ".join(f"{name} {version}" for name, version in versions(cassette.recorded).items())
    return (
        *where,
        f"{len(cassette.calls):,}",
        size_text(entry.size_bytes),
        age(cassette.recorded, now),
        releases,
    )


def _values(entry: Entry, now: datetime.datetime) -> dict[str, Any]:
    location, cassette = entry.location, entry.cassette
    return {
        "path": str(entry.path),
        "scenario": location.scenario,
        "model": location.model,
        "kind": location.kind,
        "variant": location.variant,
        "sample": location.sample,
        "size_bytes": entry.size_bytes,
        "calls": None if cassette is None else len(cassette.calls),
        "phases": None if cassette is None else [call.phase for call in cassette.calls],
        "recorded_at": None if cassette is None else cassette.recorded.get("at"),
        "age": None if cassette is None else age(cassette.recorded, now),
        "versions": None if cassette is None else versions(cassette.recorded),
        "broken": entry.error.problem if entry.error else None,
    }


def _sums(entries: Sequence[Entry]) -> Iterator[tuple[str, ...]]:
    models = sorted({entry.location.model for entry in entries})
    for model in models:
        yield _sum(model, [entry for entry in entries if entry.location.model == model])
    if len(models) > 1:
        yield _sum("all", entries)


def _sum(name: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    size = size_text(sum(entry.size_bytes for entry in entries))
    return name, f"{len(entries):,}", "cassettes", f"{sum(map(_calls, entries)):,}", "calls", size


def _calls(entry: Entry) -> int:
    return len(entry.cassette.calls) if entry.cassette else 0


def cassette_values(cassette: CassetteFile) -> dict[str, Any]:
    """Return a cassette as JSON values; a body that is no JSON stands as in the file, ``{"$text": …}``."""
    latencies = latencies_ms(cassette)
    return {
        "scenario": cassette.scenario,
        "model": cassette.model,
        "kind": cassette.kind,
        "variant": cassette.variant,
        "sample": cassette.sample,
        "base_url": cassette.base_url,
        "recorded": cassette.recorded,
        "calls": [_call(call, latency) for call, latency in zip(cassette.calls, latencies, strict=True)],
    }


def _call(call: Call, latency_ms: float | None) -> dict[str, Any]:
    prompt_tokens, completion_tokens = tokens_of(call)
    values: dict[str, Any] = {
        "phase": call.phase,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "latency_ms": latency_ms,
        "request": _body(call.request.body),
    }
    if isinstance(call.response, CallFailure):
        return {**values, "failure": call.response.failure, "message": call.response.message}
    return {**values, "status": call.response.status, "response": _body(call.response.body)}


def _body(body: Body) -> Any:
    return body.value if isinstance(body, JsonBody) else encode_body(body)
