"""What an agent of somebody's own did, as steps: its turns, the tools that its model asked for, its value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from redpen_evals.reports.findings import objects
from redpen_evals.reports.marking import marked
from redpen_evals.reports.steps import Block, Step

_MAX_TURNS = 100
_MAX_TOOL_CALLS = 100
_MAX_FACT_CHARS = 300
_MAX_VALUE_CHARS = 6_000


def view_own_steps(detail: Mapping[str, Any]) -> Iterator[Step]:
    """Yield the steps that the result of an agent of somebody's own tells of; none for a built-in one.

    Args:
        detail: the agent's result; nothing is taken for granted about its shape.
    """
    for number, turn in enumerate(objects(detail.get("turns"))[:_MAX_TURNS], start=1):
        facts = tuple((name, _shortened(turn[name])) for name in ("user", "answer") if turn.get(name))
        yield Step(title=f"turn {number}", ok=None, facts=facts, blocks=tuple(_value(turn)))
    for call in objects(detail.get("tool_calls"))[:_MAX_TOOL_CALLS]:
        if "name" in call and "args" in call:
            yield Step(
                title=f"tool {call['name']}", ok=None, facts=(("arguments", _shortened(call["args"])),)
            )
    if not objects(detail.get("turns")) and (blocks := tuple(_value(detail))):
        yield Step(title="result", ok=None, blocks=blocks)


def _value(told: Mapping[str, Any]) -> Iterator[Block]:
    value = told.get("value")
    if value is None or isinstance(value, str):
        # The text alone stands above the steps.
        return
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    yield Block(
        name="value",
        pieces=marked(text[:_MAX_VALUE_CHARS], ()),
        cut=max(0, len(text) - _MAX_VALUE_CHARS),
    )


def _shortened(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_FACT_CHARS else f"{text[:_MAX_FACT_CHARS]}…"
