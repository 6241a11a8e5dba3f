"""What a run came to, as the expectation of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from redpen.errors import RedpenError
from redpen.types import JsonObject
from redpen_evals.checks.paths import is_path
from redpen_evals.targets.run import Raised, Run

_MAX_FIELDS: Final = 40
_MAX_TEXT: Final = 4000
_MAX_FIELD_TEXT: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What is expected of a run.

    Attributes:
        values: the fields ``expect`` and ``tools`` of a scenario.
        publishes: whether a text for customers was found, or none can be.
        left_out: how many values of the result are not expected, for their number, length or place.
    """

    values: JsonObject
    publishes: bool
    left_out: int = 0


def expect_run(run: Run) -> Expectation:
    """Return what a run came to as an expectation.

    Raises:
        RedpenError: it ended in a way that no scenario expects: it hung, or ended the process.
    """
    tools = _tools(run)
    if isinstance(run.returned, Raised):
        if not run.returned.names:
            raise RedpenError(f"nothing was written: {run.problem}")
        return Expectation(values={"expect": {"raises": run.returned.names[0]}, **tools}, publishes=True)
    texts = run.turns[-1].texts
    expect: JsonObject = {}
    found = [(path, value) for path, value in _leaves(run.result.get("value"), "") if value not in texts]
    fields = {path: value for path, value in found if path and _is_short(value)}
    kept = dict(list(fields.items())[:_MAX_FIELDS])
    if kept:
        expect["fields"] = kept
    if contained := [text[:_MAX_TEXT] for text in texts if text[:_MAX_TEXT].strip()]:
        expect["contains"] = list(contained)
    values: JsonObject = {"expect": expect} if expect else {}
    return Expectation(values=values | tools, publishes=bool(texts), left_out=len(found) - len(kept))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of a result that have no parts, with their paths; empty where no path leads there."""
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        for key, part in value.items():
            if "." in key or not is_path(key):
                yield "", part
            else:
                parts.append((f"{path}.{key}" if path else key, part))
    elif isinstance(value, list):
        parts = [(f"{path}[{at}]", part) for at, part in enumerate(value)]
    for place, part in parts:
        yield from _leaves(part, place)
    if path and not (isinstance(value, (dict, list)) and value):
        yield path, value


def _is_short(value: Any) -> bool:
    return not isinstance(value, (str, dict)) or len(str(value)) <= _MAX_FIELD_TEXT


def _tools(run: Run) -> JsonObject:
    made = [tool for turn in run.turns for tool in turn.tool_calls]
    if not made:
        return {}
    if all(isinstance(args, dict) for _, args in made):
        return {"tools": {"match": "exact", "calls": [{"name": name, "args": args} for name, args in made]}}
    # Arguments that are no JSON object can be expected of no tool.
    return {"tools": {"match": "exact", "arguments": "ignore", "calls": [{"name": name} for name, _ in made]}}
