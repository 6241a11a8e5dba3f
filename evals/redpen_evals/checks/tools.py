"""Whether a model asked for the tools that a scenario expects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from redpen.screen import shown
from redpen_evals.checks.expectation import same
from redpen_evals.scenario_library.own_agent import ArgumentMatch, ExpectedTool, ToolExpectation

_SHOWN_CHARS = 200

Made = tuple[str, Any]
"""Name and arguments of a tool call that was made."""


def check_tools(expect: ToolExpectation, made: Sequence[Made]) -> tuple[str, ...]:
    """Return what differs between the tool calls expected and those made, one line each.

    Args:
        expect: what a scenario lists, and how it is to be compared.
        made: name and arguments of each call, in order.
    """
    match expect.match:
        case "exact":
            return tuple(_in_order(expect, made))
        case "unordered":
            return (*_missing(expect, made), *_beyond(expect, made))
        case "subset":
            return tuple(_missing(expect, made))
        case "superset":
            return tuple(_beyond(expect, made))
        case _:
            assert_never(expect.match)


def _in_order(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    for at in range(max(len(expect.calls), len(made))):
        wanted = _expected(expect.calls[at]) if at < len(expect.calls) else "no further call"
        found = _made(made[at]) if at < len(made) else "none"
        if (
            at >= len(expect.calls)
            or at >= len(made)
            or not _fits(expect.calls[at], made[at], expect.arguments)
        ):
            yield f"call {at + 1}: expected {wanted}, got {found}"


def _missing(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    taken = _pairs(expect, made)
    for at, wanted in enumerate(expect.calls):
        if at not in taken:
            listed = ", ".join(map(_made, made)) or "none"
            yield f"expected {_expected(wanted)}, which was not called; made were: {listed}"


def _beyond(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    used = set(_pairs(expect, made).values())
    for at, call in enumerate(made):
        if at not in used:
            yield f"{_made(call)} was called and is not expected"


def _pairs(expect: ToolExpectation, made: Sequence[Made]) -> dict[int, int]:
    """Return which call made answers which one expected, as many as can be paired."""
    pairs: dict[int, int] = {}
    owners: dict[int, int] = {}

    def pair(at: int, seen: set[int]) -> bool:
        for other, call in enumerate(made):
            if other in seen or not _fits(expect.calls[at], call, expect.arguments):
                continue
            seen.add(other)
            if other not in owners or pair(owners[other], seen):
                owners[other], pairs[at] = at, other
                return True
        return False

    for at in range(len(expect.calls)):
        pair(at, set())
    return pairs


def _fits(wanted: ExpectedTool, made: Made, arguments: ArgumentMatch) -> bool:
    name, args = made
    if name != wanted.name:
        return False
    match arguments:
        case "ignore":
            return True
        case "exact":
            return same(args, wanted.args)
        case "subset":
            return isinstance(args, dict) and all(
                key in args and same(args[key], value) for key, value in wanted.args.items()
            )
        case _:
            assert_never(arguments)


def _expected(tool: ExpectedTool) -> str:
    return _made((tool.name, tool.args))


def _made(call: Made) -> str:
    name, args = call
    text = shown(f"{name}({json.dumps(args, ensure_ascii=False, default=str)})")
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
